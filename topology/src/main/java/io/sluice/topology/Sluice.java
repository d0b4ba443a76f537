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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
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

  /** The time at which Redis is asked about events. */
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
  private final Access access;
  private final Ending ending;
  private final ThreadKeeper threads;
  private final BrokerWatch brokers;
  private final GroupWatch group;
  private final RunSummary summary;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private Sluice(
      SluiceConfig config,
      Intake intake,
      TopicSetup.Prepared topics,
      Monitoring monitoring,
      Admin admin) {
    this.monitoring = monitoring;
    summary = new RunSummary(monitoring.instruments(), InstantSource.system());
    int inputPartitions = topics.partitions();
    Instruments instruments = monitoring.instruments();
    Properties properties = config.streams();
    LargeRecords.provideFor(topics, properties);
    StreamsConfig provided = new StreamsConfig(properties);
    RecordSizes sizes = LargeRecords.sizes(config, topics, provided);
    learnWith(sizes, properties);
    redis = new RedisMeters(config, instruments.redis());
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
      if (StreamsSettings.makesItsOwnConsumer(properties)) prefetchWith(prefetcher, properties);
      else clients = new AheadClients(clients, prefetcher);
    }
    Topology topology = ThrottleTopology.build(config, inputPartitions, opener, metered, sizes);
    streams = new KafkaStreams(topology, new StreamsConfig(properties), clients);
    breaker.governs(new Pausing(streams));
    monitoring.show(streams);
    group = new GroupWatch(GroupCheck.of(config), admin, this::ownClientIds, new Membership());
    streams.setStateListener((state, before) -> changed(state));
    brokers =
        new BrokerWatch(
            streams::metrics, properties.getProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG));
    access = Access.to(config, topology);
    ending = new Ending(streams, access, monitoring.health(), this::ended);
    threads =
        new ThreadKeeper(
            StreamThreads.of(streams),
            ThreadKeeper.STEADY,
            Trouble.CALM,
            monitoring.health(),
            ending::by);
    streams.setUncaughtExceptionHandler(threads);
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
    RedisCheck.warnings(config).forEach(LOG::warn);
    if (config.stateStore() == StateStoreKind.ROCKSDB) StateFolder.check(config.streams());
    KafkaAccess access = new KafkaAccess(config.streams());
    Admin admin = access.open();
    try {
      Sluice sluice = new Sluice(config, intake, prepare(config, access, admin), monitoring, admin);
      sluice.start();
      return sluice;
    } catch (KafkaException e) {
      admin.close(Duration.ZERO);
      throw new StartException("Kafka Streams cannot start: " + KafkaAccess.innermost(e), e);
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  private static TopicSetup.Prepared prepare(SluiceConfig config, KafkaAccess access, Admin admin) {
    try {
      GroupCheck.of(config).beforeJoining(new GroupReader(admin, config.applicationId()), access);
      LOG.info("Sluice {}", Version.text());
      config.explain().lines().filter(line -> !line.isBlank()).forEach(LOG::info);
      TopicSetup.Prepared topics =
          new TopicSetup(config.topics(), access, admin).prepare(LargeRecords.internal(config));
      LargeRecords.warnings(config, topics).forEach(LOG::warn);
      return topics;
    } catch (StartException e) {
      throw Access.explained(e, config);
    }
  }

  private void start() {
    try {
      access.require();
      group.start();
      streams.start();
      threads.start();
      brokers.start();
      access.watch(ending::by);
    } catch (StartException e) {
      close();
      throw e;
    } catch (RuntimeException e) {
      close();
      throw new StartException("Kafka Streams cannot start: " + KafkaAccess.innermost(e), e);
    }
  }

  private Set<String> ownClientIds() {
    return streams.metadataForLocalThreads().stream()
        .map(ThreadMetadata::consumerClientId)
        .collect(Collectors.toSet());
  }

  /** The membership of this instance in its group. */
  private final class Membership implements GroupWatch.Joining {
    @Override
    public void joined() {
      running.countDown();
    }

    @Override
    public void refused(String why) {
      ending.by(why);
    }
  }

  private void changed(State state) {
    monitoring.health().changed(state);
    if (state == State.RUNNING) group.running();
    if (state == State.NOT_RUNNING || state == State.ERROR) ended();
  }

  private void ended() {
    ended.countDown();
    running.countDown();
  }

  /**
   * Waits until partitions are assigned and events are metered; returns false if it ended instead.
   */
  public boolean awaitRunning() throws InterruptedException {
    running.await();
    return ending.why().isEmpty() && streams.state().isRunningOrRebalancing();
  }

  /** Waits until it has ended: closed, or failed for good. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Whether it ended by a failure. */
  public boolean hasFailed() {
    return failure().isPresent();
  }

  /** Why it ended or ends, in one line, if it is by a failure. */
  public Optional<String> failure() {
    return ending.why();
  }

  /** Where metrics and health are served, if they are. */
  public Optional<URI> httpAddress() {
    return monitoring.address();
  }

  /** Which build this is. */
  public static String version() {
    return Version.text();
  }

  /** Kafka Streams' metrics, those of its clients, {@link DelayMetrics} and {@link Reading}s. */
  Map<MetricName, ? extends Metric> metrics() {
    return streams.metrics();
  }

  /** Commits what is done and leaves the group; returns when it has ended, within seconds. */
  @Override
  public void close() {
    decoder.stopWaiting();
    threads.close();
    brokers.close();
    access.close();
    group.close();
    CloseOptions leaving =
        CloseOptions.groupMembershipOperation(LEAVE_GROUP).withTimeout(MOST_CLOSING);
    if (!streams.close(leaving)) {
      LOG.warn(
          "Shutdown timed out after {} s; uncommitted events will be reprocessed",
          MOST_CLOSING.toSeconds());
    }
    breaker.close();
    redis.close();
    monitoring.close();
    LOG.info("ended: {}", summary.line());
  }
}
