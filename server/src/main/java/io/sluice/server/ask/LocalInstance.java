package io.sluice.server.ask;

import io.sluice.runtime.monitoring.Health;
import io.sluice.topology.config.HttpConfig;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This instance's view of its own stores and tasks, and of its group, from Kafka Streams. */
final class LocalInstance {
  private static final Logger LOG = LoggerFactory.getLogger(LocalInstance.class);
  private static final long LAG_MS = 1_000;

  private final KafkaStreams streams;
  private final Health health;
  private final String name;
  private final String version;

  /**
   * Creates the view.
   *
   * @param version of this build
   */
  LocalInstance(KafkaStreams streams, Health health, HttpConfig http, String version) {
    this.streams = streams;
    this.health = health;
    this.version = version;
    name = http.advertised();
  }

  /**
   * Kind of this instance's copy of a store, and the number of changelog records that it is behind.
   */
  record Copy(KeyStatus.Role role, OptionalLong behind) {}

  /** Address under which other instances reach this instance; empty if it advertises none. */
  String name() {
    return name;
  }

  String version() {
    return version;
  }

  Health health() {
    return health;
  }

  KafkaStreams streams() {
    return streams;
  }

  /**
   * Returns this instance's copy of a store for a partition, whether it is active, a standby or
   * being restored.
   *
   * @throws InvalidStateStoreException if the store is not on this instance, now or when it is read
   */
  ReadOnlyKeyValueStore<Bytes, byte[]> store(String store, int partition) {
    return streams.store(
        StoreQueryParameters.fromNameAndType(
                store, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
            .withPartition(partition)
            .enableStaleStores());
  }

  boolean isActive(int partition) {
    return isAmong(ThreadMetadata::activeTasks, partition);
  }

  private boolean isAmong(Function<ThreadMetadata, Set<TaskMetadata>> tasks, int partition) {
    return streams.metadataForLocalThreads().stream()
        .map(tasks)
        .flatMap(Set::stream)
        .anyMatch(task -> task.taskId().partition() == partition);
  }

  /** Tells which kind of copy of a store this instance has for a partition. */
  Copy copy(String store, int partition) {
    if (isActive(partition) && streams.state() == State.RUNNING) {
      return new Copy(KeyStatus.Role.ACTIVE, OptionalLong.empty());
    }
    // A stream thread names a task as active only when the task has been restored.
    boolean standby = isAmong(ThreadMetadata::standbyTasks, partition);
    return new Copy(
        standby ? KeyStatus.Role.STANDBY : KeyStatus.Role.RESTORING, behind(store, partition));
  }

  /**
   * Asks the brokers how many changelog records a store is behind; empty if they do not answer
   * within a second.
   */
  private OptionalLong behind(String store, int partition) {
    try {
      LagInfo lag =
          CompletableFuture.supplyAsync(streams::allLocalStorePartitionLags)
              .get(LAG_MS, TimeUnit.MILLISECONDS)
              .getOrDefault(store, Map.of())
              .get(partition);
      return lag == null ? OptionalLong.empty() : OptionalLong.of(lag.offsetLag());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    } catch (Exception e) {
      LOG.debug("no lag of {}", store, e);
      return OptionalLong.empty();
    }
  }

  /** Instances that have a partition of a store, as far as this instance knows. */
  @SuppressWarnings(
      "removal") // the only abstract method of a partitioner, so a lambda must implement it
  KeyQueryMetadata owners(String store, int partition) {
    try {
      return streams.queryMetadataForKey(
          store, "", (topic, key, value, partitions) -> Optional.of(Set.of(partition)));
    } catch (IllegalStateException e) {
      return KeyQueryMetadata.NOT_AVAILABLE;
    }
  }
}
