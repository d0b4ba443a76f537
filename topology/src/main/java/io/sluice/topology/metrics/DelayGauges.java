package io.sluice.topology.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The state of an instance's delayed events, over all its tasks. Safe for many threads. */
public final class DelayGauges {
  private final Set<Task> tasks = ConcurrentHashMap.newKeySet();
  private final LongAdder released = new LongAdder();

  /** A queue of delayed events of one task, when it was looked at last. */
  public interface Task {
    /** The task that it belongs to. */
    String task();

    /** How many waited. */
    long waiting();

    /** How long the first of them had been overdue. */
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

  /** How many events wait. */
  public long waiting() {
    return tasks.stream().mapToLong(Task::waiting).sum();
  }

  /** How long the first of them is overdue; 0 if it is not due yet. */
  public long overdueMs() {
    return tasks.stream().mapToLong(Task::overdueMs).max().orElse(0);
  }

  /** How many events of one task wait. */
  public long waiting(String task) {
    return of(task).mapToLong(Task::waiting).sum();
  }

  /** How long the first of them is overdue; 0 if it is not due yet. */
  public long overdueMs(String task) {
    return of(task).mapToLong(Task::overdueMs).max().orElse(0);
  }

  private Stream<Task> of(String task) {
    return tasks.stream().filter(each -> each.task().equals(task));
  }

  private double overdueSeconds() {
    return overdueMs() / 1_000.0;
  }
}
