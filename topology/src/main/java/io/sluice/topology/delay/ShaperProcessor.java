package io.sluice.topology.delay;

import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.NodeContext;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.metrics.DelayGauges;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Shaper node of Kafka Streams: holds each delayed event until the wall clock reaches its due time,
 * then releases it to the allowed topic. Passes events that must be metered again, and orders about
 * events in line, to the meter node.
 */
final class ShaperProcessor extends ContextualProcessor<byte[], EventRecord, byte[], EventRecord> {
  private final Node parts;
  private NodeContext<byte[], EventRecord> node;
  private DelayQueue queue;
  private KeyOrder keyOrder;
  private DelayMetrics metrics;
  private Cancellable ticks = () -> {};
  private ThreadBudget share;

  private ShaperProcessor(Node parts) {
    this.parts = parts;
  }

  @Override
  public void init(ProcessorContext<byte[], EventRecord> task) {
    node =
        NodeContext.of(
            task, NodeContext.Settings.of(parts.path().services(), parts.path().prefix()));
    super.init(node);
    open(node);
  }

  private void open(ProcessorContext<byte[], EventRecord> context) {
    queue = new DelayQueue(context.getStateStore(Nodes.WAITING));
    keyOrder = parts.path().orderIn(context);
    metrics =
        new DelayMetrics(context.metrics(), parts.path().gauges(), context.taskId().toString());
    share = parts.threads().join(parts.path().tickMs());
    ticks =
        context.schedule(
            Duration.ofMillis(parts.path().tickMs()), PunctuationType.WALL_CLOCK_TIME, this::tick);
  }

  @Override
  public void process(Record<byte[], EventRecord> arrived) {
    node.process(arrived, this::take);
  }

  private void take(Record<byte[], EventRecord> arrived) {
    EventRecord event = arrived.value();
    Record<byte[], EventRecord> record = arrived.withTimestamp(event.timestampMs());
    DelayHeaders.removeOthers(record.headers());
    // The meter node keeps the events in line, which an order is about.
    if (event.isControl()) {
      context().forward(record, Nodes.TO_METER);
      return;
    }
    try {
      ReleaseOrder order = ReleaseOrder.of(record.headers());
      // The meter node has stored this event and will release it, even if it is too large by now.
      if (order.isHeld()) return;
      if (!event.isFaulty()) take(record, order);
    } catch (UnreadableEventException e) {
      if (!event.isFaulty()) event.refused(e);
    }
    if (event.isFaulty()) context().forward(parts.deadLetters().of(record), Nodes.UNSCHEDULED);
  }

  private void take(Record<byte[], EventRecord> record, ReleaseOrder order) {
    RecordMetadata at = context().recordMetadata().orElseThrow();
    if (order.metersAgain()) {
      boolean atHome = parts.path().services().home().of(record.value()) == at.partition();
      if (!order.origin().isKnown()) DelayHeaders.origin(record.headers(), record.value().origin());
      if (atHome) toMeter(record);
      // An event is metered only on its home partition, or two partitions would count its key.
      else context().forward(record, Nodes.REHOMED);
      return;
    }
    DelayedEvent delayed = delayed(record, order);
    Bytes key = DueKey.of(order.atMs(), at.offset());
    boolean due = order.atMs() <= context().currentSystemTimeMs();
    if (due && queue.isBeforeAll(key)) release(key, delayed);
    else queue.add(key, delayed.toBytes());
  }

  private DelayedEvent delayed(Record<byte[], EventRecord> record, ReleaseOrder order) {
    boolean known = order.origin().isKnown();
    Turn turn = known ? keyOrder.of(record.value().event(), order.origin()) : Turn.NONE;
    parts.path().services().config().headers().release(record.headers());
    if (!parts.path().keepsOrigin()) DelayHeaders.takeOrigin(record.headers());
    return new DelayedEvent(record, false, turn);
  }

  /**
   * Releases due events by due time, as far as the time of one punctuation allows, and then
   * triggers the meter node's own release of due events.
   */
  private void tick(long nowMs) {
    if (queue.mayHaveDue(nowMs)) letGo(nowMs);
    queue.note(nowMs);
    context().forward(new Record<>(null, EventRecord.tick(), nowMs), Nodes.TO_METER);
    metrics.observe(queue, nowMs);
  }

  private void letGo(long nowMs) {
    PunctuationBudget allowance = new PunctuationBudget(parts.path().wallMs(), share.millis());
    Bytes readUpTo = DueKey.of(nowMs + 1, 0);
    try (KeyValueIterator<Bytes, byte[]> rows = queue.due(nowMs)) {
      while (rows.hasNext()) {
        if (allowance.isSpent()) {
          readUpTo = rows.peekNextKey();
          break;
        }
        KeyValue<Bytes, byte[]> row = rows.next();
        DelayedEvent delayed = DelayedEvent.of(row.value);
        queue.leave(row.key);
        // Only releases up to 0.2 stored events that are metered again in this queue.
        if (delayed.metersAgain()) toMeter(delayed.record());
        else release(row.key, delayed);
      }
    }
    queue.readUpTo(readUpTo);
  }

