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
 * A limiter in Redis, one quota for every process that uses the same name. One round trip an
 * arrival.
 *
 * <p>{@link #throttle} answers as redis-cell's {@code CL.THROTTLE} does, where no module can be
 * loaded.
 */
public final class RedisLimiter implements RateLimiter, AutoCloseable {
  private final RedisMeter meter;
  private final Rule rule;
  private final InstantSource clock;

  /**
   * A limiter by the system's clock.
   *
   * @param name sets its keys apart from other limiters'
   */
  public RedisLimiter(RedisSettings settings, String name, Quota quota, Algorithm algorithm) {
    this(settings, name, quota, algorithm, InstantSource.system());
  }

  /** A limiter whose own clock is this one. */
  public RedisLimiter(
      RedisSettings settings, String name, Quota quota, Algorithm algorithm, InstantSource clock) {
    this(new RedisMeter(settings), Rule.policing(name, quota, algorithm), clock);
  }

  /**
   * A limiter by a rule that refuses what does not conform, with its own clock. Others may use the
   * meter too; closing the limiter closes it.
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
   * {@code CL.THROTTLE}'s answer, in its order. Seconds are rounded up.
   *
   * @param limited whether the action is refused
   * @param limit how many may come at once: the burst and one
   * @param remaining how many could still come now
   * @param retryAfterSeconds when to try again; -1 if not limited, or if no wait will do
   * @param resetAfterSeconds when the key is as good as new
   */
  public record Throttle(
      boolean limited,
      long limit,
      long remaining,
      long retryAfterSeconds,
      long resetAfterSeconds) {}

  /**
   * {@code CL.THROTTLE key maxBurst count period quantity}: {@code count} in every {@code
   * periodSeconds}, evenly, after {@code maxBurst + 1} at once. The limiter's own quota plays no
   * part, nor what {@link #meter} charged to the key.
   *
   * @throws IllegalArgumentException if no {@link Quota} says that
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
