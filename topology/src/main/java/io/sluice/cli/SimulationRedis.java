package io.sluice.cli;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.EmbeddedStartException;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Where a simulation's limits on Redis count, and nothing of it remains when it is closed. */
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
   * @throws LimiterUnavailableException if it is not there
   */
  static SimulationRedis at(String uri, PrintWriter err) {
    RedisSettings settings = settings(uri);
    RedisMeter meter = new RedisMeter(settings);
    meter.probe();
    AtomicLong asked = new AtomicLong();
    return new SimulationRedis(
        () -> {
          asked.incrementAndGet();
          return meter;
        },
        () -> leave(meter, settings, asked.get(), err));
  }

  private static void leave(RedisMeter meter, RedisSettings settings, long asked, PrintWriter err) {
    try (meter) {
      if (asked > 0) meter.removeAll();
    } catch (LimiterUnavailableException e) {
      if (asked == 1) return; // it was never there, and the command says so
      err.println(
          "keys that begin with "
              + settings.keyPrefix()
              + " may be left for "
              + GRACE.toDays()
              + " days: "
              + e.getMessage());
    }
  }

  /** Starts a Redis of its own. */
  static SimulationRedis embedded(PrintWriter chatter) {
    try {
      EmbeddedRedis server = EmbeddedRedis.builder().start();
      chatter.println("Limits on Redis count in one started for this: " + server.uri());
      RedisMeter meter = new RedisMeter(settings(server.uri()));
      return new SimulationRedis(
          () -> meter,
          () -> {
            meter.close();
            server.close();
          });
    } catch (EmbeddedStartException e) {
      throw new CommandFailedException(e.getMessage() + "; --redis names another", e);
    } catch (NoClassDefFoundError e) {
      throw new CommandFailedException(
          "this distribution comes without a Redis; --redis names one", e);
    }
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
