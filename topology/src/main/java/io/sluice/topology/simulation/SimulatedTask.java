package io.sluice.topology.simulation;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.topology.ThrottleNodes;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.simulation.SimulatedVerdict.Marks;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/**
 * Simulated task of Kafka Streams: calls the nodes of the topology one after another, without
 * Kafka, producers and changelogs.
 */
final class SimulatedTask implements SimulatedStreams {
  /*
   * The test driver of Kafka Streams does the same with a real task, which takes longer than the
   * nodes themselves: each record goes through a consumer, a producer, a commit and the changelogs.
   *
   * A punctuation that deletes idle keys checks at least 64 rows. By the virtual clock, ten such
   * punctuations a second would be due, which is too much work if records come once a second. So
   * there is at most one for every 500 records; no verdict depends on when idle keys are deleted.
   */
  private static final int RECORDS_PER_SWEEP = 500;

  private static final String GONE = "Redis was unavailable for longer than an event may wait";

  private final TaskContext task;
  private final EventOpener opener;
  private final Set<String> inputs;
  private final String first;
  private final String delayedTopic;
  private final Processor<byte[], EventRecord, byte[], EventRecord> intake;
  private final Processor<byte[], EventRecord, byte[], EventRecord> shaper;
  private final Processor<byte[], EventRecord, byte[], EventRecord> meter;
  private final List<Punctuator> ticks;
  private final List<SpillingStore> heapStores = new ArrayList<>();
  private final long mostBytes;
  private final List<Punctuator> sweeps;
  private final Queue<Record<byte[], EventRecord>> delayed = new ArrayDeque<>();
  private final Queue<Record<byte[], EventRecord>> letGo = new ArrayDeque<>();
  private final Queue<Record<byte[], EventRecord>> comingBack = new ArrayDeque<>();
  private int unswept;

  /**
   * @param folder folder for stores on disk
   * @param mostBytes approximately how many bytes of rows each store keeps on the heap
   */
  SimulatedTask(ThrottleNodes nodes, Topics topics, Path folder, long mostBytes) {
    this.mostBytes = mostBytes;
    opener = nodes.opener();
    inputs = new HashSet<>(topics.inputs());
    first = topics.inputs().get(0);
    delayedTopic = topics.delayed();
    task = new TaskContext(folder, this::send);
    open(nodes.shaper());
    open(nodes.meter());
    intake = nodes.intake().get();
    shaper = nodes.shaper().get();
    meter = nodes.meter().get();
    intake.init(task.typed());
    shaper.init(task.typed());
    ticks = task.punctuators();
    meter.init(task.typed());
    List<Punctuator> all = task.punctuators();
    sweeps = List.copyOf(all.subList(ticks.size(), all.size()));
  }

  /**
   * Opens the state stores that a node declares, unless another node has opened them. The stores
   * have no changelog, since nothing is restored, and no metrics, because the wrapper that Kafka
   * Streams adds for metrics accepts only a real task.
   */
  private void open(ProcessorSupplier<?, ?, ?, ?> node) {
    for (StoreBuilder<?> builder : node.stores()) {
      if (task.getStateStore(builder.name()) != null) continue;
      StateStore measured = builder.withLoggingDisabled().withCachingDisabled().build();
      StateStore store = bounded(((WrappedStateStore<?, ?, ?>) measured).wrapped());
      store.init(task, store);
    }
  }

  /**
   * Returns a store itself if it is on disk; else a wrapper that moves its rows to disk when they
   * take too many bytes.
   */
  @SuppressWarnings("unchecked") // all stores have keys and values of bytes
  private StateStore bounded(StateStore store) {
    if (store.persistent()) return store;
    SpillingStore spilling = new SpillingStore((KeyValueStore<Bytes, byte[]>) store, mostBytes);
    heapStores.add(spilling);
    return spilling;
  }

