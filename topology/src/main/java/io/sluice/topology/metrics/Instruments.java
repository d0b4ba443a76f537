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
 * Counters and timers of one instance. Kafka Streams' metrics, and with them JMX, have every {@link
 * MetricDefinition}; a Micrometer registry has the distributions too.
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
  // Micrometer's references to these are weak.
  private final List<MetricDefinition> readings = new CopyOnWriteArrayList<>();
  private final MeterRegistry all;
  private volatile Optional<Sensor> sensor = Optional.empty();

  /** Timer of the work of one thread. */
  public interface Stopwatch {
    void start();

    void stop();
  }

  /** Creates instruments that only Kafka Streams' metrics show. */
  public Instruments(Limits limits) {
    this(limits, limits.useRedis(), List.of());
  }

  /**
   * @param usesRedis whether a limit may count in Redis
   * @param registries further registries for all metrics
   */
  public Instruments(Limits limits, boolean usesRedis, List<MeterRegistry> registries) {
    all = new CompositeMeterRegistry(Clock.SYSTEM, registries);
    MeterRegistry nobody = new CompositeMeterRegistry();
    verdicts = new VerdictCounts(limits.all(), this::show);
    deadLetters.readings(this::show);
    delayed.readings(this::show);
    filters = new FilterCounts(limits.all(), this::show);
    redis = new RedisMetrics(usesRedis ? all : nobody, filters);
    if (usesRedis) redis.readings(this::show);
    stored = new MeteringTimes(limits.keepState() ? all : nobody, Backend.STATE_STORE);
  }

  public MeterRegistry registry() {
    return all;
  }

  /** Adds a metric to all registries, and to Streams' metrics now or as soon as those are known. */
  public synchronized void show(MetricDefinition reading) {
    readings.add(reading);
    reading.bindTo(all);
    sensor.ifPresent(reading::addTo);
  }

  /** Counts a verdict. Called for every event; allocates nothing. */
  public void count(Verdict verdict) {
    verdict.tell(verdicts);
  }

  /** Returns the number of verdicts of a kind. */
  public long total(Verdict.Kind kind) {
    return verdicts.total(kind);
  }

  public void countDeadLetter(FaultKind why) {
    deadLetters.count(why);
  }

  /** Returns the number of dead letters. */
  public long deadLetters() {
    return deadLetters.total();
  }

  /** Counts a filter in the state store that has grown beyond its capacity. */
  public void filterGrew(String limit) {
    filters.grown(limit);
  }

  /** Returns the counts of the last minutes, with the keys that had most events. */
  public Watch watch() {
    return watch;
  }

  public DelayGauges delayed() {
    return delayed;
  }

  public RedisMetrics redis() {
    return redis;
  }

  /** Returns a timer for one task's metering in the state store. */
  public Stopwatch stopwatch() {
    return stored.stopwatch(TIMED_EVERY);
  }

  /** Adds the metrics to those of Streams. Every task calls this, and all tasks share them. */
  public synchronized void addTo(StreamsMetrics streams) {
    Sensor shared = streams.addSensor("sluice", Sensor.RecordingLevel.INFO);
    for (MetricDefinition reading : readings) reading.addTo(shared);
    sensor = Optional.of(shared);
  }
}
