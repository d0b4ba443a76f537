package io.sluice.runtime.cluster;

import static org.apache.kafka.streams.CloseOptions.GroupMembershipOperation.LEAVE_GROUP;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import io.sluice.runtime.monitoring.Health;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.RecordSizes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka Streams from its start to its end, with the watches of its threads, group, rights and
 * brokers.
 */
public final class RunningStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningStreams.class);
  private static final Duration MOST_CLOSING = Duration.ofSeconds(8);

  private final KafkaStreams streams;
  private final Optional<HostInfo> own;
  private final Health health;
  private final AccessCheck access;
  private final FatalShutdown ending;
  private final ThreadKeeper threads;
  private final BrokerWatch brokers;
  private final GroupWatch group;
  private final AssignmentLog assignments = new AssignmentLog();
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Thrown if state on disk is damaged. The state can be restored from the changelogs. */
  public static final class DamagedStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedStateException(RuntimeException cause) {
      super(KafkaAccess.innermost(cause), cause);
    }
  }

  /**
   * Creates an instance that is not started.
   *
   * @param properties of Kafka Streams
   * @param reading wraps the consumer that reads events
   * @param cluster cluster whose admin client is closed by {@link #close}
   */
  public RunningStreams(
      SluiceConfig config,
      Topology topology,
      Properties properties,
      UnaryOperator<Consumer<byte[], byte[]>> reading,
      Cluster cluster,
      Health health) {
    StreamsClients clients = StreamsClients.of(properties, reading, cluster.producers());
    own = Optional.ofNullable(HostInfo.buildFromEndpoint(config.http().advertised()));
    streams = new KafkaStreams(topology, new StreamsConfig(properties), clients);
    this.health = health;
    group =
        new GroupWatch(
            GroupCheck.of(config), cluster.admin(), this::ownClientIds, new Membership());
    streams.setStateListener((state, before) -> changed(state));
    String bootstrap = config.streams().getProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG);
    brokers = new BrokerWatch(streams::metrics, bootstrap, health, InstantSource.system());
    access = AccessCheck.to(config, topology);
    ending = new FatalShutdown(streams, access, health, this::ended);
    threads =
        new ThreadKeeper(
            StreamThreads.of(streams), ThreadKeeper.STEADY, FailurePeriod.CALM, health, ending::by);
    streams.setUncaughtExceptionHandler(threads);
  }

  /**
   * Returns a client supplier for another application, with the same producers as Sluice's own.
   *
   * @param own creates all other clients
   * @param reading wraps the consumer that reads events
   * @param fence a partition that no member reads; a transaction without other offsets commits an
   *     offset of this partition
   */
  public static KafkaClientSupplier clients(
      KafkaClientSupplier own,
      UnaryOperator<Consumer<byte[], byte[]>> reading,
      TopicPartition fence) {
    ThreadProducers producers = new ThreadProducers(new RefusedRecords(RecordSizes.any()));
    return new StreamsClients(own, reading, Optional.of(producers), fence);
  }

  /** Deletes the local state of the instance, which is then restored from the changelogs. */
  public void deleteState() {
    streams.cleanUp();
  }

  /** Returns the advertised addresses of the other instances of the application. */
  public List<String> others() {
    return streams.metadataForAllStreamsClients().stream()
        .map(StreamsMetadata::hostInfo)
        .filter(at -> at.port() > 0 && !own.equals(Optional.of(at)))
        .map(
            at ->
                (at.host().indexOf(':') < 0 ? at.host() : "[" + at.host() + "]") + ":" + at.port())
        .distinct()
        .toList();
  }

  /**
   * Starts Kafka Streams, and the watches of its threads, group, rights and brokers.
   *
   * @throws StartException if a right is missing
   * @throws DamagedStateException if Kafka Streams can only start after {@link #deleteState}
   */
  public void start() {
    access.require();
    group.start();
    startStreams();
    threads.start();
    brokers.start();
    access.watch(ending::by);
  }

  private void startStreams() {
    try {
      streams.start();
    } catch (ProcessorStateException e) {
      throw StateFolder.isDamaged(e) ? new DamagedStateException(e) : e;
    }
  }

  /** Returns the Kafka Streams instance, for pausing it and for showing its state. */
  public KafkaStreams kafka() {
    return streams;
  }

  private Set<String> ownClientIds() {
    return streams.metadataForLocalThreads().stream()
        .map(ThreadMetadata::consumerClientId)
        .collect(Collectors.toSet());
  }

  /** Receives the result of joining the consumer group. */
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
    health.changed(state);
    if (state == State.RUNNING) {
      logAssignment();
      group.running();
    }
    if (state == State.NOT_RUNNING || state == State.ERROR) ended();
  }

  private void logAssignment() {
    try {
      assignments.assigned(activePartitions(), others());
    } catch (IllegalStateException | InvalidStateStoreException e) {
      // Another thread has begun to end this instance since the change.
    }
  }

  private Set<TopicPartition> activePartitions() {
    return streams.metadataForLocalThreads().stream()
        .flatMap(thread -> thread.activeTasks().stream())
        .flatMap(task -> task.topicPartitions().stream())
        .collect(Collectors.toSet());
  }

  private void ended() {
    ended.countDown();
    running.countDown();
  }

  /**
   * Waits until the instance is a member of its group and meters events; returns false if it ended
   * first.
   */
  public boolean awaitRunning() throws InterruptedException {
    running.await();
    return ending.why().isEmpty() && streams.state().isRunningOrRebalancing();
  }

  /** Waits until the instance has ended: it was closed, or it failed permanently. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Failure that ended the instance or is ending it, in one line; empty if none did. */
  public Optional<String> failure() {
    return ending.why();
  }

  /** Commits the processed records and leaves the group; returns within seconds. */
  @Override
  public void close() {
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
  }
}
