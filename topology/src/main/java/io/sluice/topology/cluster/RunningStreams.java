package io.sluice.topology.cluster;

import static org.apache.kafka.streams.CloseOptions.GroupMembershipOperation.LEAVE_GROUP;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Health;
import io.sluice.topology.metrics.StartException;
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
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka Streams from its start to its end, and those who look after it meanwhile: after its
 * threads, its group, its rights and its brokers.
 */
public final class RunningStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningStreams.class);
  private static final Duration MOST_CLOSING = Duration.ofSeconds(8);

  private final KafkaStreams streams;
  private final Optional<HostInfo> own;
  private final Health health;
  private final Access access;
  private final Ending ending;
  private final ThreadKeeper threads;
  private final BrokerWatch brokers;
  private final GroupWatch group;
  private final AssignmentLog assignments = new AssignmentLog();
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** State on disk that is damaged. All of it can be read once more from the changelogs. */
  public static final class DamagedStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedStateException(RuntimeException cause) {
      super(KafkaAccess.innermost(cause), cause);
    }
  }

  /**
   * Not started yet.
   *
   * @param properties for Kafka Streams
   * @param reading makes of a consumer the one that reads events
   * @param cluster is closed by this from its start on
   */
  public RunningStreams(
      SluiceConfig config,
      Topology topology,
      Properties properties,
      UnaryOperator<Consumer<byte[], byte[]>> reading,
      Cluster cluster,
      Health health) {
    StreamsClients clients = StreamsClients.of(properties, reading);
    own = Optional.ofNullable(HostInfo.buildFromEndpoint(config.http().advertised()));
    streams = new KafkaStreams(topology, new StreamsConfig(properties), clients);
    this.health = health;
    group =
        new GroupWatch(
            GroupCheck.of(config), cluster.admin(), this::ownClientIds, new Membership());
    streams.setStateListener((state, before) -> changed(state));
    String bootstrap = config.streams().getProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG);
    brokers = new BrokerWatch(streams::metrics, bootstrap, health, InstantSource.system());
    access = Access.to(config, topology);
    ending = new Ending(streams, access, health, this::ended);
    threads =
        new ThreadKeeper(
            StreamThreads.of(streams), ThreadKeeper.STEADY, Trouble.CALM, health, ending::by);
    streams.setUncaughtExceptionHandler(threads);
  }

  /**
   * The clients of an application of somebody else's, with producers as Sluice's own has them.
   *
   * @param own makes the others
   * @param reading makes of a consumer the one that reads events
   * @param fence a partition that nobody reads, of which every transaction commits an offset
   */
  public static KafkaClientSupplier clients(
      KafkaClientSupplier own,
      UnaryOperator<Consumer<byte[], byte[]>> reading,
      TopicPartition fence) {
    return new StreamsClients(own, reading, true, fence);
  }

  /** Deletes what this machine has of the state; it will be read from the changelogs. */
  public void deleteState() {
    streams.cleanUp();
  }

  /** Where the other instances answer, of those that advertise it. */
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
   * Starts.
   *
   * @throws StartException if a right is missing
   * @throws DamagedStateException if it can only start without the state that is there
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

  /** Kafka Streams itself, for whoever shows or pauses it. */
  public KafkaStreams kafka() {
    return streams;
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
    health.changed(state);
    if (state == State.RUNNING) {
      assignments.assigned(activePartitions());
      group.running();
    }
    if (state == State.NOT_RUNNING || state == State.ERROR) ended();
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

  /** Waits until it is in its group and meters events; returns false if it ended instead. */
  public boolean awaitRunning() throws InterruptedException {
    running.await();
    return ending.why().isEmpty() && streams.state().isRunningOrRebalancing();
  }

  /** Waits until it has ended: closed, or failed for good. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Why it ended or ends, in one line, if it is by a failure. */
  public Optional<String> failure() {
    return ending.why();
  }

  /** Commits what is done and leaves the group; returns when it has ended, within seconds. */
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
