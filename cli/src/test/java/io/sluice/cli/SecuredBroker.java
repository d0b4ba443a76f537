package io.sluice.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** Real broker with a port for plain text, one that requires a password, and one with TLS. */
final class SecuredBroker implements AutoCloseable {
  private static final String PASSWORD = "of-a-test";

  final int plainPort;
  final int saslPort;
  final int tlsPort;
  private final KafkaRaftServer server;

  private SecuredBroker(Path folder) throws Exception {
    int[] ports = freePorts(4);
    plainPort = ports[0];
    saslPort = ports[1];
    tlsPort = ports[2];
    int controllerPort = ports[3];
    Path data = folder.resolve("data");
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(1)
        .setControllerListenerName("CONTROLLER")
        .setDirectories(List.of(data.toString()))
        .setMetadataLogDirectory(data.toString())
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
        .run();
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "controller.listener.names", "CONTROLLER",
            "controller.quorum.voters", "1@127.0.0.1:" + controllerPort,
            "log.dirs", data.toString(),
            "offsets.topic.replication.factor", "1",
            "inter.broker.listener.name", "PLAIN"));
    settings.put(
        "listeners",
        "PLAIN://127.0.0.1:%d,SASL://127.0.0.1:%d,TLS://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(plainPort, saslPort, tlsPort, controllerPort));
    settings.put(
        "listener.security.protocol.map",
        "PLAIN:PLAINTEXT,SASL:SASL_PLAINTEXT,TLS:SSL,CONTROLLER:PLAINTEXT");
    settings.put("sasl.enabled.mechanisms", "PLAIN");
    settings.put(
        "listener.name.sasl.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_ada=\"secret\";");
    settings.put("listener.name.tls.ssl.keystore.location", keystore(folder).toString());
    settings.put("listener.name.tls.ssl.keystore.password", PASSWORD);
    settings.put("listener.name.tls.ssl.key.password", PASSWORD);
    server = new KafkaRaftServer(KafkaConfig.fromProps(settings, false), Time.SYSTEM);
    server.startup();
  }

  static SecuredBroker start(Path folder) throws Exception {
    return new SecuredBroker(folder);
  }

  /** Finds distinct free ports: all stay open until the last one is found. */
  private static int[] freePorts(int count) throws IOException {
    ServerSocket[] held = new ServerSocket[count];
    int[] ports = new int[count];
    for (int i = 0; i < count; i++) {
      held[i] = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
      ports[i] = held[i].getLocalPort();
    }
    for (ServerSocket each : held) each.close();
    return ports;
  }

  /** Creates a key store with a self-signed certificate. */
  private static Path keystore(Path folder) throws Exception {
    Path file = folder.resolve("keystore.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process process =
        new ProcessBuilder(
                (keytool
                        + " -genkeypair -alias broker -keyalg RSA -dname CN=localhost -storetype PKCS12"
                        + " -storepass "
                        + PASSWORD
                        + " -keystore "
                        + file)
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    String says = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) throw new IOException(says);
    return file;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
