package io.sluice.topology.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Metrics of an instance's delayed events, over all its tasks. Safe for many threads. */
public final class DelayGauges {
  private final Set<Task> tasks = ConcurrentHashMap.newKeySet();
  private final LongAdder released = new LongAdder();

  /**
   * Delayed events of one task, as last observed: how many wait, and for how long the first of them
   * has been overdue.
   */
  public interface Task {
    /** Returns the id of the Kafka Streams task. */
    String task();

    /** Returns the number of delayed events of the task that are waiting. */
    long waiting();

    /**
     * Returns how long the task's first delayed event has been overdue, milliseconds; 0 if no event
     * is overdue.
     */
    long overdueMs();
  }

  public void join(Task task) {
    tasks.add(task);
  }

  public void leave(Task task) {
    tasks.remove(task);
  }

  public void released() {
    released.increment();
  }

  void readings(Consumer<MetricDefinition> to) {
    to.accept(
        MetricDefinition.gauge(
            "delayed-events", "Delayed events that are waiting.", this::waiting));
    to.accept(
        MetricDefinition.gauge(
            "delayed-overdue-seconds",
            "How long the first delayed event is overdue; 0 if it is not due yet.",
            this::overdueSeconds));
    to.accept(
        MetricDefinition.counter(
            "released-events",
            "Delayed events that were released: allowed, or metered again.",
            Map.of(),
            released::sum));
  }

  /** Returns the number of delayed events of all tasks that are waiting. */
  public long waiting() {
    return tasks.stream().mapToLong(Task::waiting).sum();
  }

  /** Returns the longest overdue time of all tasks' delayed events, milliseconds; 0 if none is. */
  public long overdueMs() {
    return tasks.stream().mapToLong(Task::overdueMs).max().orElse(0);
  }

  /**
   * Returns the number of delayed events of one task that are waiting.
   *
   * @param task id of the Kafka Streams task
   */
  public long waiting(String task) {
    long waiting = 0;
    for (Task each : tasks) if (each.task().equals(task)) waiting += each.waiting();
    return waiting;
  }

  /**
   * Returns the longest overdue time of one task's delayed events, milliseconds; 0 if no event is
   * overdue.
   *
   * @param task id of the Kafka Streams task
   */
  public long overdueMs(String task) {
    long overdueMs = 0;
    for (Task each : tasks) {
      if (each.task().equals(task)) overdueMs = Math.max(overdueMs, each.overdueMs());
    }
    return overdueMs;
  }

  private double overdueSeconds() {
    return overdueMs() / 1_000.0;
  }
}
