package io.sluice.topology;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * The counts and times of one instance. Kafka Streams' metrics, and with them JMX, have every
 * {@link Reading}; a Micrometer registry has the distributions too.
 */
final class Instruments {
  private static final int TIMED_EVERY = 16;

  private final VerdictCounts verdicts;
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final DelayGauges delayed = new DelayGauges();
  private final RedisMetrics redis;
  private final MeteringTimes stored;
  // Micrometer refers to them weakly.
  private final List<Reading> readings = new ArrayList<>();

  /** Without anybody who looks but Kafka Streams. */
  Instruments(Limits limits) {
    this(limits, List.of());
  }

  /**
   * @param registries where everything is shown as well
   */
  Instruments(Limits limits, List<MeterRegistry> registries) {
    CompositeMeterRegistry all = new CompositeMeterRegistry(Clock.SYSTEM, registries);
    MeterRegistry nobody = new CompositeMeterRegistry();
    verdicts = new VerdictCounts(limits.all());
    verdicts.readings(readings::add);
    deadLetters.readings(readings::add);
    delayed.readings(readings::add);
    redis = new RedisMetrics(limits.useRedis() ? all : nobody);
    if (limits.useRedis()) redis.readings(readings::add);
    stored = new MeteringTimes(limits.keepState() ? all : nobody, Backend.STATE_STORE);
    for (Reading reading : readings) reading.bindTo(all);
  }

  /** Counts a verdict: on the way of every event, without an allocation. */
  void count(Verdict verdict) {
    verdict.tell(verdicts);
  }

  /** How many verdicts of a kind there were. */
  long total(Verdict.Kind kind) {
    return verdicts.total(kind);
  }

  void countDeadLetter(FaultKind why) {
    deadLetters.count(why);
  }

  /** How many dead letters there were. */
  long deadLetters() {
    return deadLetters.total();
  }

  DelayGauges delayed() {
    return delayed;
  }

  RedisMetrics redis() {
    return redis;
  }

  /** Times the metering of one task in the state store. */
  MeteringTimes.Stopwatch stopwatch() {
    return stored.stopwatch(TIMED_EVERY);
  }

  /** Shows the readings among those of Streams. Whichever task comes first: they share them. */
  void addTo(StreamsMetrics streams) {
    Sensor sensor = streams.addSensor("sluice", Sensor.RecordingLevel.INFO);
    for (Reading reading : readings) reading.addTo(sensor);
  }
}
