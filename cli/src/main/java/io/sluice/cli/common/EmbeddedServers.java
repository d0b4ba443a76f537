package io.sluice.cli.common;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.EmbeddedStartException;
import io.sluice.topology.config.SluiceConfig;
import java.net.URI;
import java.util.function.Consumer;

/** A broker and a Redis beside this process, for trying things out. */
public final class EmbeddedServers implements AutoCloseable {
  private final Running running = new Running();
  private String bootstrapServers = "";
  private String redisUri = "";
  private BrokerLog log = BrokerLog.NONE;

  private EmbeddedServers() {}

  /** Starts the broker on this port, 0 for one that is free, and Redis on one that is free. */
  public static EmbeddedServers start(int kafkaPort) {
    return start(kafkaPort, 0);
  }

  /** Starts both where the configuration expects them. */
  public static EmbeddedServers startFor(SluiceConfig config) {
    String bootstrap = config.streams().getProperty("bootstrap.servers");
    int comma = bootstrap.indexOf(',');
    String first = (comma < 0 ? bootstrap : bootstrap.substring(0, comma)).trim();
    String uri = config.redisUri().isEmpty() ? "redis://localhost:6379" : config.redisUri();
    if (!uri.matches("redis://[^,]*")) {
      throw new CommandFailedException(
          "--embedded starts one Redis without TLS, and sluice.redis.uri names another kind");
    }
    URI redis = URI.create(uri);
    return start(
        port("bootstrap.servers", URI.create("kafka://" + first)), port("sluice.redis.uri", redis));
  }

  private static int port(String key, URI uri) {
    boolean here = "localhost".equals(uri.getHost()) || "127.0.0.1".equals(uri.getHost());
    if (!here) {
      throw new CommandFailedException(
          "--embedded starts servers on localhost only, but "
              + key
              + " names "
              + uri.getAuthority());
    }
    return uri.getPort() > 0 ? uri.getPort() : 6379;
  }

  /** Starts Redis only, on a port that is free. */
  public static EmbeddedServers startRedis() {
    return start(servers -> servers.addRedis(0));
  }

  private static EmbeddedServers start(int kafkaPort, int redisPort) {
    return start(
        servers -> {
          servers.addRedis(redisPort);
          servers.addKafka(kafkaPort);
        });
  }

  private static EmbeddedServers start(Consumer<EmbeddedServers> these) {
    EmbeddedServers servers = new EmbeddedServers();
    try {
      these.accept(servers);
      return servers;
    } catch (RuntimeException e) {
      String log = servers.keptLog();
      servers.close();
      if (!(e instanceof EmbeddedStartException)) throw e;
      throw new CommandFailedException(e.getMessage() + log, e);
    } catch (NoClassDefFoundError e) {
      throw new CommandFailedException("this distribution comes without the embedded servers", e);
    }
  }

  private void addRedis(int port) {
    redisUri = running.add(EmbeddedRedis.builder().port(port).start()).uri();
  }

  private void addKafka(int port) {
    log = running.add(BrokerLog.create());
    EmbeddedKafka.Builder kafka = EmbeddedKafka.builder().port(port).logContext(log.context());
    bootstrapServers = running.add(kafka.start()).bootstrapServers();
  }

  /** Says, after a failure, where the broker's own log is, which then stays there. */
  public String keptLog() {
    return log.keep();
  }

  /** Where the broker is; empty if none was started. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  public String redisUri() {
    return redisUri;
  }

  @Override
  public void close() {
    running.close();
  }
}
