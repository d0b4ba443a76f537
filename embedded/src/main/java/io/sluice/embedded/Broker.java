package io.sluice.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka server in this process, which formats its data folder, starts, waits until it answers, and
 * stops.
 */
final class Broker {
  private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final BrokerThreads threads;
  private final KafkaRaftServer server;

  private Broker(BrokerThreads threads, KafkaRaftServer server) {
    this.threads = threads;
    this.server = server;
  }

  /**
   * Starts a broker, and returns when the broker answers.
   *
   * @param login client settings with which the administrator logs in, without the broker's address
   * @throws PortTakenException if a port of the broker was taken after it was found free
   * @throws EmbeddedStartException on any other failure; the broker is stopped then
   */
  static Broker start(
      String name,
      int port,
      Path data,
      Properties settings,
      Map<String, String> login,
      Map<String, String> logContext) {
    BrokerThreads threads = new BrokerThreads(name, logContext);
    try {
      Broker broker = new Broker(threads, threads.call(() -> make(data, settings), START_LIMIT));
      broker.startUp("%s:%d".formatted(LocalPort.LOOPBACK, port), login);
      return broker;
    } catch (ExecutionException e) {
      String why = EmbeddedStartException.innermost(e);
      if (why.contains("Address already in use")) throw new PortTakenException(name, port, why, e);
      throw new EmbeddedStartException(name + " could not start: " + why, e);
    } catch (TimeoutException e) {
      throw new EmbeddedStartException(name + " did not answer in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException(name + " was interrupted while it started", e);
    }
  }

  private static KafkaRaftServer make(Path data, Properties settings) throws Exception {
    if (!Files.exists(data.resolve("meta.properties"))) format(data);
    return new KafkaRaftServer(KafkaConfig.fromProps(settings, false), Time.SYSTEM);
  }

  private static void format(Path data) throws Exception {
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(BrokerSettings.NODE_ID)
        .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
        .setDirectories(List.of(data.toString()))
        .setMetadataLogDirectory(data.toString())
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
        .run();
  }

  private void startUp(String bootstrapServers, Map<String, String> login)
      throws ExecutionException, TimeoutException, InterruptedException {
    boolean started = false;
    try {
      threads.call(
          () -> {
            server.startup();
            return nodesKnownTo(bootstrapServers, login);
          },
          START_LIMIT);
      started = true;
    } finally {
      if (!started) stop();
    }
  }

  private static int nodesKnownTo(String bootstrapServers, Map<String, String> login)
      throws Exception {
    Map<String, Object> settings = new HashMap<>(login);
    settings.put("bootstrap.servers", bootstrapServers);
    try (Admin admin = Admin.create(settings)) {
      return admin.describeCluster().nodes().get().size();
    }
  }

  CompletableFuture<String> failure() {
    return threads.failure();
  }

  /**
   * Stops the broker. This method never throws, and runs to its end even if the calling thread was
   * interrupted before; failures are logged.
   */
  void stop() {
    boolean interrupted = Thread.interrupted();
    try {
      threads.call(
          () -> {
            server.shutdown();
            server.awaitShutdown();
            return server;
          },
          STOP_LIMIT);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("{} did not stop cleanly", threads.getName(), e);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }
}
