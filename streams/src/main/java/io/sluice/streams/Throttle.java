package io.sluice.streams;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.rules.StartException;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.runtime.cluster.Cluster;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.topology.ThrottleNodes;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.redis.RedisBreaker;
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
 * Limits for streams of your own Kafka Streams application, with the same configuration as a
 * standalone Sluice application. An application needs one {@code Throttle}, which can throttle
 * several streams.
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
 * <p>Each record passes an internal topic to the partition of the key fields that all limits on the
 * state store share. So counts are exact, however the stream is partitioned. A limit in Redis costs
 * one blocking call for each record on the stream thread, because there is no prefetch as in the
 * standalone application. The limits are those of the configuration; live changes are ignored.
 *
 * <p>The methods that build a topology must be called by one thread; the others are thread-safe.
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
    limits = CurrentLimits.of(config.limitsConfig());
    lag = InputLag.ofHops(config);
    opener =
        new EventOpener(
            config.eventDecoder(Wrapped::action), InstantSource.system(), config.timeMaxAhead());
  }

  /**
   * Creates a throttle with the limits of a configuration. Settings of topics (except the number of
   * partitions), event formats, HTTP and live changes of limits have no effect; a warning in the
   * log names them.
   *
   * @throws IllegalArgumentException if limits or the order of queues use the input topic; the
   *     message names each
   */
  public static Throttle of(SluiceConfig config) {
    return of(config, List.of());
  }

  /**
   * Creates a throttle that also registers Sluice's metrics in the caller's registry, which the
   * caller closes. The metrics of Kafka Streams contain Sluice's metrics in any case.
   *
   * @throws IllegalArgumentException if limits or the order of queues use the input topic; the
   *     message names each
   */
  public static Throttle of(SluiceConfig config, MeterRegistry registry) {
    return of(config, List.of(registry));
  }

  private static Throttle of(SluiceConfig config, List<MeterRegistry> registries) {
    Standalone.refuseLimits(config.limits().all());
    Standalone.refuseOrder(config.queueOrder());
    Standalone.ignored(config.given()).ifPresent(LOG::warn);
    return new Throttle(config, registries);
  }

  /**
   * Sets the serdes of the throttled records. The serdes write records to the internal topics and
   * to the topic and store of delayed records, and read them at the exit; null keys and values stay
   * null. An exception of a serde fails the stream thread, as in any node of Kafka Streams.
   */
  public <K, V> Typed<K, V> with(Serde<K> keys, Serde<V> values) {
    return new Typed<>(this, keys, values);
  }

  /** Builder step for a throttled stream whose serdes are known, but not its action. */
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
     * Sets the function that returns the action of a record. Stream threads call it once for each
     * input record, several at the same time. If it returns null or throws a {@link
     * RuntimeException}, the record goes to {@link Throttled#odd}.
     */
    public Step<K, V> by(BiFunction<? super K, ? super V, Action> action) {
      return new Step<>(
          throttle, keys, values, Objects.requireNonNull(action, "the action of a record"), NAME);
    }
  }

  /** Builder step for a throttled stream whose serdes and action are known. */
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
     * Sets the name of the throttled stream, a part of the names of its nodes, stores and topics;
     * the default is {@code throttle}. Limits on the state store count each stream separately,
     * limits in Redis count all streams together. State belongs to the name: under a new name
     * counts start from zero, and records that are delayed under the old name stay there.
     *
     * @throws IllegalArgumentException if the name is not 1 to 60 letters, digits, dots,
     *     underscores and dashes
     */
    public Step<K, V> named(String given) {
      if (!given.matches("[A-Za-z0-9._-]{1,60}")) {
        throw new IllegalArgumentException(
            "a throttled stream's name must be 1 to 60 letters, digits, ., _ and -: " + given);
      }
      return new Step<>(throttle, keys, values, action, given);
    }

    /**
     * Throttles a stream. Delayed records are stored in the topic {@code APPLICATION-NAME-delayed},
     * which must exist with {@code sluice.topics.partitions} partitions when the application
     * starts: {@link Throttle#streams} and {@link Throttle#prepareTopics} create it.
     *
     * @param builder builder of the topology that contains the stream
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
        "two throttled streams are named "
            + name
            + ": give each its own name, as in by(...).named(\"orders\")");
  }

  private static String prefix(String name) {
    return name + "-";
  }

  private ThrottleNodes nodes(String name) {
    HomePartitioner home = HomePartitioner.of(config, partitions());
    MeteringServices services =
        new MeteringServices(config, limits, home, opener, breaker, monitoring.instruments());
    return ThrottleNodes.of(services, RecordSizes.any(), lag, prefix(name));
  }

  private int partitions() {
    return config.topics().partitions();
  }

  private String delayedTopic(String name) {
    return config.applicationId() + "-" + name + "-delayed";
  }

  /**
   * Creates a Kafka Streams client for a topology with throttled streams, with {@link
   * #prepareTopics}, {@link #streamsProperties} and {@link #governs}. The caller starts and closes
   * the client.
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
   * Creates missing topics of delayed records, and checks that Redis is fit for the limits that
   * count in Redis.
   *
   * @throws StartException if a topic has another number of partitions, or is missing and may not
   *     be created ({@code sluice.topics.create}), if no broker answers, or if Redis cannot be used
   *     at all
   */
  public void prepareTopics() {
    RedisBreaker.warnings(config).forEach(LOG::warn);
    Cluster.provide(config, names.stream().map(this::delayedTopic).toList());
  }

  /**
   * Returns the properties for Kafka Streams: every setting of the configuration whose key does not
   * begin with {@code sluice.}, and these defaults that Sluice needs: {@code exactly_once_v2},
   * internal topics that accept events of any time and of up to 16 MiB, a stream thread that checks
   * the clock several times per tick ({@code poll.ms}), and producers whose transactions fail once
   * the instance has lost its partitions ({@code default.client.supplier}). A Kafka Streams client
   * that the application creates without these properties lacks these features.
   *
   * @return a copy, which the caller may extend
   * @throws IllegalStateException if no stream is throttled yet
   */
  public Properties streamsProperties() {
    if (names.isEmpty()) throw new IllegalStateException("no stream is throttled yet: apply first");
    Properties streams = config.streams();
    // The maximum idle time of tasks stays at the default of Kafka Streams, which joins of the
    // application need; a standalone Sluice sets another value.
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
   * Pauses Kafka Streams while records wait for a limit whose Redis does not answer ({@code
   * redis.unavailable=wait}), and resumes it when Redis is back. Records processed before the pause
   * takes effect are stored in the topic of delayed records, and are metered afterwards.
   */
  public void governs(KafkaStreams streams) {
    breaker.governs(streams::pause, streams::resume);
  }

  /** Closes the connections to Redis, and the metrics. Call it after Kafka Streams is closed. */
  @Override
  public void close() {
    breaker.close();
    monitoring.close();
  }
}
