package io.sluice.topology;

import static org.apache.kafka.streams.CloseOptions.GroupMembershipOperation.LEAVE_GROUP;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.GroupProtocol;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance. More instances with the same {@code application.id} share the partitions
 * among them.
 */
public final class Sluice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sluice.class);
  private static final Duration MOST_CLOSING = Duration.ofSeconds(8);

  /** Streams prefers it if both are given. */
  private static final String DEPRECATED_HANDLER = "default.production.exception.handler";

  /** When Redis is asked about events. */
  enum Intake {
    /** For all that a poll returns, at once. */
    PREFETCHED,
    /** For each as it is processed: to measure by, and for nothing else. */
    ONE_BY_ONE
  }

  private final Monitoring monitoring;
  private final EventDecoder decoder;
  private final RedisMeters redis;
  private final RedisBreaker breaker;
  private final KafkaStreams streams;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private Sluice(
      SluiceConfig config, Intake intake, TopicSetup.Prepared topics, Monitoring monitoring) {
    this.monitoring = monitoring;
    int inputPartitions = topics.partitions();
    Instruments instruments = monitoring.instruments();
    Properties properties = config.streams();
    LargeRecords.provideFor(topics, properties);
    StreamsConfig provided = new StreamsConfig(properties);
    RecordSizes sizes = LargeRecords.sizes(config, topics, provided);
    learnWith(sizes, properties);
    redis = new RedisMeters(config);
    breaker = new RedisBreaker(redis, instruments.redis());
    decoder = config.eventDecoder();
    Metered metered = Metered.of(config, decoder, breaker, instruments);
    EventOpener opener =
        new EventOpener(
            decoder,
            InstantSource.system(),
            config.timeMaxAhead(),
            metered.prefetched(),
            EventRoom.ofInput(config, sizes));
    KafkaClientSupplier clients = provided.getKafkaClientSupplier();
    if (config.usesRedis() && intake == Intake.PREFETCHED) {
      HomePartition home = HomePartition.of(config, inputPartitions);
      Prefetcher prefetcher = new Prefetcher(config.topics(), metered, opener, home);
      if (makesItsOwnConsumer(properties)) prefetchWith(prefetcher, properties);
      else clients = new AheadClients(clients, prefetcher);
    }
    Topology topology = ThrottleTopology.build(config, inputPartitions, opener, metered, sizes);
    streams = new KafkaStreams(topology, new StreamsConfig(properties), clients);
    breaker.governs(new Pausing(streams));
    monitoring.show(streams);
    streams.setStateListener((state, before) -> changed(state));
    streams.setUncaughtExceptionHandler(Sluice::failed);
  }

  /** With its own group protocol Streams takes no consumer of somebody else's. */
  private static boolean makesItsOwnConsumer(Properties properties) {
    String protocol = properties.getProperty(StreamsConfig.GROUP_PROTOCOL_CONFIG, "");
    return GroupProtocol.STREAMS.name.equalsIgnoreCase(protocol);
  }

  private static void prefetchWith(Prefetcher prefetcher, Properties properties) {
    String interceptors =
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    String ours = PrefetchInterceptor.class.getName();
    properties.merge(interceptors, ours, (given, added) -> given + "," + added);
    properties.put(StreamsConfig.mainConsumerPrefix(PrefetchInterceptor.PREFETCHER), prefetcher);
  }

  /** Unless somebody has a handler of their own. */
  private static void learnWith(RecordSizes sizes, Properties properties) {
    properties.put(TooLargeRecords.SIZES, sizes);
    if (properties.containsKey(DEPRECATED_HANDLER)) return;
    properties.putIfAbsent(
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, TooLargeRecords.class.getName());
  }

  /** Pauses what is processed; Streams goes on polling. */
  private record Pausing(KafkaStreams streams) implements Consumption {
    @Override
    public void pause() {
      streams.pause();
    }

    @Override
    public void resume() {
      streams.resume();
    }
  }

  /**
   * Prepares the topics and starts.
   *
   * @throws StartException if it cannot, saying why in one line
   */
  public static Sluice start(SluiceConfig config) {
    return start(config, Intake.PREFETCHED, List.of());
  }

  /**
   * The same, and Sluice's own metrics are in a registry of the caller's as well, who closes it.
   *
   * @throws StartException if it cannot, saying why in one line
   */
  public static Sluice start(SluiceConfig config, MeterRegistry registry) {
    return start(config, Intake.PREFETCHED, List.of(registry));
  }

  static Sluice start(SluiceConfig config, Intake intake) {
    return start(config, intake, List.of());
  }

  private static Sluice start(SluiceConfig config, Intake intake, List<MeterRegistry> registries) {
    Monitoring monitoring = Monitoring.open(config, registries);
    try {
      return start(config, intake, monitoring);
    } catch (RuntimeException e) {
      monitoring.close();
      throw e;
    }
  }

  private static Sluice start(SluiceConfig config, Intake intake, Monitoring monitoring) {
    new ConfigWarnings(config).onBothBackends().forEach(LOG::info);
    TopicSetup.Prepared topics = prepareTopics(config);
    LargeRecords.warnings(config, topics).forEach(LOG::warn);
    Sluice sluice = new Sluice(config, intake, topics, monitoring);
    try {
      sluice.streams.start();
    } catch (RuntimeException e) {
      sluice.close();
      throw new StartException("Kafka Streams cannot start: " + e.getMessage(), e);
    }
    return sluice;
  }

  private static TopicSetup.Prepared prepareTopics(SluiceConfig config) {
    try (TopicSetup setup = new TopicSetup(config.topics(), config.streams())) {
      return setup.prepare(LargeRecords.internal(config));
    } catch (KafkaException e) {
      throw new StartException("cannot reach Kafka: " + e.getMessage(), e);
    }
  }

  private void changed(State state) {
    monitoring.health().changed(state);
    if (state == State.RUNNING) running.countDown();
    if (state == State.NOT_RUNNING || state == State.ERROR) {
      ended.countDown();
      running.countDown();
    }
  }

  private static StreamThreadExceptionResponse failed(Throwable failure) {
    boolean passing = isPassing(failure);
    LOG.error("a stream thread failed and is {}", passing ? "replaced" : "not replaced", failure);
    return passing
        ? StreamThreadExceptionResponse.REPLACE_THREAD
        : StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /**
   * Kafka's failures, and Redis or the schema registry gone for too long, may pass; anything else
   * would only come again.
   */
  static boolean isPassing(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof StillUnavailableException) return true;
      if (each instanceof SchemasUnavailableException) return true;
      if (each instanceof KafkaException && !(each instanceof StreamsException)) return true;
    }
    return false;
  }

  /**
   * Waits until partitions are assigned and events are metered; returns false if it ended instead.
   */
  public boolean awaitRunning() throws InterruptedException {
    running.await();
    return streams.state().isRunningOrRebalancing();
  }

  /** Waits until it has ended: closed, or failed for good. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Whether it ended by a failure. */
  public boolean hasFailed() {
    return streams.state() == State.ERROR || streams.state() == State.PENDING_ERROR;
  }

  /** Where metrics and health are served, if they are. */
  public Optional<URI> httpAddress() {
    return monitoring.address();
  }

  /** Kafka Streams' metrics, those of its clients, {@link DelayMetrics} and {@link Reading}s. */
  Map<MetricName, ? extends Metric> metrics() {
    return streams.metrics();
  }

  /** Commits what is done and leaves the group; returns when it has ended, within seconds. */
  @Override
  public void close() {
    decoder.stopWaiting();
    CloseOptions leaving =
        CloseOptions.groupMembershipOperation(LEAVE_GROUP).withTimeout(MOST_CLOSING);
    if (!streams.close(leaving)) {
      LOG.warn(
          "not all had ended after {} s: what is not committed is done again, and the group may notice late",
          MOST_CLOSING.toSeconds());
    }
    breaker.close();
    redis.close();
    monitoring.close();
  }
}
