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
 * Rate limiter in Redis: all processes whose limiters have the same name share one quota for each
 * key. An arrival takes one round trip.
 *
 * <p>{@link #throttle} answers as redis-cell's {@code CL.THROTTLE} does, for servers that cannot
 * load a module.
 */
public final class RedisLimiter implements RateLimiter, AutoCloseable {
  private final RedisMeter meter;
  private final Rule rule;
  private final InstantSource clock;

  /**
   * Creates a limiter that takes the time of arrivals from the system's clock.
   *
   * @param name part of the limiter's Redis keys, which keeps them apart from those of other
   *     limiters
   */
  public RedisLimiter(RedisSettings settings, String name, Quota quota, Algorithm algorithm) {
    this(settings, name, quota, algorithm, InstantSource.system());
  }

  /** Creates a limiter that takes the time of arrivals from this clock. */
  public RedisLimiter(
      RedisSettings settings, String name, Quota quota, Algorithm algorithm, InstantSource clock) {
    this(new RedisMeter(settings), Rule.policing(name, quota, algorithm), clock);
  }

  /**
   * Creates a limiter for a rule that refuses non-conforming arrivals, with the time of arrivals
   * from this clock. Other callers may use the meter too; closing the limiter closes the meter.
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
   * Answer of {@code CL.THROTTLE}, with its numbers in the same order. Seconds are rounded up.
   *
   * @param limited whether the action is refused
   * @param limit largest number of actions at once: the burst and one
   * @param remaining number of actions that could still come now
   * @param retryAfterSeconds wait until the action conforms; -1 if the action is allowed or never
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
   * Meters an action as {@code CL.THROTTLE key maxBurst count period quantity} does: it allows
   * {@code maxBurst + 1} permits at once, and then {@code count} in every {@code periodSeconds},
   * evenly. Independent of the limiter's own quota, and of the charges of {@link #meter} to the
   * key.
   *
   * @throws IllegalArgumentException if the arguments do not make a {@link Quota}
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
