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
 * Redis for those limits of a simulation that count in Redis. Closing it removes all keys of the
 * simulation.
 */
final class SimulationRedis implements Supplier<RedisMeter>, AutoCloseable {
  /**
   * Timeout of a request, longer than in production: a simulation can wait, and the machine may be
   * busy.
   */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * Time added to the expiry of keys. Redis expires keys by the real clock, and a simulated minute
   * may take longer than a real one. So keys do not expire during a run, but those of a killed run
   * do.
   */
  private static final Duration GRACE = Duration.ofDays(7);

  private final Supplier<RedisMeter> connection;
  private final Runnable end;

  private SimulationRedis(Supplier<RedisMeter> connection, Runnable end) {
    this.connection = connection;
    this.end = end;
  }

  /** Returns an instance for a simulation without limits in Redis; {@link #get} of it fails. */
  static SimulationRedis none() {
    return new SimulationRedis(
        () -> {
          throw new IllegalStateException("no limit is on Redis");
        },
        () -> {});
  }

  /**
   * Connects to an existing, possibly shared Redis; closing removes only the simulation's keys.
   *
   * @throws IllegalArgumentException if {@code uri} is not a Redis URI
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

  /** Starts a Redis server that ends on close. */
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
