package io.sluice.topology.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.LimitDecision;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictListener;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.watch.Watch;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters and timers of one instance. Each {@link MetricDefinition} appears among Kafka Streams'
 * metrics, and so in JMX, and in the Micrometer registries. Only the Micrometer registries also
 * have the distributions of durations and batch sizes.
 */
public final class Instruments {
  private static final int TIMED_EVERY = 16;

  private static final Duration[] LATENCIES =
      LongStream.of(5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000, 600_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final VerdictCounts verdicts;
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final Watch watch = new Watch();
  private final DelayGauges delayed = new DelayGauges();
  private final QueueGauges queues;
  private final FilterCounts filters;
  private final MissingKeys missingKeys;
  private final UnmeteredCounts unmetered = new UnmeteredCounts();
  private final RedisMetrics redis;
  private final MeteringTimes stored;
  private final Timer latency;
  // Strong references to the metrics, since Micrometer only has weak references to their values.
  private final List<MetricDefinition> readings = new CopyOnWriteArrayList<>();
  private final MeterRegistry all;
  private volatile Optional<Sensor> sensor = Optional.empty();

  /** Timer of repeated work in one thread, from start to stop. */
  public interface Stopwatch {
    void start();

    void stop();
  }

  /**
   * Creates instruments whose metrics appear only among Kafka Streams' metrics, with one class of
   * waiting events.
   */
  public Instruments(Limits limits) {
    this(limits, QueueOrder.ARRIVAL, limits.useRedis(), List.of());
  }

  /**
   * Creates instruments for the configured limits and classes, whose metrics appear only among
   * Kafka Streams' metrics.
   */
  public Instruments(SluiceConfig config) {
    this(config.limits(), config.queueOrder(), config.usesRedis(), List.of());
  }

  /**
   * @param order gives the classes of waiting events
   * @param usesRedis whether any limit may count in Redis; otherwise there are no metrics of Redis
   * @param registries Micrometer registries that get all metrics
   */
  public Instruments(
      Limits limits, QueueOrder order, boolean usesRedis, List<MeterRegistry> registries) {
    all = new CompositeMeterRegistry(Clock.SYSTEM, registries);
    MeterRegistry unread = new CompositeMeterRegistry();
    verdicts = new VerdictCounts(limits.all(), this::show);
    deadLetters.readings(this::show);
    delayed.readings(this::show);
    queues = new QueueGauges(limits.all(), order, this::show);
    unmetered.readings(this::show);
    filters = new FilterCounts(limits.all(), this::show);
    missingKeys = new MissingKeys(limits.optionalKeys(), this::show);
    redis = new RedisMetrics(usesRedis ? all : unread, filters);
    if (usesRedis) redis.readings(this::show);
    stored = new MeteringTimes(limits.keepState() ? all : unread, Backend.STATE_STORE);
    latency =
        Timer.builder(MetricDefinition.meterName("event.latency"))
            .description(
                "The time from the timestamp of an input record to its processing, of the first"
                    + " record of each batch of up to 250.")
            .serviceLevelObjectives(LATENCIES)
            .register(all);
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

  /**
   * Records how old an input record is when it is processed. Called once for each batch of records,
   * because it takes as long as counting several events.
   *
   * @param latencyMs age by the record's timestamp, milliseconds; negative if the timestamp is in
   *     the future
   */
  public void recordLatency(long latencyMs) {
    latency.record(Math.max(0, latencyMs), TimeUnit.MILLISECONDS);
  }

  public void countDeadLetter(FaultKind why) {
    deadLetters.count(why);
  }

  /** Returns the number of records sent to the dead-letter topic since the start. */
  public long deadLetters() {
    return deadLetters.total();
  }

  /** Counts a record that is not an event and is passed on without metering. */
  public void countPassedOn(Verdict.Reason why) {
    unmetered.passedOn.get(why).increment();
  }

  /** Counts a record that is not an event and is dropped. */
  public void countDropped(Verdict.Reason why) {
    unmetered.dropped.get(why).increment();
  }

  /** Returns the counts of events that lack a field by which a limit counts. */
  public MissingKeys missingKeys() {
    return missingKeys;
  }

  /** Counts a Bloom filter of a limit in the state store that has grown beyond its capacity. */
  public void filterGrew(String limit) {
    filters.grown(limit);
  }

  /** Returns the event counts of the last minutes, with the keys that had most events. */
  public Watch watch() {
    return watch;
  }

  /** Returns the metrics of events that wait in line. */
  public QueueGauges queues() {
    return queues;
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

  /** Counts records that are sent to the dead-letter topic, by reason. Safe for many threads. */
  static final class DeadLetterCounts {
    private final Map<FaultKind, LongAdder> counts = new EnumMap<>(FaultKind.class);

    DeadLetterCounts() {
      for (FaultKind kind : FaultKind.values()) {
        counts.put(kind, new LongAdder());
      }
    }

    void count(FaultKind kind) {
      counts.get(kind).increment();
    }

    long total() {
      return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    void readings(Consumer<MetricDefinition> to) {
      counts.forEach(
          (reason, count) ->
              to.accept(
                  MetricDefinition.counter(
                      "dead-letters",
                      "Records that are not events, by reason.",
                      Map.of("reason", Keys.nameOf(reason)),
                      count::sum)));
    }
  }

  /**
   * Counts records that are not events and are no dead letters either, by reason. Safe for many
   * threads.
   */
  static final class UnmeteredCounts {
    private final Map<Verdict.Reason, LongAdder> passedOn = counts();
    private final Map<Verdict.Reason, LongAdder> dropped = counts();

    private static Map<Verdict.Reason, LongAdder> counts() {
      Map<Verdict.Reason, LongAdder> counts = new EnumMap<>(Verdict.Reason.class);
      counts.put(Verdict.Reason.TOMBSTONE, new LongAdder());
      counts.put(Verdict.Reason.MISSING_FIELD, new LongAdder());
      return counts;
    }

    void readings(Consumer<MetricDefinition> to) {
      passedOn.forEach((reason, count) -> to.accept(reading("allowed", reason, count)));
      dropped.forEach((reason, count) -> to.accept(reading("dropped", reason, count)));
    }

    private static MetricDefinition reading(
        String outcome, Verdict.Reason reason, LongAdder count) {
      return MetricDefinition.counter(
          "unmetered-records",
          "Records that are not events and were passed on or dropped, by reason.",
          Map.of("outcome", outcome, "reason", reason.text()),
          count::sum);
    }
  }

  /** Counts events by verdict and by the limit that decided. Safe for many threads. */
  static final class VerdictCounts implements VerdictListener {
    private final Row undecided =
        new Row(
            "events",
            "",
            "Verdicts, by the limit that decided; the limit is empty if none decided.");
    private final Map<String, Row> enforced = new ConcurrentHashMap<>();
    private final Map<String, Row> watching = new ConcurrentHashMap<>();
    private final Consumer<MetricDefinition> readings;

    /** Event counts of one limit by verdict, with the name of their metric. */
    private record Row(
        String name, String limit, String says, Map<Verdict.Kind, LongAdder> counts) {
      Row(String name, String limit, String says) {
        this(name, limit, says, new EnumMap<>(Verdict.Kind.class));
        for (Verdict.Kind kind : Verdict.Kind.values()) counts.put(kind, new LongAdder());
      }

      void count(Verdict.Kind kind) {
        counts.get(kind).increment();
      }
    }

    /**
     * @param limits limits that have metrics from the start
     * @param readings receives the metrics of each limit; of a further limit when it first decides
     */
    VerdictCounts(List<Limit> limits, Consumer<MetricDefinition> readings) {
      this.readings = readings;
      shown(undecided);
      for (Limit limit : limits) {
        if (limit.rule().shadow()) watching(limit.name());
        else enforced(limit.name());
      }
    }

    private Row enforced(String limit) {
      Row row = enforced.get(limit);
      if (row != null) return row;
      return enforced.computeIfAbsent(
          limit, name -> shown(new Row(undecided.name(), name, undecided.says())));
    }

    private Row watching(String limit) {
      Row row = watching.get(limit);
      if (row != null) return row;
      String says = "Verdicts of limits with mode=shadow, which are not enforced.";
      return watching.computeIfAbsent(limit, name -> shown(new Row("shadow-events", name, says)));
    }

    private Row shown(Row row) {
      row.counts.forEach(
          (kind, count) -> {
            Map<String, String> tags = Map.of("limit", row.limit, "verdict", kind.text);
            readings.accept(MetricDefinition.counter(row.name, row.says, tags, count::sum));
          });
      return row;
    }

    @Override
    public void undecided(Verdict.Kind kind) {
      undecided.count(kind);
    }

    @Override
    public void decided(LimitDecision decision, Verdict.Kind kind) {
      enforced(decision.limit().name()).count(kind);
    }

    @Override
    public void watched(LimitDecision decision) {
      watching(decision.limit().name()).count(decision.kind());
    }

    /**
     * Returns the number of verdicts of one kind, decided by enforced limits or without a limit,
     * but not by limits in shadow mode.
     */
    long total(Verdict.Kind kind) {
      long total = undecided.counts.get(kind).sum();
      for (Row row : enforced.values()) total += row.counts.get(kind).sum();
      return total;
    }
  }

  /**
   * Counts the Bloom filters that got more keys than their configured capacity, by limit. Safe for
   * many threads.
   */
  static final class FilterCounts {
    private static final Logger LOG = LoggerFactory.getLogger(FilterCounts.class);

    private final Map<String, AtomicLong> grown = new ConcurrentHashMap<>();
    private final Consumer<MetricDefinition> readings;

    /**
     * @param limits limits at the start; each of them that uses Bloom filters has a metric from the
     *     start
     * @param readings receives the metric of each limit; for a further limit when its first filter
     *     is counted
     */
    FilterCounts(List<Limit> limits, Consumer<MetricDefinition> readings) {
      this.readings = readings;
      for (Limit each : limits) if (each.rule().algorithm().admitsOnce()) of(each.name());
    }

    /**
     * Counts a Bloom filter that has grown beyond its capacity. A limit has a filter for each
     * quarter of its period: one for each partition, or in Redis one for all partitions. Only the
     * first, second, fourth, eighth and so on of a limit is logged, since a quarter may last
     * milliseconds.
     */
    void grown(String limit) {
      if (Long.bitCount(of(limit).incrementAndGet()) > 1) return;
      LOG.warn(
          "Limit {}: more keys than bloom.capacity came in a quarter of a period, so filters were"
              + " added. They keep bloom.error and need more memory; raise bloom.capacity.",
          limit);
    }

    private AtomicLong of(String limit) {
      return grown.computeIfAbsent(limit, this::shown);
    }

    private AtomicLong shown(String limit) {
      AtomicLong count = new AtomicLong();
      readings.accept(
          MetricDefinition.counter(
              "filters-beyond-capacity",
              "Quarters of a period with more keys than bloom.capacity allows for.",
              Map.of("limit", limit),
              count::get));
      return count;
    }
  }
}
