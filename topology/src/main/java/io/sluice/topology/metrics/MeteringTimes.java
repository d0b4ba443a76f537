package io.sluice.topology.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.topology.metrics.Instruments.Stopwatch;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Timer of the metering on one backend: of one event in the state store, or of one batch in Redis.
 * Safe for many threads.
 */
final class MeteringTimes {
  private static final Duration[] BUCKETS =
      LongStream.of(2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000)
          .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Timer timer;

  MeteringTimes(MeterRegistry registry, Backend backend) {
    this.registry = registry;
    timer =
        Timer.builder(MetricDefinition.meterName("metering"))
            .description(
                "The time to meter one event in the state store, or one batch of events in Redis.")
            .tag("backend", Keys.nameOf(backend))
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
  }

  /**
   * Returns a stopwatch for one thread.
   *
   * @param every number of runs of which one is timed
   */
  Stopwatch stopwatch(int every) {
    return new Sometimes(every);
  }

  /**
   * Stopwatch that times only some runs of a thread, since reading the clock twice takes as long as
   * counting an event.
   */
  private final class Sometimes implements Stopwatch {
    private final int every;
    private int untimed;
    private boolean running;
    private long startNanos;

    private Sometimes(int every) {
      this.every = every;
    }

    @Override
    public void start() {
      running = ++untimed >= every;
      if (!running) return;
      untimed = 0;
      startNanos = registry.config().clock().monotonicTime();
    }

    @Override
    public void stop() {
      if (!running) return;
      running = false;
      timer.record(Duration.ofNanos(registry.config().clock().monotonicTime() - startNanos));
    }
  }
}
