package io.sluice.topology.simulation;

import io.sluice.topology.intake.EventRecord;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;

/**
 * Context of the simulated task for its nodes and state stores: one partition of each topic, and
 * the clocks. Its type parameters are {@code Object}, because Java allows no array type as a bound
 * of a type parameter.
 */
final class TaskContext implements ProcessorContext<Object, Object>, StateStoreContext {
  private record Place(String topic, int partition, long offset) implements RecordMetadata {}

  private static final TaskId TASK = new TaskId(0, 0);
  private static final String APPLICATION = "simulation";

  /** Default configuration, which state stores read; it is never used to connect to Kafka. */
  private static final StreamsConfig DEFAULTS =
      new StreamsConfig(Map.of("application.id", APPLICATION, "bootstrap.servers", "nowhere:1"));

  private final File folder;
  private final BiConsumer<Record<byte[], EventRecord>, String> nodes;
  private final Map<String, Long> offsets = new HashMap<>();
  private final Map<String, StateStore> stores = new HashMap<>();
  private final List<Punctuator> punctuators = new ArrayList<>();

  /** Metrics of a Kafka Streams class, because the store with RocksDB accepts no other class. */
  private final StreamsMetricsImpl metrics =
      new StreamsMetricsImpl(new Metrics(), Thread.currentThread().getName(), Time.SYSTEM);

  private Optional<RecordMetadata> place = Optional.empty();
  private long systemTimeMs;
  private long streamTimeMs = ConsumerRecord.NO_TIMESTAMP;

  /**
   * @param nodes receives each forwarded record, and the name of the node that it is forwarded to
   */
  TaskContext(Path folder, BiConsumer<Record<byte[], EventRecord>, String> nodes) {
    this.folder = folder.toFile();
    this.nodes = nodes;
  }

  @SuppressWarnings("unchecked")
  ProcessorContext<byte[], EventRecord> typed() {
    return (ProcessorContext<byte[], EventRecord>) (ProcessorContext<?, ?>) this;
  }

  /** Returns the offset that the next record of a topic gets. */
  long nextOffset(String topic) {
    return offsets.getOrDefault(topic, 0L);
  }

  /**
   * Sets the coordinates of the record that is processed now, as the next record of a topic, and
   * advances the stream time to the record's time.
   */
  void at(String topic, long timeMs) {
    place = Optional.of(new Place(topic, 0, offsets.merge(topic, 1L, Long::sum) - 1));
    streamTimeMs = Math.max(streamTimeMs, timeMs);
  }

  void setSystemTimeMs(long timeMs) {
    systemTimeMs = timeMs;
  }

  /** Returns the scheduled punctuators in the order of scheduling; the caller must run them. */
  List<Punctuator> punctuators() {
    return List.copyOf(punctuators);
  }

  void closeStores() {
    stores.values().forEach(StateStore::close);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, V> void forward(Record<K, V> record, String node) {
    nodes.accept((Record<byte[], EventRecord>) record, node);
  }

  @Override
  public <K, V> void forward(Record<K, V> record) {
    throw new UnsupportedOperationException("a record for no node in particular");
  }

  @Override
  public Cancellable schedule(Duration interval, PunctuationType type, Punctuator punctuator) {
    punctuators.add(punctuator);
    return () -> punctuators.remove(punctuator);
  }

  @Override
  public Cancellable schedule(
      Instant start, Duration interval, PunctuationType type, Punctuator punctuator) {
    return schedule(interval, type, punctuator);
  }

  @Override
  public void register(StateStore store, StateRestoreCallback restored) {
    stores.put(store.name(), store);
  }

  @Override
  public void register(StateStore store, StateRestoreCallback restored, CommitCallback committed) {
    register(store, restored);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Kafka declares it so
  public <S extends StateStore> S getStateStore(String name) {
    return (S) stores.get(name);
  }

  @Override
  public void commit() {
    // A simulation needs no commits, since it reads no record again after a failure.
  }

  @Override
  public String applicationId() {
    return APPLICATION;
  }

  @Override
  public TaskId taskId() {
    return TASK;
  }

  @Override
  public Optional<RecordMetadata> recordMetadata() {
    return place;
  }

  @Override
  public Serde<?> keySerde() {
    return Serdes.ByteArray();
  }

  @Override
  public Serde<?> valueSerde() {
    return Serdes.ByteArray();
  }

  @Override
  public File stateDir() {
    return folder;
  }

  @Override
  public StreamsMetrics metrics() {
    return metrics;
  }

  @Override
  public Map<String, Object> appConfigs() {
    return new HashMap<>(DEFAULTS.values());
  }

  @Override
  public Map<String, Object> appConfigsWithPrefix(String prefix) {
    return DEFAULTS.originalsWithPrefix(prefix);
  }

  @Override
  public long currentSystemTimeMs() {
    return systemTimeMs;
  }

  @Override
  public long currentStreamTimeMs() {
    return streamTimeMs;
  }
}
