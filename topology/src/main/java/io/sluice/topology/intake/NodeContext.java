package io.sluice.topology.intake;

import io.sluice.topology.config.Topics;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Processor context of a node that processes batches of events. While an event of a batch is
 * processed, it answers with the coordinates and the stream time of that event, where Kafka Streams
 * knows only the batch. It adds a prefix to the names of child nodes and state stores, so that one
 * topology can contain several copies of a node.
 *
 * @param <F> type of keys, always {@code byte[]}: Java accepts no array as the bound in {@link
 *     #forward}
 * @param <W> type of values, always {@link EventRecord}
 */
public final class NodeContext<F, W> implements ProcessorContext<F, W> {
  /*
   * The stream time in a batch is the latest time of the events that the node has seen so far, as
   * if each of them had been a record of Kafka Streams.
   */
  private static final EventBatch NO_BATCH = new EventBatch(new TopicPartition("", 0), false);

  private final ProcessorContext<F, W> task;
  private final Settings settings;
  private final Map<String, String> children = new HashMap<>();
  private EventBatch batch = NO_BATCH;
  private int index;
  private long clockMs;
  private long wallMs;
  private DirectOutput.Sender sender = DirectOutput.NOT_SENT;
  private EventBatch onward = NO_BATCH;

  /**
   * Settings of the contexts of a node in all tasks.
   *
   * @param prefix first part of the names of child nodes and state stores
   * @param onward child node that gets the events of a batch as one batch; empty if there is none
   * @param wallMs clock that is read once for each batch, epoch milliseconds
   * @param direct sends events with a verdict without their sinks
   */
  public record Settings(
      String prefix, String onward, LongSupplier wallMs, Topics topics, DirectOutput direct) {
    /** Returns the settings of a node that forwards all its events to its child nodes. */
    public static Settings of(MeteringServices services, String prefix) {
      return new Settings(
          prefix, "", services.opener()::wallMs, services.config().topics(), DirectOutput.NONE);
    }

    Settings withOnward(String child) {
      return new Settings(prefix, child, wallMs, topics, direct);
    }

    /** Returns the same settings, but with events that are sent to their topics directly. */
    public Settings with(DirectOutput output) {
      return new Settings(prefix, onward, wallMs, topics, output);
    }
  }

  private NodeContext(ProcessorContext<F, W> task, Settings settings) {
    this.task = task;
    this.settings = settings;
    clockMs = task.currentStreamTimeMs();
  }

  /** Returns the context of a node of one task. */
  public static NodeContext<byte[], EventRecord> of(
      ProcessorContext<byte[], EventRecord> task, Settings settings) {
    return new NodeContext<>(task, settings);
  }

  /** Place of an event of a batch. */
  private record Place(String topic, int partition, long offset) implements RecordMetadata {}

  /**
   * Has a node process a record: the events of a batch in order, or a single event.
   *
   * @throws StreamsException as for a batch; for a single event only if another task has failed,
   *     since Kafka Streams would drop the event
   */
  public void process(
      Record<byte[], EventRecord> record, Consumer<Record<byte[], EventRecord>> node) {
    Optional<EventBatch> events = record.value().batch();
    if (events.isPresent()) {
      process(events.get(), node);
      return;
    }
    clockMs = Math.max(clockMs, task.currentStreamTimeMs());
    try {
      node.accept(record);
    } catch (TaskCorruptedException e) {
      throw e.corruptedTasks().contains(task.taskId()) ? e : new StreamsException(e);
    }
  }

  /**
   * Has a node process the events of a batch in order.
   *
   * @throws StreamsException if processing times out, or if another task of the thread has failed.
   *     After a {@link TimeoutException} Kafka Streams would commit the outputs of a part of the
   *     batch, and after a {@link TaskCorruptedException} of another task it would drop the batch
   */
  private void process(EventBatch events, Consumer<Record<byte[], EventRecord>> node) {
    batch = events;
    wallMs = settings.wallMs.getAsLong();
    sender = settings.direct.ofThread();
    try {
      for (index = 0; index < events.size(); index++) {
        clockMs = Math.max(clockMs, events.timeMs(index));
        node.accept(events.records().get(index));
      }
      forwardOnward();
    } catch (TimeoutException | TaskCorruptedException e) {
      throw new StreamsException(e);
    } finally {
      batch = NO_BATCH;
      onward = NO_BATCH;
    }
  }

  /** Returns whether the current event came through the repartition topic, in a batch. */
  public boolean isHopped() {
    return batch.isHopped();
  }

  /** Returns the context that Kafka Streams gave to the node. */
  public ProcessorContext<F, W> task() {
    return task;
  }

  /** Returns the prefix of the names of the node's child nodes and stores. */
  public String prefix() {
    return settings.prefix;
  }

  @Override
  public <K extends F, V extends W> void forward(Record<K, V> record) {
    task.forward(record);
  }

  @Override
  @SuppressWarnings({"ReferenceEquality", "unchecked"}) // one object; the types are always these
  public <K extends F, V extends W> void forward(Record<K, V> record, String child) {
    if (batch != NO_BATCH) {
      if (child.equals(settings.onward)) {
        collect((Record<byte[], EventRecord>) (Record<?, ?>) record);
        return;
      }
      // Only the node behind the repartition topic can write to the topics of the meter node.
      if (!child.equals(Nodes.HOP)) forwardOnward();
      if (isSent((Record<byte[], EventRecord>) (Record<?, ?>) record, child)) return;
    }
    task.forward(record, prefixed(child));
  }

  @SuppressWarnings("ReferenceEquality") // NO_BATCH is one object
  private void collect(Record<byte[], EventRecord> record) {
    if (onward == NO_BATCH) onward = new EventBatch(batch.partition(), batch.isHopped());
    onward.add(record, batch.offset(index), clockMs);
  }

  @SuppressWarnings("unchecked") // the types are always these
  private void forwardOnward() {
    if (onward.isEmpty()) return;
    EventBatch full = onward;
    onward = NO_BATCH;
    task.forward((Record<F, W>) (Record<?, ?>) full.toRecord(), prefixed(settings.onward));
  }

  private boolean isSent(Record<byte[], EventRecord> record, String child) {
    EventRecord event = record.value();
    String topic;
    if (child.equals(Nodes.ALLOWED)) topic = settings.topics.allowed().of(event.origin());
    else if (child.equals(Nodes.REJECTED)) topic = settings.topics.rejected().of(event.origin());
    else return false;
    return sender.trySend(
        new ProducerRecord<>(
            topic, null, record.timestamp(), record.key(), event.bytes(), record.headers()));
  }

  private String prefixed(String child) {
    if (settings.prefix.isEmpty()) return child;
    return children.computeIfAbsent(child, name -> settings.prefix + name);
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // Kafka's interface declares it so
  public <S extends StateStore> S getStateStore(String name) {
    return task.getStateStore(settings.prefix + name);
  }

  @Override
  public Cancellable schedule(Duration interval, PunctuationType type, Punctuator punctuator) {
    return task.schedule(interval, type, nowMs -> punctuate(punctuator, nowMs));
  }

  @Override
  public Cancellable schedule(
      Instant start, Duration interval, PunctuationType type, Punctuator punctuator) {
    return task.schedule(start, interval, type, nowMs -> punctuate(punctuator, nowMs));
  }

  private static void punctuate(Punctuator punctuator, long nowMs) {
    try {
      punctuator.punctuate(nowMs);
    } catch (TimeoutException | TaskCorruptedException e) {
      throw new StreamsException(e);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // NO_BATCH is one object
  public Optional<RecordMetadata> recordMetadata() {
    if (batch == NO_BATCH) return task.recordMetadata();
    TopicPartition partition = batch.partition();
    return Optional.of(new Place(partition.topic(), partition.partition(), batch.offset(index)));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // NO_BATCH is one object
  public long currentSystemTimeMs() {
    return batch == NO_BATCH ? task.currentSystemTimeMs() : wallMs;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // NO_BATCH is one object
  public long currentStreamTimeMs() {
    return batch == NO_BATCH ? task.currentStreamTimeMs() : clockMs;
  }

  @Override
  public void commit() {
    task.commit();
  }

  @Override
  public String applicationId() {
    return task.applicationId();
  }

  @Override
  public TaskId taskId() {
    return task.taskId();
  }

  @Override
  public Serde<?> keySerde() {
    return task.keySerde();
  }

  @Override
  public Serde<?> valueSerde() {
    return task.valueSerde();
  }

  @Override
  public File stateDir() {
    return task.stateDir();
  }

  @Override
  public StreamsMetrics metrics() {
    return task.metrics();
  }

  @Override
  public Map<String, Object> appConfigs() {
    return task.appConfigs();
  }

  @Override
  public Map<String, Object> appConfigsWithPrefix(String prefix) {
    return task.appConfigsWithPrefix(prefix);
  }
}
