package io.sluice.streams;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.topology.ThrottleNodes;
import io.sluice.topology.cluster.Cluster;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.metrics.Monitoring;
import io.sluice.topology.metrics.StartException;
import io.sluice.topology.redis.RedisBreaker;
import io.sluice.topology.revision.CurrentLimits;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits for streams of a Kafka Streams application of one's own, by the configuration of Sluice.
 * One for an application; it can throttle several streams.
 *
 * <pre>{@code
 * Throttle throttle = Throttle.of(config);
 * Throttled<String, Order> orders =
 *     throttle
 *         .with(Serdes.String(), orderSerde)
 *         .by((id, order) -> Action.of(order.customer(), "order"))
 *         .apply(builder, builder.stream("orders"));
 * orders.allowed().to("orders-checked");
 * orders.rejected().to("orders-refused");
 * KafkaStreams streams = throttle.streams(builder.build());
 * }</pre>
 *
 * <p>Each record takes a hop through an internal topic to the partition of whom limits count, by
 * the field that the limits on the state store share. So their counts are exact however the stream
 * is partitioned. A limit in Redis costs a call to Redis for each record, made by the stream
 * thread: nothing is asked ahead, as the application with topics of its own does. Limits are those
 * of the configuration; revisions are not followed.
 *
 * <p>While a topology is built, for one thread; its other methods for any.
 */
