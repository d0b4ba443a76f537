package io.sluice.topology.delay;

import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.metrics.DelayGauges;
import io.sluice.topology.store.HeapStores;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Settings and state stores for delayed events, shared by the meter node and the shaper node.
 *
 * @param wallMs clock that measures how long a release takes, milliseconds
 * @param prefix first part of the names of stores
 * @param waiting builder of the store of delayed events
 * @param turns builder of the store of the last waiting event of each key
 */
public record DelayPath(
    MeteringServices services,
    LongSupplier wallMs,
    String prefix,
    StoreBuilder<KeyValueStore<Bytes, byte[]>> waiting,
    StoreBuilder<KeyValueStore<Bytes, byte[]>> turns) {

  /**
   * Returns the settings and stores for the delayed events of one stream.
   *
   * @param prefix first part of the names of stores; empty if the application throttles one stream
   */
  public static DelayPath of(MeteringServices services, LongSupplier wallMs, String prefix) {
    boolean inMemory = services.config().keepsStateInMemory();
    String waiting = prefix + Nodes.WAITING;
    String turns = prefix + Nodes.TURNS;
    return new DelayPath(
        services,
        wallMs,
        prefix,
        store(
            inMemory ? HeapStores.sorted(waiting) : Stores.persistentKeyValueStore(waiting),
            inMemory),
        store(
            inMemory ? HeapStores.hashed(turns) : Stores.persistentKeyValueStore(turns), inMemory));
  }

  /** Returns whether the output topic of an event depends on its input topic. */
  boolean keepsOrigin() {
    Topics topics = services.config().topics();
    return !topics.allowed().isOne() || !topics.deadLetter().isOne();
  }

  String delayedTopic() {
    return services.config().topics().delayed();
  }

  /** Returns the interval between two releases of due events, milliseconds. */
  long tickMs() {
    return services.config().delayTickMs();
  }

  DelayGauges gauges() {
    return services.instruments().delayed();
  }

  /**
   * Returns the supplier of the shaper node, which holds delayed events and releases each event
   * when it is due.
   */
  public ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> shaper(
      DeadLetters deadLetters) {
    return new ShaperProcessor.Node(this, deadLetters, new ThreadBudget.Threads());
  }

  /** Opens the stored order of the delayed events of each key in a task. */
  public KeyOrder orderIn(ProcessorContext<?, ?> task) {
    // If the configured limits need no home partitions, the order of a key's events is not kept.
    boolean hops = services.hops();
    return new KeyOrder(
        () -> hops ? services.limits().known().ever().ordered() : List.of(),
        task.getStateStore(Nodes.TURNS),
        task.getStateStore(Nodes.WAITING));
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(
      KeyValueBytesStoreSupplier kept, boolean inMemory) {
    return Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray())
        .withCachingDisabled()
        .withLoggingEnabled(changelog(inMemory));
  }

  /**
   * Returns the settings of the changelog topic of a store with delayed events. A row is written
   * once and deleted once, so the topic is compacted early and in small segments, and a restore
   * reads little more than the rows of waiting events.
   *
   * <p>Tombstones can be short-lived. If a replica has missed the tombstones of released events, it
   * skips their rows, whose keys are below the resume position that {@link DelayQueue} stores. If
   * the tombstone of a key's last waiting event was missed, the key seems to have a waiting event:
   * the next event of the key goes through the queue, and the row is deleted when that event
   * leaves. For a store on disk, tombstones live for a day, in case the wall clock goes back.
   */
  private static Map<String, String> changelog(boolean inMemory) {
    long tombstonesMs = inMemory ? 300_000 : 86_400_000;
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_COMPACT,
        TopicConfig.SEGMENT_BYTES_CONFIG,
        Integer.toString(16 << 20),
        TopicConfig.SEGMENT_MS_CONFIG,
        "600000",
        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
        "0.1",
        TopicConfig.DELETE_RETENTION_MS_CONFIG,
        Long.toString(tombstonesMs));
  }
}
