package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.live.kafka.LimitsTopic;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DirectOutput;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.StreamsConfig;

/** Kafka cluster of an instance, with the checks and preparations before the start. */
public final class Cluster implements AutoCloseable {
  /**
   * Former name of the setting for the production exception handler. Kafka Streams prefers the
   * former name if both are given.
   */
  private static final String DEPRECATED_HANDLER = "default.production.exception.handler";

  private static final String HANDLER = StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG;

  private final SluiceConfig config;
  private final Admin admin;
  private TopicSetup.Prepared topics;
  private boolean hasLimits;
  private ThreadProducers producers;
  private boolean sendsDirectly;

  private Cluster(SluiceConfig config, Admin admin) {
    this.config = config;
    this.admin = admin;
  }

  /**
   * Connects to the cluster and checks that the consumer group is not used by another application.
   *
   * @throws StartException if the instance cannot run in the cluster; the message says why in one
   *     line
   */
  public static Cluster open(SluiceConfig config) {
    if (!config.keepsStateInMemory()) StateFolder.check(config.streams());
    KafkaAccess access = new KafkaAccess(config.streams());
    Cluster cluster = new Cluster(config, access.open());
    try {
      GroupReader reader = new GroupReader(cluster.admin, config.applicationId());
      GroupCheck.of(config).beforeJoining(reader, access);
      return cluster;
    } catch (StartException e) {
      cluster.close();
      throw AccessCheck.explained(e, config);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Creates the missing topics of the application.
   *
   * @return warnings, a line each: topics that take smaller records than the input, and problems of
   *     the topic of revisions
   * @throws StartException if existing topics cannot be used
   */
  public List<String> prepareTopics() {
    try {
      KafkaAccess access = new KafkaAccess(config.streams());
      TopicSetup setup = new TopicSetup(config.topics(), access, admin);
      topics = setup.prepare(Nodes.internalTopics(config.applicationId()));
      LimitsTopicSetup.Prepared limits = new LimitsTopicSetup(config.topics(), setup).prepare();
      hasLimits = limits.there();
      List<String> warnings = new ArrayList<>(LargeRecords.warnings(config, topics));
      warnings.addAll(limits.warnings());
      return warnings;
    } catch (StartException e) {
      throw AccessCheck.explained(e, config);
    }
  }

  /**
   * Creates missing topics for another application, which contains Sluice's nodes.
   *
   * @throws StartException if a topic has another number of partitions than is configured, is
   *     missing and must not be created, or if no broker answers
   */
  public static void provide(SluiceConfig config, Collection<String> names) {
    KafkaAccess access = new KafkaAccess(config.streams());
    try (Admin admin = access.open()) {
      new TopicSetup(config.topics(), access, admin).provide(names);
    }
  }

  /**
   * Permits another application to write records of up to 16 MiB, also to topics that Kafka Streams
   * creates for it. Explicit settings are kept.
   */
  public static void provideForLargeRecords(Properties streams) {
    LargeRecords.provide(streams);
  }

  /** Number of partitions of each input topic, after topics are prepared. */
  public int inputPartitions() {
    return topics.partitions();
  }

  /**
   * Topic of revisions, after topics are prepared; empty if limits cannot change while the instance
   * runs.
   */
  public Optional<LimitsTopic> limitsTopic() {
    return hasLimits ? Optional.of(new LimitsTopic(config.limitsTopic())) : Optional.empty();
  }

  /**
   * Raises the settings for record sizes that the user has not given, and installs a handler that
   * learns when a topic refuses a record for its size.
   */
  public RecordSizes provideSizes(Properties streams) {
    LargeRecords.provideFor(config, topics, streams);
    StreamsConfig read = new StreamsConfig(streams);
    RecordSizes sizes = LargeRecords.sizes(config, topics, read, new TopicSizes(admin));
    RefusedRecords refusals = new RefusedRecords(sizes);
    producers = new ThreadProducers(refusals);
    FailedSends.share(refusals, streams);
    if (!streams.containsKey(DEPRECATED_HANDLER)) {
      boolean isOurs = streams.putIfAbsent(HANDLER, FailedSends.class.getName()) == null;
      sendsDirectly = isOurs && StreamsClients.areOurs(streams);
    }
    return sizes;
  }

  ThreadProducers producers() {
    return producers;
  }

  /**
   * Returns the output that sends records without sinks; it sends none if the user has configured a
   * handler of failed sends or a client supplier.
   */
  public DirectOutput output() {
    return sendsDirectly ? producers : DirectOutput.NONE;
  }

  Admin admin() {
    return admin;
  }

  /** Wraps a failure of Kafka Streams to start, in one line. */
  public static StartException cannotStart(RuntimeException e) {
    return new StartException("Kafka Streams cannot start: " + KafkaAccess.innermost(e), e);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
