package io.sluice.topology.ask;

import io.sluice.topology.config.HttpConfig;
import io.sluice.topology.metrics.Health;
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

/** This instance, as Kafka Streams knows it and its group. */
final class Here {
  private static final Logger LOG = LoggerFactory.getLogger(Here.class);
  private static final long LAG_MS = 1_000;

  private final KafkaStreams streams;
  private final Health health;
  private final String name;
  private final String version;

  /**
   * @param version of this build
   */
  Here(KafkaStreams streams, Health health, HttpConfig http, String version) {
    this.streams = streams;
    this.health = health;
    this.version = version;
    name = http.advertised();
  }

  /** A copy of a store. */
  record Copy(Found.Role role, OptionalLong behind) {}

  /** The address by which others know this instance; empty if they do not. */
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
   * The store of a partition, whether it is in use, a standby or being restored.
   *
   * @throws InvalidStateStoreException if it is not here, now or when it is read
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

  /** What the copy of a store is that is here. */
  Copy copy(String store, int partition) {
    if (isActive(partition) && streams.state() == State.RUNNING) {
      return new Copy(Found.Role.ACTIVE, OptionalLong.empty());
    }
    // Threads name a task as active only when it has been restored.
    boolean standby = isAmong(ThreadMetadata::standbyTasks, partition);
    return new Copy(standby ? Found.Role.STANDBY : Found.Role.RESTORING, behind(store, partition));
  }

  /** Brokers are asked, and need not answer. */
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

  /** Who has a partition of a store, as far as is known. */
  @SuppressWarnings("removal") // the only abstract method that a partitioner has, and so a lambda
  KeyQueryMetadata owners(String store, int partition) {
    try {
      return streams.queryMetadataForKey(
          store, "", (topic, key, value, partitions) -> Optional.of(Set.of(partition)));
    } catch (IllegalStateException e) {
      return KeyQueryMetadata.NOT_AVAILABLE;
    }
  }
}
