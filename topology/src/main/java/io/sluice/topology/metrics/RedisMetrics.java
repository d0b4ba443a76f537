package io.sluice.topology.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.Instruments.FilterCounts;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics of an instance's calls to Redis. Safe for many threads. */
public final class RedisMetrics {
  public static final String AVAILABLE = "redis-available";
  public static final String CHANGES = "redis-availability-changes-total";
  static final String ROUND_TRIPS = "redis-round-trips-total";
  public static final String LATE_ANSWERS = "redis-late-answers-total";

  private static final Logger LOG = LoggerFactory.getLogger(RedisMetrics.class);
  private static final long BETWEEN_LINES_NANOS = 10_000_000_000L;
  private static final double[] BATCH_BUCKETS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000};

  private final AtomicLong available = new AtomicLong(1);
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong metered = new AtomicLong();
  private final LongAdder late = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final AtomicLong lastSaidNanos = new AtomicLong(System.nanoTime() - BETWEEN_LINES_NANOS);
  private final FilterCounts filters;
  private final Map<RedisUnavailable, LongAdder> fallbacks = new EnumMap<>(RedisUnavailable.class);
  private final MeteringTimes times;
  private final DistributionSummary batch;

  RedisMetrics(MeterRegistry registry, FilterCounts filters) {
    this.filters = filters;
    for (RedisUnavailable policy : RedisUnavailable.values()) {
      fallbacks.put(policy, new LongAdder());
    }
    times = new MeteringTimes(registry, Backend.REDIS);
    batch =
        DistributionSummary.builder(MetricDefinition.meterName("redis-batch-size"))
            .description("Events that Redis metered in one batch.")
            .serviceLevelObjectives(BATCH_BUCKETS)
            .register(registry);
  }

  /** Starts a timer for a call to Redis; calls that fail are timed too. */
  public Instruments.Stopwatch asks() {
    Instruments.Stopwatch stopwatch = times.stopwatch(1);
    stopwatch.start();
    return stopwatch;
  }

  public void asked(int events, int trips) {
    batch.record(events);
    metered.addAndGet(events);
    roundTrips.addAndGet(trips);
  }

  /** Counts an answer of Redis that took longer than the timeout because Redis was busy. */
  public void waitedInLine() {
    late.increment();
  }

  /**
   * Counts an event that Redis could not meter, because the value stored for its key is unusable.
   * Logs at most one such event in ten seconds.
   */
  public void unreadable(UnreadableKeyException why) {
    unreadable.increment();
    long now = System.nanoTime();
    long last = lastSaidNanos.get();
    if (now - last < BETWEEN_LINES_NANOS || !lastSaidNanos.compareAndSet(last, now)) return;
    LOG.warn("Redis works, but {}; other keys are metered", why.getMessage());
  }

  /** Counts a Bloom filter of a limit in Redis that has grown beyond its capacity. */
  public void filterGrew(String limit) {
    filters.grown(limit);
  }

  public void isAvailable(boolean now) {
    available.set(now ? 1 : 0);
    changes.incrementAndGet();
  }

  public boolean isAvailable() {
    return available.get() == 1;
  }

  public void waiting(int events) {
    waiting.set(events);
  }

  /** Returns the number of events that wait until Redis is available again. */
  public long waiting() {
    return waiting.get();
  }

  /**
   * Counts an event that came while Redis was unavailable, by the policy that was applied to it.
   */
  public void fellBack(RedisUnavailable policy) {
    fallbacks.get(policy).increment();
  }

  void readings(Consumer<MetricDefinition> to) {
    to.accept(
        MetricDefinition.gauge(
            AVAILABLE, "1 while Redis is available, 0 while it is not.", available::doubleValue));
    to.accept(
        MetricDefinition.gauge(
            "redis-events-waiting",
            "Events that wait until Redis is available again.",
            waiting::doubleValue));
    count(
        "redis-availability-changes",
        "How often Redis became unavailable or available again.",
        changes::get,
        to);
    count("redis-round-trips", "Round trips to meter events in Redis.", roundTrips::get, to);
    count("redis-events-metered", "Events metered in Redis.", metered::get, to);
    count(
        "redis-late-answers",
        "Answers that took longer than sluice.redis.timeout because Redis was busy.",
        late::sum,
        to);
    count(
        "redis-unreadable-keys",
        "Events that Redis could not meter because the value of their key is unusable.",
        unreadable::sum,
        to);
    fallbacks.forEach(
        (policy, events) ->
            to.accept(
                MetricDefinition.counter(
                    "redis-fallbacks",
                    "Events that came while Redis was unavailable, by the applied policy.",
                    Map.of("policy", Keys.nameOf(policy)),
                    events::sum)));
  }

  private static void count(
      String name, String says, LongSupplier value, Consumer<MetricDefinition> to) {
    to.accept(MetricDefinition.counter(name, says, Map.of(), value::getAsLong));
  }
}
