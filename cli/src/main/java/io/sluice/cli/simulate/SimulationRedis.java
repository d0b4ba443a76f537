package io.sluice.cli.simulate;

import io.sluice.cli.common.EmbeddedServers;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * The Redis for a simulation's limits on Redis. Nothing of the simulation remains there when it is
 * closed.
 */
final class SimulationRedis implements Supplier<RedisMeter>, AutoCloseable {
  /** A simulation is no emergency, and the machine may be busy. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * Redis lets go of keys by its own clock, which has nothing to do with the simulation's: a minute
   * there may take longer than one here. A key outlives any run, and yet not a run that was killed.
   */
  private static final Duration GRACE = Duration.ofDays(7);

  private final Supplier<RedisMeter> connection;
  private final Runnable end;

  private SimulationRedis(Supplier<RedisMeter> connection, Runnable end) {
    this.connection = connection;
    this.end = end;
  }

  /** For limits of which none is on Redis. */
  static SimulationRedis none() {
    return new SimulationRedis(
        () -> {
          throw new IllegalStateException("no limit is on Redis");
        },
        () -> {});
  }

  /**
   * Uses a Redis that others may use too, and removes its keys from it at the end.
   *
   * @throws IllegalArgumentException if it is not a URI for Redis
   * @throws LimiterUnavailableException if Redis does not answer
   */
  static SimulationRedis at(String uri, PrintWriter err) {
    RedisSettings settings = settings(uri);
    RedisMeter meter = new RedisMeter(settings);
    try {
      meter.probe();
    } catch (LimiterUnavailableException e) {
      meter.close();
      throw e;
    }
    return new SimulationRedis(() -> meter, () -> leave(meter, settings, err));
  }

  private static void leave(RedisMeter meter, RedisSettings settings, PrintWriter err) {
    try (meter) {
      meter.removeAll();
    } catch (LimiterUnavailableException e) {
      String prefix = settings.keyPrefix();
      err.println(
          "could not remove the keys that begin with %s; they expire in %d days: %s"
              .formatted(prefix, GRACE.toDays(), e.getMessage()));
    }
  }

  /** Starts a Redis of its own. */
  static SimulationRedis embedded(PrintWriter chatter) {
    EmbeddedServers server = EmbeddedServers.startRedis();
    chatter.println("Started a temporary Redis for the limits on Redis: " + server.redisUri());
    RedisMeter meter = new RedisMeter(settings(server.redisUri()));
    return new SimulationRedis(
        () -> meter,
        () -> {
          meter.close();
          server.close();
        });
  }

  private static RedisSettings settings(String uri) {
    byte[] random = new byte[6];
    new SecureRandom().nextBytes(random);
    return RedisSettings.of(uri)
        .withKeyPrefix("sluice-sim-" + HexFormat.of().formatHex(random))
        .withTimeout(TIMEOUT)
        .withConnections(1)
        .withGrace(GRACE);
  }

  @Override
  public RedisMeter get() {
    return connection.get();
  }

  @Override
  public void close() {
    end.run();
  }
}
