package io.sluice.topology.delay;

import io.sluice.topology.metrics.DelayGauges;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * Metrics of one task's delayed events among the metrics of Kafka Streams, in the group {@code
 * stream-delay-metrics}: {@code delayed-waiting}, {@code delayed-overdue-ms}, {@code release-rate}
 * and {@code release-total}. {@link DelayGauges} has the totals over all tasks.
 */
final class DelayMetrics implements DelayGauges.Task, AutoCloseable {
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