  @Override
  public void publish(
      ConsumerRecord<byte[], byte[]> record, long number, Origin origin, Optional<Event> event) {
    EventRecord taken = new EventRecord(record.value());
    event.ifPresentOrElse(
        read -> opener.open(taken, read, record), () -> opener.open(taken, record));
    unswept++;
    long clockMs = task.currentStreamTimeMs();
    long timeMs = taken.isFaulty() ? Math.max(0, clockMs) : taken.event().occurredAtMs();
    task.at(inputs.contains(record.topic()) ? record.topic() : first, timeMs);
    Headers headers = Marks.added(record.headers(), number, origin);
    run(() -> intake.process(new Record<>(record.key(), taken, timeMs, headers)));
  }

  /** Runs a step, and then the shaper node for the delayed events that the step has caused. */
  private void run(Runnable step) {
    step.run();
    comeBack();
    for (SpillingStore each : heapStores) each.spillIfTooLarge();
  }

  private void send(Record<byte[], EventRecord> record, String node) {
    switch (node) {
      case Nodes.AT_HOME, Nodes.TO_METER -> meter.process(record);
      case Nodes.DELAYED -> {
        if (awaitsRedis(record.headers())) {
          throw new LimiterUnavailableException(GONE, null);
        }
        delayed.add(record);
        comingBack.add(record.withHeaders(new RecordHeaders(record.headers())));
      }
      case Nodes.ALLOWED,
          Nodes.UNMETERED,
          Nodes.REJECTED,
          Nodes.RELEASED,
          Nodes.DEAD_LETTERS,
          Nodes.UNSCHEDULED ->
          letGo.add(record);
      default -> throw new IllegalStateException("one partition, and yet a record for " + node);
    }
  }

  /**
   * Returns whether an event was stored until Redis is available, without being metered: its
   * verdict headers have the reason "Redis unavailable" and no remaining quota, and it is to be
   * metered again.
   */
  private static boolean awaitsRedis(Headers headers) {
    Map<String, String> said = VerdictHeaders.read(headers);
    String reason = said.getOrDefault("reason", "");
    return headers.lastHeader(DelayHeaders.RELEASE_TO) != null
        && reason.equals(Verdict.Reason.REDIS_UNAVAILABLE.text())
        && !said.containsKey("remaining");
  }

  /**
   * Passes delayed events, as bytes, to the shaper node, as if read from the topic of such events.
   */
  private void comeBack() {
    for (Record<byte[], EventRecord> each; (each = comingBack.poll()) != null; ) {
      EventRecord event = new EventRecord(each.value().bytes());
      long timeMs = opener.ofDelayed().extract(consumed(each, event), task.currentStreamTimeMs());
      task.at(delayedTopic, timeMs);
      shaper.process(each.withValue(event).withTimestamp(timeMs));
    }
  }

  private ConsumerRecord<Object, Object> consumed(
      Record<byte[], EventRecord> record, EventRecord event) {
    return new ConsumerRecord<>(
        delayedTopic,
        0,
        task.nextOffset(delayedTopic),
        record.timestamp(),
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        record.key(),
        event,
        record.headers(),
        Optional.empty());
  }

  @Override
  public void advance(long byMs) {
    long nowMs = task.currentSystemTimeMs() + byMs;
    task.setSystemTimeMs(nowMs);
    run(() -> punctuate(ticks, nowMs));
    if (unswept < RECORDS_PER_SWEEP) return;
    unswept = 0;
    run(() -> punctuate(sweeps, nowMs));
  }

  private static void punctuate(List<Punctuator> all, long nowMs) {
    for (Punctuator each : all) each.punctuate(nowMs);
  }

  @Override
  public void drain(Consumer<Record<byte[], EventRecord>> verdict) {
    for (Record<byte[], EventRecord> each; (each = delayed.poll()) != null; ) verdict.accept(each);
    for (Record<byte[], EventRecord> each; (each = letGo.poll()) != null; ) verdict.accept(each);
  }

  @Override
  public void close() {
    meter.close();
    shaper.close();
    intake.close();
    task.closeStores();
  }
}
