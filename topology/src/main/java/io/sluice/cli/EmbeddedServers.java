package io.sluice.cli;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.EmbeddedStartException;
import io.sluice.topology.SluiceConfig;
import java.net.URI;

/** A broker and a Redis beside this process, for trying things out. */
final class EmbeddedServers implements AutoCloseable {
  private final EmbeddedKafka kafka;
  private final EmbeddedRedis redis;

  private EmbeddedServers(EmbeddedKafka kafka, EmbeddedRedis redis) {
    this.kafka = kafka;
    this.redis = redis;
  }

  /** Starts the broker on this port, 0 for one that is free, and Redis on one that is free. */
  static EmbeddedServers start(int kafkaPort) {
    return start(kafkaPort, 0);
  }

  /** Starts both where the configuration expects them. */
  static EmbeddedServers startFor(SluiceConfig config) {
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

  private static EmbeddedServers start(int kafkaPort, int redisPort) {
    try {
      EmbeddedRedis redis = EmbeddedRedis.builder().port(redisPort).start();
      try {
        return new EmbeddedServers(EmbeddedKafka.builder().port(kafkaPort).start(), redis);
      } catch (RuntimeException e) {
        redis.close();
        throw e;
      }
    } catch (EmbeddedStartException e) {
      throw new CommandFailedException(e.getMessage(), e);
    } catch (NoClassDefFoundError e) {
      throw new CommandFailedException("this distribution comes without the embedded servers", e);
    }
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  String redisUri() {
    return redis.uri();
  }

  @Override
  public void close() {
    kafka.close();
    redis.close();
  }
}
