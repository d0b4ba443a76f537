package io.sluice.runtime.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.sluice.live.LimitsReport;
import io.sluice.rules.event.Keys;
import io.sluice.topology.metrics.MetricDefinition;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Metrics and health of the limits that change while an instance runs. Safe for many threads. */
final class LimitsMetrics implements LimitsReport {
  private static final long NEVER = Long.MIN_VALUE;

  private final Map<Outcome, LongAdder> revisions = new EnumMap<>(Outcome.class);
  private final InstantSource clock;
  private final Health health;
  private final MultiGauge info;
  private volatile long newestMs = NEVER;
  private volatile boolean current = true;
  private volatile int differing;

  LimitsMetrics(MeterRegistry registry, InstantSource clock, Health health) {
    this.clock = clock;
    this.health = health;
    for (Outcome outcome : Outcome.values()) revisions.put(outcome, new LongAdder());
    info =
        MultiGauge.builder(MetricDefinition.meterName("limits-info"))
            .description("Always 1; the label is a digest of the limits in force.")
            .register(registry);
  }

  @Override
  public void count(Outcome outcome) {
    revisions.get(outcome).increment();
  }

  @Override
  public void newestRevision(long timestampMs) {
    newestMs = timestampMs;
  }

  @Override
  public void isCurrent(boolean now) {
    current = now;
  }

  @Override
  public void differingInstances(int now) {
    differing = now;
  }

  @Override
  public void digest(String text) {
    info.register(List.of(MultiGauge.Row.of(Tags.of("digest", text), 1)), true);
  }

  @Override
  public void limitsAsOf(String note) {
    health.limitsAsOf(note);
  }

  @Override
  public void limitsDiffer(String note) {
    health.limitsDiffer(note);
  }

  void readings(Consumer<MetricDefinition> to) {
    revisions.forEach(
        (outcome, count) ->
            to.accept(
                MetricDefinition.counter(
                    "limit-revisions",
                    "Records of the topic of revisions, by outcome.",
                    Map.of("outcome", Keys.nameOf(outcome)),
                    count::sum)));
    to.accept(
        MetricDefinition.gauge(
            "limits-newest-revision-age-seconds",
            "How long ago the last revision was written; NaN if there is none.",
            this::newestAgeSeconds));
    to.accept(
        MetricDefinition.gauge(
            "limits-current",
            "1 while the topic of revisions is read, 0 while it cannot be.",
            () -> current ? 1 : 0));
    to.accept(
        MetricDefinition.gauge(
            "limits-differing-instances",
            "Other instances whose configurations have other limits.",
            () -> differing));
  }

  private double newestAgeSeconds() {
    long newest = newestMs;
    return newest == NEVER ? Double.NaN : Math.max(0, clock.millis() - newest) / 1_000.0;
  }
}
