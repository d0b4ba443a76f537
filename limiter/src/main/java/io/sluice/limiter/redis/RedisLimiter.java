package io.sluice.limiter.redis;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RateLimiter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Rate limiter in Redis: all processes that use the same name share one quota. One round trip for
 * each arrival.
 *
 * <p>{@link #throttle} answers as redis-cell's {@code CL.THROTTLE} does, for servers that cannot
 * load a module.
 */
public final class RedisLimiter implements RateLimiter, AutoCloseable {
  private final RedisMeter meter;
  private final Rule rule;
  private final InstantSource clock;

  /**
   * Creates a limiter that reads the system's clock.
   *
   * @param name keeps its keys apart from those of other limiters
   */
  public RedisLimiter(RedisSettings settings, String name, Quota quota, Algorithm algorithm) {
    this(settings, name, quota, algorithm, InstantSource.system());
  }

  /** Creates a limiter that reads this clock. */
  public RedisLimiter(
      RedisSettings settings, String name, Quota quota, Algorithm algorithm, InstantSource clock) {
    this(new RedisMeter(settings), Rule.policing(name, quota, algorithm), clock);
  }

  /**
   * Creates a limiter for a rule that refuses non-conforming arrivals, with its own clock. Other
   * callers may use the meter too; closing the limiter closes it.
   *
   * @throws IllegalArgumentException if the rule delays, only watches or counts distinct values
   */
  public RedisLimiter(RedisMeter meter, Rule rule, InstantSource clock) {
    this.meter = meter;
    this.rule = rule.requirePolicing();
    this.clock = clock;
  }

  @Override
  public Decision meter(String key, Arrival arrival) {
    return meter(rule, key, arrival);
  }

  @Override
  public Decision meter(String key, long cost) {
    return meter(rule, key, anonymous(cost));
  }

  private Decision meter(Rule by, String key, Arrival arrival) {
    return meter.meter(Request.of(arrival, List.of(new Bucket(by, key)))).decision(0);
  }

  private Arrival anonymous(long cost) {
    Instant now = clock.instant();
    return new Arrival("", cost, now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000);
  }

  /**
   * Answer of {@code CL.THROTTLE}, in its order. Seconds are rounded up.
   *
   * @param limited whether the action is refused
   * @param limit most actions at once: the burst and one
   * @param remaining actions that could still come now
   * @param retryAfterSeconds wait until the action conforms; -1 if it is not limited, or never
   *     conforms
   * @param resetAfterSeconds wait until the key is fully reset
   */
  public record Throttle(
      boolean limited,
      long limit,
      long remaining,
      long retryAfterSeconds,
      long resetAfterSeconds) {}

  /**
   * Meters as {@code CL.THROTTLE key maxBurst count period quantity}: {@code count} in every {@code
   * periodSeconds}, evenly, after {@code maxBurst + 1} at once. Independent of the limiter's own
   * quota, and of what {@link #meter} has charged to the key.
   *
   * @throws IllegalArgumentException if there is no such {@link Quota}
   */
  public Throttle throttle(
      String key, long maxBurst, long count, long periodSeconds, long quantity) {
    long limit = Math.addExact(maxBurst, 1);
    Quota quota = Quota.of(count, Duration.ofSeconds(periodSeconds)).withBurst(limit);
    Rule by = Rule.policing(rule.name() + "/throttle", quota, Algorithm.GCRA);
    Decision decision = meter(by, key, anonymous(quantity));
    return new Throttle(
        decision instanceof NonConforming || decision instanceof Oversized,
        limit,
        decision.remaining(),
        decision instanceof NonConforming refused ? seconds(refused.retryAfterMicros()) : -1,
        seconds(decision.resetAfterMicros()));
  }

  private static long seconds(long micros) {
    return (micros + 999_999) / 1_000_000;
  }

  @Override
  public void close() {
    meter.close();
  }
}
