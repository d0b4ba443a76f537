package io.sluice.topology.metrics;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.Verdict.Reason;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Metrics of the events of an instance that wait in line for limits, by limit and class. An event
 * that waits for several limits counts for each of them. Safe for many threads.
 */
public final class QueueGauges {
  /** Reasons to reject an event that has no place in line, or no longer. */
  private static final Set<Reason> REJECTIONS =
      EnumSet.of(Reason.QUEUE_FULL, Reason.DELAY_TOO_LONG, Reason.EXPIRED, Reason.CANCELLED);

  private final Set<Task> tasks = ConcurrentHashMap.newKeySet();
  private final Map<Line, LongAdder> releases = new ConcurrentHashMap<>();
  private final Map<Rejection, LongAdder> rejections = new ConcurrentHashMap<>();
  private final QueueOrder order;
  private final Consumer<MetricDefinition> readings;

  /**
   * Limit and class of waiting events.
   *
   * @param rank number of the class; 0 is the highest
   */
  public record Line(String limit, int rank) {}

  private record Rejection(String limit, Reason reason) {}

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

    /** Returns the number of waiting events. */
    long waiting();

    /** Returns the current time by the wall clock, epoch milliseconds. */
    long wallMs();

    /**
     * Returns the next instant at which an event may leave, epoch milliseconds; {@link
     * Long#MAX_VALUE} if none waits. Only the thread of the task may call it.
     */
    long nextMs();
  }

  /**
   * @param limits configured limits, whose metrics exist from the start
   * @param order gives the names of the classes
   * @param readings receives the metrics of each limit; of a further limit when an event first
   *     waits for it
   */
  QueueGauges(List<Limit> limits, QueueOrder order, Consumer<MetricDefinition> readings) {
    this.order = order;
    this.readings = readings;
    limits.stream().filter(Limit::queues).map(Limit::name).forEach(this::know);
  }

  private LongAdder know(Line line) {
    Line known = configured(line);
    LongAdder released = releases.get(known);
    if (released != null) return released;
    know(line.limit());
    return releases.get(known);
  }

  /** Creates the metrics of all classes of a limit, unless they exist. */
  private synchronized void know(String limit) {
    for (int rank = 0; rank < order.classCount(); rank++)
      releases.computeIfAbsent(new Line(limit, rank), this::made);
  }

  /** Returns the line with a configured class, since a row may have one of an earlier start. */
  private Line configured(Line line) {
    return line.rank() <= lastRank() ? line : new Line(line.limit(), lastRank());
  }

  private int lastRank() {
    return order.classCount() - 1;
  }

  private LongAdder made(Line line) {
    LongAdder released = new LongAdder();
    Map<String, String> tags = Map.of("limit", line.limit(), "class", order.className(line.rank()));
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
    REJECTIONS.forEach(reason -> know(new Rejection(line.limit(), reason)));
    return released;
  }

  private LongAdder know(Rejection rejection) {
    return rejections.computeIfAbsent(rejection, this::made);
  }

  private LongAdder made(Rejection rejection) {
    LongAdder rejected = new LongAdder();
    readings.accept(
        MetricDefinition.counter(
            "queue-rejections",
            "Events that were rejected because of the bounds of a line, of their own end or of an order.",
            Map.of("limit", rejection.limit(), "reason", rejection.reason().text()),
            rejected::sum));
    return rejected;
  }

  private double sum(Line line, ToDoubleFunction<Standing> number) {
    return tasks.stream().flatMap(task -> standings(task, line)).mapToDouble(number).sum();
  }

  /** Returns the waiting events of a task with the limit and class of a line. */
  private Stream<Standing> standings(Task task, Line line) {
    Map<Line, Standing> lines = task.lines();
    if (line.rank() < lastRank()) return Stream.ofNullable(lines.get(line));
    return lines.entrySet().stream()
        .filter(each -> configured(each.getKey()).equals(line))
        .map(Map.Entry::getValue);
  }

  private double oldestSeconds(Line line) {
    return tasks.stream()
            .mapToLong(task -> ageMs(task, standings(task, line).toList()))
            .max()
            .orElse(0)
        / 1e3;
  }

  private static long ageMs(Task task, Collection<Standing> standings) {
    return standings.stream()
        .mapToLong(standing -> Math.max(0, task.wallMs() - standing.oldestMs()))
        .max()
        .orElse(0);
  }

  public void join(Task task) {
    tasks.add(task);
    task.lines().keySet().stream().map(Line::limit).forEach(this::know);
  }

  public void leave(Task task) {
    tasks.remove(task);
  }

  /** Counts an event that has left the line, for each of its limits. */
  public void released(List<String> limits, int rank) {
    for (String limit : limits) know(new Line(limit, rank)).increment();
  }

  /**
   * Counts the verdict on an event with a queue limit, if the event is rejected because it has no
   * place in line, or no longer.
   */
  public void count(Verdict verdict) {
    // A cancelled event whose limit is gone has no deciding limit.
    if (!REJECTIONS.contains(verdict.reason()) || verdict.deciding().isEmpty()) return;
    know(new Rejection(verdict.deciding().get(0).limit().name(), verdict.reason())).increment();
  }

  /** Returns the number of events of all tasks that wait in line. */
  public long waiting() {
    return tasks.stream().mapToLong(Task::waiting).sum();
  }

  /** Returns how long the oldest event in line has waited, milliseconds; 0 if none waits. */
  public long oldestMs() {
    return tasks.stream().mapToLong(task -> ageMs(task, task.lines().values())).max().orElse(0);
  }

  /** Returns the number of events in line by limit, for limits with a queue. */
  public Map<String, Long> lengths() {
    Map<String, Long> lengths = new TreeMap<>();
    for (Line each : releases.keySet())
      lengths.merge(each.limit(), (long) sum(each, Standing::length), Long::sum);
    return lengths;
  }

  /** Returns the number of events of all tasks that wait for a limit. */
  public long length(String limit) {
    return lengths().getOrDefault(limit, 0L);
  }

  /**
   * Returns the next instant at which an event of any task may leave, epoch milliseconds; {@link
   * Long#MAX_VALUE} if none waits. Only for a simulation, which has one thread.
   */
  public long nextMs() {
    return tasks.stream().mapToLong(Task::nextMs).min().orElse(Long.MAX_VALUE);
  }
}
