package io.sluice.topology.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.watch.Watch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * Counters and timers of one instance. Each {@link MetricDefinition} appears among Kafka Streams'
 * metrics, and so in JMX, and in the Micrometer registries. Only the Micrometer registries also
 * have the distributions of durations and batch sizes.
 */
public final class Instruments {
  private static final int TIMED_EVERY = 16;

  private final VerdictCounts verdicts;
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final Watch watch = new Watch();
  private final DelayGauges delayed = new DelayGauges();
  private final FilterCounts filters;
  private final RedisMetrics redis;
  private final MeteringTimes stored;
  // Strong references to the metrics, since Micrometer only has weak references to their values.
  private final List<MetricDefinition> readings = new CopyOnWriteArrayList<>();
  private final MeterRegistry all;
  private volatile Optional<Sensor> sensor = Optional.empty();

  /** Timer of repeated work in one thread, from start to stop. */
  public interface Stopwatch {
    void start();

    void stop();
  }

  /** Creates instruments whose metrics appear only among Kafka Streams' metrics. */
  public Instruments(Limits limits) {
    this(limits, limits.useRedis(), List.of());
  }

  /**
   * @param usesRedis whether any limit may count in Redis; otherwise there are no metrics of Redis
   * @param registries Micrometer registries that get all metrics
   */
  public Instruments(Limits limits, boolean usesRedis, List<MeterRegistry> registries) {
    all = new CompositeMeterRegistry(Clock.SYSTEM, registries);
    MeterRegistry unread = new CompositeMeterRegistry();
    verdicts = new VerdictCounts(limits.all(), this::show);
    deadLetters.readings(this::show);
    delayed.readings(this::show);
    filters = new FilterCounts(limits.all(), this::show);
    redis = new RedisMetrics(usesRedis ? all : unread, filters);
    if (usesRedis) redis.readings(this::show);
    stored = new MeteringTimes(limits.keepState() ? all : unread, Backend.STATE_STORE);
  }

  public MeterRegistry registry() {
    return all;
  }

  /**
   * Adds a metric to all Micrometer registries, and to Kafka Streams' metrics as soon as a task has
   * given access to them.
   */
  public synchronized void show(MetricDefinition reading) {
    readings.add(reading);
    reading.bindTo(all);
    sensor.ifPresent(reading::addTo);
  }

  /** Counts the verdict on an event. It is called for every event, and allocates no memory. */
  public void count(Verdict verdict) {
    verdict.tell(verdicts);
  }

  /** Returns the number of verdicts of a kind since the start, without limits in shadow mode. */
  public long total(Verdict.Kind kind) {
    return verdicts.total(kind);
  }

  public void countDeadLetter(FaultKind why) {
    deadLetters.count(why);
  }

  /** Returns the number of records sent to the dead-letter topic since the start. */
  public long deadLetters() {
    return deadLetters.total();
  }

  /** Counts a Bloom filter of a limit in the state store that has grown beyond its capacity. */
  public void filterGrew(String limit) {
    filters.grown(limit);
  }

  /** Returns the event counts of the last minutes, with the keys that had most events. */
  public Watch watch() {
    return watch;
  }

  public DelayGauges delayed() {
    return delayed;
  }

  public RedisMetrics redis() {
    return redis;
  }

  /** Returns a stopwatch for one task's metering in the state store; it times one of 16 events. */
  public Stopwatch stopwatch() {
    return stored.stopwatch(TIMED_EVERY);
  }

  /**
   * Adds all metrics to Kafka Streams' metrics. Every task calls this method; the metrics are added
   * once and shared by all tasks.
   */
  public synchronized void addTo(StreamsMetrics streams) {
    Sensor shared = streams.addSensor("sluice", Sensor.RecordingLevel.INFO);
    for (MetricDefinition reading : readings) reading.addTo(shared);
    sensor = Optional.of(shared);
  }
}
