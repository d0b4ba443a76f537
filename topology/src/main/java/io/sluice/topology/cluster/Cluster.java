package io.sluice.topology.cluster;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metrics.StartException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.StreamsConfig;

/** The Kafka cluster of an instance, found fit for it before it starts. */
public final class Cluster implements AutoCloseable {
  /** Streams prefers it if both are given. */
  private static final String DEPRECATED_HANDLER = "default.production.exception.handler";

  private final SluiceConfig config;
  private final Admin admin;
  private TopicSetup.Prepared topics;
  private boolean hasLimits;

  private Cluster(SluiceConfig config, Admin admin) {
    this.config = config;
    this.admin = admin;
  }

  /**
   * Connects, and looks whether the group of the application is its own.
   *
   * @throws StartException if it cannot run there, saying why in one line
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
      throw Access.explained(e, config);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Creates the topics that are missing.
   *
   * @return topics that take less than the input does, and what is wrong with that of revisions, a
   *     line each
   * @throws StartException if they cannot be used as they are
   */
  public List<String> prepareTopics() {
    try {
      KafkaAccess access = new KafkaAccess(config.streams());
      TopicSetup setup = new TopicSetup(config.topics(), access, admin);
      topics = setup.prepare(Nodes.internalTopics(config.applicationId()));
      LimitsTopicSetup.Prepared limits =
          new LimitsTopicSetup(config.topics(), setup, admin).prepare();
      hasLimits = limits.there();
      List<String> warnings = new ArrayList<>(LargeRecords.warnings(config, topics));
      warnings.addAll(limits.warnings());
      return warnings;
    } catch (StartException e) {
      throw Access.explained(e, config);
    }
  }

  /**
   * Creates topics that are missing, for an application of somebody else's.
   *
   * @throws StartException if one is there with another number of partitions than is configured, is
   *     missing and may not be created, or no broker answers
   */
  public static void provide(SluiceConfig config, Collection<String> names) {
    KafkaAccess access = new KafkaAccess(config.streams());
    try (Admin admin = access.open()) {
      new TopicSetup(config.topics(), access, admin).provide(names);
    }
  }

  /**
   * Lets an application of somebody else's write records of up to 16 MiB, also to topics that
   * Streams makes for it, where nothing else is given.
   */
  public static void provideForLargeRecords(Properties streams) {
    LargeRecords.provide(streams);
  }

  /** How many partitions each input topic has, once topics are prepared. */
  public int inputPartitions() {
    return topics.partitions();
  }

  /** The topic of revisions, once topics are prepared; empty if limits are not live. */
  public Optional<LimitsTopic> limitsTopic() {
    return hasLimits ? Optional.of(new LimitsTopic(config)) : Optional.empty();
  }

  /** Raises the sizes that are not given, and learns what is refused all the same. */
  public RecordSizes provideSizes(Properties streams) {
    LargeRecords.provideFor(config, topics, streams);
    StreamsConfig read = new StreamsConfig(streams);
    RecordSizes sizes = LargeRecords.sizes(config, topics, read, new TopicSizes(admin));
    streams.put(FailedSends.SIZES, sizes);
    if (!streams.containsKey(DEPRECATED_HANDLER)) {
      streams.putIfAbsent(
          StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, FailedSends.class.getName());
    }
    return sizes;
  }

  Admin admin() {
    return admin;
  }

  /** What Kafka says, in one line. */
  public static StartException cannotStart(RuntimeException e) {
    return new StartException("Kafka Streams cannot start: " + KafkaAccess.innermost(e), e);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
