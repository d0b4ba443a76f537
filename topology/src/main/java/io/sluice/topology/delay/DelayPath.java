package io.sluice.topology.delay;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.VerdictHeaders;
import io.sluice.topology.metrics.DelayGauges;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.store.HeapStores;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
 * The state that meter and shaper of a task share: the delayed events, and their order.
 *
 * @param ordered the limits whose events leave in the order in which they came
 * @param home where an event is metered
 * @param keepsOrigin whether where an event came from decides where it leaves to
 * @param delayedTopic by which events come to wait
 * @param wallMs how long a tick takes is measured by this
 * @param headers how verdicts are written
 * @param gauges show how many wait
 * @param prefix of the names of stores
 */
public record DelayPath(
    Supplier<List<Limit>> ordered,
    HomePartitioner home,
    boolean keepsOrigin,
    String delayedTopic,
    long tickMs,
    VerdictHeaders.Style headers,
    LongSupplier wallMs,
    DelayGauges gauges,
    String prefix,
    StoreBuilder<KeyValueStore<Bytes, byte[]>> waiting,
    StoreBuilder<KeyValueStore<Bytes, byte[]>> turns) {

  public static DelayPath of(
      SluiceConfig config,
      CurrentLimits limits,
      HomePartitioner home,
      LongSupplier wallMs,
      DelayGauges gauges) {
    return of(config, limits, home, wallMs, gauges, "");
  }

  /** The same of one of several in an application, whose stores have names that begin so. */
  public static DelayPath of(
      SluiceConfig config,
      CurrentLimits limits,
      HomePartitioner home,
      LongSupplier wallMs,
      DelayGauges gauges,
      String prefix) {
    boolean inMemory = config.keepsStateInMemory();
    boolean hops = config.limits().repartition(); // else nobody keeps an order
    return new DelayPath(
        () -> hops ? limits.known().ever().ordered() : List.of(),
        home,
        !config.topics().allowed().isOne() || !config.topics().deadLetter().isOne(),
        config.topics().delayed(),
        config.delayTickMs(),
        config.headers(),
        wallMs,
        gauges,
        prefix,
        store(
            inMemory
                ? HeapStores.sorted(prefix + Nodes.WAITING)
                : Stores.persistentKeyValueStore(prefix + Nodes.WAITING),
            inMemory),
        store(
            inMemory
                ? HeapStores.hashed(prefix + Nodes.TURNS)
                : Stores.persistentKeyValueStore(prefix + Nodes.TURNS),
            inMemory));
  }

  /** The node that holds delayed events back, and lets them go. */
  public ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> shaper(
      EventOpener opener, DeadLetters deadLetters) {
    return new ShaperProcessor.Node(this, opener, deadLetters, new ThreadBudget.Threads());
  }

  /** The order of a task's keys. */
  public KeyOrder orderIn(ProcessorContext<?, ?> task) {
    return new KeyOrder(
        ordered, task.getStateStore(Nodes.TURNS), task.getStateStore(Nodes.WAITING));
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(
      KeyValueBytesStoreSupplier kept, boolean inMemory) {
    return Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray())
        .withCachingDisabled()
        .withLoggingEnabled(changelog(inMemory));
  }

  /**
   * Every row is written once and deleted once, so nearly all of a changelog is soon of no use: it
   * is compacted early and in small pieces, and restoring reads little more than what waits.
   *
   * <p>Whoever missed the tombstones of what waited is told by the place in {@link DelayQueue}. A
   * turn without its tombstone is taken for one of an event that waits: the next event of its key
   * leaves through the queue, and the row goes with it. So tombstones need not live long, and do so
   * on disk only for a clock that goes back.
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