  private void release(Bytes key, DelayedEvent delayed) {
    Record<byte[], EventRecord> leaving = delayed.record();
    leaving.value().cameAs(DelayHeaders.takeOrigin(leaving.headers()));
    parts
        .path()
        .services()
        .opener()
        .refuseIfStuck(leaving, Verdict.Kind.ALLOWED, () -> announced(key));
    if (leaving.value().isFaulty()) {
      context().forward(parts.deadLetters().of(leaving), Nodes.UNSCHEDULED);
    } else {
      context().forward(leaving, Nodes.RELEASED);
    }
    keyOrder.left(delayed.turn(), DueKey.dueMs(key));
    metrics.released();
  }

  /**
   * Returns the coordinates of the record on the topic of delayed events that scheduled an event.
   *
   * @param key store key of the event
   */
  private Origin announced(Bytes key) {
    return Origin.of(
        parts.path().delayedTopic(), context().taskId().partition(), DueKey.offset(key));
  }

  /** Forwards an event to the meter node, which stores the event until it must be metered again. */
  private void toMeter(Record<byte[], EventRecord> record) {
    record.value().waited();
    context().forward(record, Nodes.TO_METER);
  }

  /**
   * Releases the resources of the task. Cancels the punctuation, because Kafka Streams may revive
   * the task, keeps its punctuations, and calls {@code init} on this object again.
   */
  @Override
  public void close() {
    ticks.cancel();
    if (share != null) share.close();
    if (metrics != null) metrics.close();
  }

  /**
   * Supplier of the shaper node of each task. Has the components that all tasks share, and declares
   * the state stores.
   *
   * @param path settings and stores that the meter node and the shaper node share
   * @param threads divide the time for releases among the tasks of a stream thread
   */
  public record Node(DelayPath path, DeadLetters deadLetters, ThreadBudget.Threads threads)
      implements ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> {
    @Override
    public Processor<byte[], EventRecord, byte[], EventRecord> get() {
      return new ShaperProcessor(this);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(path.waiting(), path.turns());
    }
  }

  /**
   * Metrics of one task's delayed events among the metrics of Kafka Streams, in the group {@code
   * stream-delay-metrics}: {@code delayed-waiting}, {@code delayed-overdue-ms}, {@code
   * release-rate} and {@code release-total}. {@link DelayGauges} has the totals over all tasks.
   */
  static final class DelayMetrics implements DelayGauges.Task, AutoCloseable {
    private static final String SCOPE = "delay";
    private static final String GROUP = "stream-" + SCOPE + "-metrics";

    private final StreamsMetrics metrics;
    private final DelayGauges instance;
    private final String task;
    private final Sensor waiting;
    private final Sensor overdue;
    private final Sensor released;
    private volatile Standing last = new Standing(0, 0);

    /**
     * Number of waiting events in the queue and overdue time of its first event, as last observed.
     */
    private record Standing(long waiting, long overdueMs) {}

    DelayMetrics(StreamsMetrics metrics, DelayGauges instance, String task) {
      this.metrics = metrics;
      this.instance = instance;
      this.task = task;
      waiting = value("delayed-waiting", "The number of delayed events that are waiting.");
      overdue =
          value("delayed-overdue-ms", "How long the first of them is overdue, in milliseconds.");
      released = metrics.addRateTotalSensor(SCOPE, task, "release", Sensor.RecordingLevel.INFO);
      instance.join(this);
    }

    private Sensor value(String name, String description) {
      Sensor sensor = metrics.addSensor(task + "-" + name, Sensor.RecordingLevel.INFO);
      Map<String, String> tags = new LinkedHashMap<>();
      tags.put("thread-id", Thread.currentThread().getName());
      tags.put(SCOPE + "-id", task);
      sensor.add(new MetricName(name, GROUP, description, tags), new Value());
      return sensor;
    }

    /** Counts a delayed event that was released. */
    void released() {
      released.record();
      instance.released();
    }

    /**
     * Records the number of waiting events and the overdue time of a queue.
     *
     * @param nowMs current time, epoch milliseconds
     */
    void observe(DelayQueue queue, long nowMs) {
      last = new Standing(queue.waiting(), queue.overdueMs(nowMs));
      waiting.record((double) instance.waiting(task));
      overdue.record((double) instance.overdueMs(task));
    }

    @Override
    public String task() {
      return task;
    }

    @Override
    public long waiting() {
      return last.waiting();
    }

    @Override
    public long overdueMs() {
      return last.overdueMs();
    }

    @Override
    public void close() {
      instance.leave(this);
      metrics.removeSensor(waiting);
      metrics.removeSensor(overdue);
      metrics.removeSensor(released);
    }
  }
}
