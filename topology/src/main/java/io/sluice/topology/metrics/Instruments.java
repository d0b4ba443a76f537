package io.sluice.topology.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.topology.event.FaultKind;
import io.sluice.topology.limit.Backend;
import io.sluice.topology.limit.Limits;
import io.sluice.topology.limit.Verdict;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * The counts and times of one instance. Kafka Streams' metrics, and with them JMX, have every
 * {@link MetricDefinition}; a Micrometer registry has the distributions too.
 */
public final class Instruments {
  private static final int TIMED_EVERY = 16;

  private final VerdictCounts verdicts;
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final DelayGauges delayed = new DelayGauges();
  private final RedisMetrics redis;
  private final MeteringTimes stored;
  // Micrometer refers to them weakly.
  private final List<MetricDefinition> readings = new ArrayList<>();
  private final MeterRegistry all;

  /** Without anybody who looks but Kafka Streams. */
  public Instruments(Limits limits) {
    this(limits, List.of());
  }

  /**
   * @param registries where everything is shown as well
   */
  Instruments(Limits limits, List<MeterRegistry> registries) {
    all = new CompositeMeterRegistry(Clock.SYSTEM, registries);
    MeterRegistry nobody = new CompositeMeterRegistry();
    verdicts = new VerdictCounts(limits.all());
    verdicts.readings(readings::add);
    deadLetters.readings(readings::add);
    delayed.readings(readings::add);
    redis = new RedisMetrics(limits.useRedis() ? all : nobody);
    if (limits.useRedis()) redis.readings(readings::add);
    stored = new MeteringTimes(limits.keepState() ? all : nobody, Backend.STATE_STORE);
    for (MetricDefinition reading : readings) reading.bindTo(all);
  }

  /** Counts a verdict: on the way of every event, without an allocation. */
  public void count(Verdict verdict) {
    verdict.tell(verdicts);
  }

  /** How many verdicts of a kind there were. */
  public long total(Verdict.Kind kind) {
    return verdicts.total(kind);
  }

  public void countDeadLetter(FaultKind why) {
    deadLetters.count(why);
  }

  /** How many dead letters there were. */
  public long deadLetters() {
    return deadLetters.total();
  }

  public DelayGauges delayed() {
    return delayed;
  }

  public RedisMetrics redis() {
    return redis;
  }

  /** Those of limits that change, which are shown from now on; once. */
  public LimitsMetrics limits() {
    LimitsMetrics limits = new LimitsMetrics(all, InstantSource.system());
    List<MetricDefinition> more = new ArrayList<>();
    limits.readings(more::add);
    more.forEach(reading -> reading.bindTo(all));
    readings.addAll(more);
    return limits;
  }

  /** Times the metering of one task in the state store. */
  public MeteringTimes.Stopwatch stopwatch() {
    return stored.stopwatch(TIMED_EVERY);
  }

  /** Shows the readings among those of Streams. Whichever task comes first: they share them. */
  public void addTo(StreamsMetrics streams) {
    Sensor sensor = streams.addSensor("sluice", Sensor.RecordingLevel.INFO);
    for (MetricDefinition reading : readings) reading.addTo(sensor);
  }
}
