package io.sluice.bench.inprocess;

import com.google.common.util.concurrent.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.rows.HeapRows;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Rate limiter libraries that meter in process. A library without keys gets a map with one limiter
 * for each key.
 */
public enum Library {
  SLUICE_FUNNEL("Sluice, funnel"),
  SLUICE_FUNNEL_TIMED("Sluice, funnel, the time given"),
  SLUICE_LOG("Sluice, log"),
  SLUICE_COUNTER("Sluice, counter"),
  SLUICE_ROWS("Sluice, funnel in rows, with event ids"),
  SLUICE_LOG_ROWS("Sluice, log in rows, with event ids"),
  BUCKET4J("Bucket4j, tryConsume"),
  BUCKET4J_PROBE("Bucket4j, tryConsumeAndReturnRemaining"),
  RESILIENCE4J("resilience4j"),
  GUAVA("Guava");

  /** Limiter of a library, which meters an arrival of cost 1 at the present time. */
  interface Limiter {
    Object meter(String key);
  }

  final String title;

  Library(String title) {
    this.title = title;
  }

  Limiter limiter(Traffic traffic) {
    Quota bucket = traffic.bucket();
    Quota window = traffic.window();
    return switch (this) {
      case SLUICE_FUNNEL -> sluice(bucket, Algorithm.GCRA);
      case SLUICE_FUNNEL_TIMED -> timed(bucket);
      case SLUICE_LOG -> sluice(window, Algorithm.SLIDING_WINDOW_LOG);
      case SLUICE_COUNTER -> sluice(window, Algorithm.SLIDING_WINDOW_COUNTER);
      case SLUICE_ROWS -> rows(bucket, Algorithm.GCRA);
      case SLUICE_LOG_ROWS -> rows(window, Algorithm.SLIDING_WINDOW_LOG);
      case BUCKET4J -> perKey(() -> bucket(bucket), each -> each.tryConsume(1));
      case BUCKET4J_PROBE ->
          perKey(() -> bucket(bucket), each -> each.tryConsumeAndReturnRemaining(1));
      case RESILIENCE4J -> perKey(() -> resilience4j(window), each -> each.acquirePermission());
      case GUAVA -> perKey(() -> RateLimiter.create(perSecond(window)), each -> each.tryAcquire());
    };
  }

  private static Limiter sluice(Quota quota, Algorithm algorithm) {
    InProcessLimiter limiter = new InProcessLimiter(quota, algorithm);
    return limiter::meter;
  }

  /**
   * Returns a limiter to which the time of each arrival is given, one microsecond later each time,
   * as by a caller that has already read a clock.
   */
  private static Limiter timed(Quota quota) {
    InProcessLimiter limiter = new InProcessLimiter(quota, Algorithm.GCRA);
    long[] nowMicros = {Arrival.LATEST_MICROS / 2};
    return key -> limiter.meter(key, new Arrival("", 1, nowMicros[0]++));
  }

  /**
   * Returns a limiter that meters like Sluice's limits on a state store, but without the store:
   * with an id for each event, and with state as bytes.
   */
  private static Limiter rows(Quota quota, Algorithm algorithm) {
    Rule rule = Rule.policing("measured", quota, algorithm);
    RowMeter meter = new RowMeter(new HeapRows());
    InstantSource clock = InstantSource.system();
    long[] number = {0};
    return key -> {
      String eventId = Long.toString(number[0]++);
      Arrival arrival = new Arrival(eventId, 1, clock.millis() * 1_000);
      return meter.meter(arrival, List.of(new Bucket(rule, key)));
    };
  }

  private static <L> Limiter perKey(Supplier<L> maker, Function<L, Object> meter) {
    ConcurrentHashMap<String, L> limiters = new ConcurrentHashMap<>();
    return key -> {
      L held = limiters.get(key);
      return meter.apply(
          held != null ? held : limiters.computeIfAbsent(key, absent -> maker.get()));
    };
  }

  private static io.github.bucket4j.Bucket bucket(Quota quota) {
    return io.github.bucket4j.Bucket.builder()
        .addLimit(
            limit -> limit.capacity(quota.burst()).refillGreedy(quota.permits(), period(quota)))
        .build();
  }

  private static io.github.resilience4j.ratelimiter.RateLimiter resilience4j(Quota quota) {
    return io.github.resilience4j.ratelimiter.RateLimiter.of(
        "",
        RateLimiterConfig.custom()
            .limitForPeriod((int) quota.permits())
            .limitRefreshPeriod(period(quota))
            .timeoutDuration(Duration.ZERO)
            .build());
  }

  private static Duration period(Quota quota) {
    return Duration.ofNanos(quota.periodMicros() * 1_000);
  }

  private static double perSecond(Quota quota) {
    return quota.permits() * 1e6 / quota.periodMicros();
  }
}
