package io.sluice.topology.metrics;

import io.sluice.rules.limit.Limit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of the events of an instance that wait in line for limits, by limit and class. An event
 * that waits for several limits counts for each of them. Safe for many threads.
 */
public final class QueueGauges {
  /** Name of the only class. */
  private static final String EVERY_CLASS = "*";

  private final Set<Task> tasks = ConcurrentHashMap.newKeySet();
  private final Map<Line, LongAdder> releases = new ConcurrentHashMap<>();
  private final Consumer<MetricDefinition> readings;

  /**
   * Limit and class of waiting events.
   *
   * @param rank number of the class; 0 is the highest
   */
  public record Line(String limit, int rank) {}

  /**
   * Waiting events of a limit and class.
   *
   * @param oldestMs arrival of the event that has waited longest, epoch milliseconds
   */
  public record Standing(long length, long oldestMs) {
    /** Returns both together. */
    public Standing and(Standing other) {
      return new Standing(length + other.length, Math.min(oldestMs, other.oldestMs));
    }
  }

  /** Waiting events of one task, as last observed. */
  public interface Task {
    /** Returns the waiting events by limit and class. */
    Map<Line, Standing> lines();

    /**
     * Returns the next instant at which an event may leave, epoch milliseconds; {@link
     * Long#MAX_VALUE} if none waits. Only the thread of the task may call it.
     */
    long nextMs();
  }

  /**
   * @param limits configured limits, whose metrics exist from the start
   * @param readings receives the metrics of each limit; of a further limit when an event first
   *     waits for it
   */
  QueueGauges(List<Limit> limits, Consumer<MetricDefinition> readings) {
    this.readings = readings;
    limits.stream().filter(Limit::queues).forEach(limit -> know(new Line(limit.name(), 0)));
  }

  private LongAdder know(Line line) {
    LongAdder known = releases.get(line);
    if (known != null) return known;
    synchronized (this) {
      return releases.computeIfAbsent(line, this::made);
    }
  }

  private LongAdder made(Line line) {
    LongAdder released = new LongAdder();
    Map<String, String> tags = Map.of("limit", line.limit(), "class", EVERY_CLASS);
    readings.accept(
        new MetricDefinition(
            MetricDefinition.Kind.GAUGE,
            "queue-length",
            "Events that wait in line.",
            tags,
            () -> sum(line, Standing::length)));
    readings.accept(
        new MetricDefinition(
            MetricDefinition.Kind.GAUGE,
            "queue-oldest-seconds",
            "How long the oldest event in line has waited; 0 if none waits.",
            tags,
            () -> oldestSeconds(line)));
    readings.accept(
        MetricDefinition.counter(
            "queue-releases",
            "Events that have left the line: allowed, rejected or unreadable.",
            tags,
            released::sum));
    return released;
  }

  private double sum(Line line, ToDoubleFunction<Standing> number) {
    return tasks.stream()
        .map(task -> task.lines().get(line))
        .filter(standing -> standing != null)
        .mapToDouble(number)
        .sum();
  }

  private double oldestSeconds(Line line) {
    long nowMs = System.currentTimeMillis();
    return tasks.stream()
        .map(task -> task.lines().get(line))
        .filter(standing -> standing != null)
        .mapToDouble(standing -> Math.max(0, nowMs - standing.oldestMs()) / 1e3)
        .max()
        .orElse(0);
  }

  public void join(Task task) {
    tasks.add(task);
    task.lines().keySet().forEach(this::know);
  }

  public void leave(Task task) {
    tasks.remove(task);
  }

  /** Counts an event that has left the line, for each of its limits. */
  public void released(List<String> limits, int rank) {
    for (String limit : limits) know(new Line(limit, rank)).increment();
  }

  /** Returns the number of events of all tasks that wait for a limit. */
  public long length(String limit) {
    return (long) sum(new Line(limit, 0), Standing::length);
  }

  /**
   * Returns the next instant at which an event of any task may leave, epoch milliseconds; {@link
   * Long#MAX_VALUE} if none waits. Only for a simulation, which has one thread.
   */
  public long nextMs() {
    return tasks.stream().mapToLong(Task::nextMs).min().orElse(Long.MAX_VALUE);
  }
}