public final class Throttle implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Throttle.class);
  private static final String NAME = "throttle";

  private final SluiceConfig config;
  private final Monitoring monitoring;
  private final RedisBreaker breaker;
  private final CurrentLimits limits;
  private final EventOpener opener;
  private final InputLag lag;
  private final Set<String> names = new TreeSet<>();

  private Throttle(SluiceConfig config, List<MeterRegistry> registries) {
    this.config = config;
    monitoring = Monitoring.open(config, registries);
    breaker = RedisBreaker.of(config, monitoring.instruments().redis());
    limits = CurrentLimits.of(config);
    lag = InputLag.ofHops(config);
    opener =
        new EventOpener(
            config.eventDecoder(Wrapped::action), InstantSource.system(), config.timeMaxAhead());
  }

  /**
   * Limits of a configuration. What it says of topics other than their number of partitions, of the
   * formats of events, of HTTP and of revisions means nothing here: it is ignored, and a warning
   * says so.
   *
   * @throws IllegalArgumentException if a limit matches or counts by the input topic, naming each
   */
  public static Throttle of(SluiceConfig config) {
    return of(config, List.of());
  }

  /**
   * The same, and Sluice's metrics are in a registry of the caller's as well, who closes it. They
   * are among those of Kafka Streams in any case.
   *
   * @throws IllegalArgumentException if a limit matches or counts by the input topic, naming each
   */
  public static Throttle of(SluiceConfig config, MeterRegistry registry) {
    return of(config, List.of(registry));
  }

  private static Throttle of(SluiceConfig config, List<MeterRegistry> registries) {
    Standalone.refuseLimits(config.limits().all());
    Standalone.ignored(config.given()).ifPresent(LOG::warn);
    return new Throttle(config, registries);
  }

  /**
   * For records with these keys and values. The serdes write them to the internal topics, and to
   * the topic and state of what is delayed, and read them when they leave; null keys and values
   * stay null. What a serde throws is thrown, as in any node of Streams.
   */
  public <K, V> Typed<K, V> with(Serde<K> keys, Serde<V> values) {
    return new Typed<>(this, keys, values);
  }

  /** The type of the records of a stream. */
  public static final class Typed<K, V> {
    private final Throttle throttle;
    private final Serde<K> keys;
    private final Serde<V> values;

    private Typed(Throttle throttle, Serde<K> keys, Serde<V> values) {
      this.throttle = throttle;
      this.keys = Objects.requireNonNull(keys, "the serde of keys");
      this.values = Objects.requireNonNull(values, "the serde of values");
    }

    /**
     * With the function that says what action a record is, called once for each record that comes,
     * by a stream thread; several at once. If it gives null or throws a {@link RuntimeException},
     * the record is {@linkplain Throttled#odd odd}.
     */
    public Step<K, V> by(BiFunction<? super K, ? super V, Action> action) {
      return new Step<>(
          throttle, keys, values, Objects.requireNonNull(action, "the action of a record"), NAME);
    }
  }

  /** A stream that is to be throttled. */
  public static final class Step<K, V> {
    private final Throttle throttle;
    private final Serde<K> keys;
    private final Serde<V> values;
    private final BiFunction<? super K, ? super V, Action> action;
    private final String name;

    private Step(
        Throttle throttle,
        Serde<K> keys,
        Serde<V> values,
        BiFunction<? super K, ? super V, Action> action,
        String name) {
      this.throttle = throttle;
      this.keys = keys;
      this.values = values;
      this.action = action;
      this.name = name;
    }

    /**
     * With a name, which stands in the names of nodes, stores and topics; else it is {@code
     * throttle}. Limits on the state store count each stream for itself, those in Redis all streams
     * together. State belongs to the name: with another one, counts begin again, and what is
     * delayed under the old one stays where it is.
     *
     * @throws IllegalArgumentException if it is not 1 to 60 letters, digits, dots, underscores and
     *     dashes
     */
    public Step<K, V> named(String given) {
      if (!given.matches("[A-Za-z0-9._-]{1,60}")) {
        throw new IllegalArgumentException(
            "a throttled stream is named by 1 to 60 letters, digits, ., _ and -: " + given);
      }
      return new Step<>(throttle, keys, values, action, given);
    }

    /**
     * Throttles a stream. Delayed records are on the topic {@code APPLICATION-NAME-delayed}, which
     * must be there, with {@code sluice.topics.partitions} partitions, when the application starts:
     * {@link Throttle#streams} and {@link Throttle#prepareTopics} create it.
     *
     * @param builder of the topology that the stream is in
     * @throws IllegalArgumentException if another stream of this throttle has the same name
     */
    public Throttled<K, V> apply(StreamsBuilder builder, KStream<K, V> stream) {
      throttle.take(name);
      Wiring<K, V> wiring =
          new Wiring<>(throttle.nodes(name), new Serialized<>(keys, values, prefix(name)));
      return wiring.of(
          builder,
          stream,
          () -> new EntryProcessor<>(wiring.serialized(), action, throttle.opener, name),
          throttle.partitions(),
          throttle.delayedTopic(name));
    }
  }

  private void take(String name) {
    if (names.add(name)) return;
    throw new IllegalArgumentException(
        "another stream is named "
            + name
            + ": give each that is throttled a name of its own, as in by(...).named(\"orders\")");
  }

  private static String prefix(String name) {
    return name + "-";
  }

  private ThrottleNodes nodes(String name) {
    return ThrottleNodes.of(
        config, limits, partitions(), opener, breaker, monitoring.instruments(), lag, prefix(name));
  }

  private int partitions() {
    return config.topics().partitions();
  }

  private String delayedTopic(String name) {
    return config.applicationId() + "-" + name + "-delayed";
  }

  /**
   * Kafka Streams with a topology in which streams are throttled, ready to be started and then
   * closed by the caller: {@link #prepareTopics}, {@link #streamsProperties}, {@link #governs}.
   *
   * @throws StartException as {@link #prepareTopics} does
   */
  public KafkaStreams streams(Topology topology) {
    prepareTopics();
    KafkaStreams streams = new KafkaStreams(topology, streamsProperties());
    governs(streams);
    return streams;
  }

  /**
   * Creates the topics of delayed records that are missing, and looks whether Redis is fit for
   * limits that are there.
   *
   * @throws StartException if a topic has another number of partitions, or is missing and may not
   *     be created ({@code sluice.topics.create}), if no broker answers, or if Redis will never do
   */
  public void prepareTopics() {
    RedisBreaker.warnings(config).forEach(LOG::warn);
    Cluster.provide(config, names.stream().map(this::delayedTopic).toList());
  }

  /**
   * The properties for Kafka Streams: all of the configuration that is not Sluice's, and what
   * Sluice needs where nothing is given: {@code exactly_once_v2}, internal topics that take events
   * of any time and of up to 16 MiB, a stream thread that looks at the clock several times a tick
   * ({@code poll.ms}), and producers whose transactions are refused once their sender has lost its
   * partitions ({@code default.client.supplier}). Whoever makes Kafka Streams without them loses
   * these.
   *
   * @return a copy, which the caller may add to
   * @throws IllegalStateException if no stream is throttled yet
   */
  public Properties streamsProperties() {
    if (names.isEmpty()) throw new IllegalStateException("no stream is throttled yet: apply first");
    Properties streams = config.streams();
    // Joins of the application's own rely on it; by itself, Sluice would do without.
    String idle = StreamsConfig.MAX_TASK_IDLE_MS_CONFIG;
    if (!config.given().contains(idle)) streams.remove(idle);
    Cluster.provideForLargeRecords(streams);
    String fence =
        Nodes.changelog(config.applicationId(), prefix(names.iterator().next()) + Nodes.WAITING);
    streams.putIfAbsent(
        StreamsConfig.DEFAULT_CLIENT_SUPPLIER_CONFIG, ThrottleClients.class.getName());
    streams.setProperty(ThrottleClients.FENCE, fence);
    if (config.limits().retries()) streams.put(ThrottleClients.LAG, lag);
    return streams;
  }

  /**
   * Has Kafka Streams paused while records wait for a limit in Redis that does not answer ({@code
   * redis.unavailable=wait}), and resumed when it is back. Records that are processed until the
   * pause has come are set aside in the topic of delayed records, and are metered then.
   */
  public void governs(KafkaStreams streams) {
    breaker.governs(streams::pause, streams::resume);
  }

  /** Lets go of Redis, and of the metrics. To be closed after Kafka Streams. */
  @Override
  public void close() {
    breaker.close();
    monitoring.close();
  }
}
