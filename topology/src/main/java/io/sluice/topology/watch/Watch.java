package io.sluice.topology.watch;

import io.sluice.topology.event.Event;
import io.sluice.topology.limit.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The last minutes of an instance, of bounded size whatever comes: how many events each limit has
 * allowed, rejected and delayed, and which keys had most of them. Each stream thread counts for
 * itself, without waiting; others read.
 */
public final class Watch {
  public static final long STEP_MS = Counts.STEP_MS;

  /** A quarter of an hour, and the step that goes on. */
  public static final int STEPS = Counts.STEPS;

  private final Map<Thread, ThreadWatch> threads = new HashMap<>();

  /** The counting of one thread. */
  public interface Counting {
    /** Counts a verdict: on the way of every event, without waiting and without garbage. */
    void count(Verdict verdict, Event event, long nowMs);
  }

  /**
   * The numbers of events of a limit in steps of time.
   *
   * @param limit empty for events that no limit decided
   * @param shadow whether the limit only watches, and these are what it would have said
   * @param counts by step, of which the last goes on
   */
  public record Line(String limit, boolean shadow, Map<Verdict.Kind, long[]> counts) {}

  /**
   * The last quarter of an hour, or the end of it.
   *
   * @param fromMs when the first step began
   */
  public record History(long fromMs, long stepMs, int steps, List<Line> lines) {}

  /** That of the calling thread, which alone may use it. One that has died leaves it to another. */
  public synchronized Counting ofThread() {
    Thread current = Thread.currentThread();
    ThreadWatch own = threads.get(current);
    if (own != null) return own;
    Optional<Thread> dead = threads.keySet().stream().filter(each -> !each.isAlive()).findAny();
    ThreadWatch free = dead.map(threads::remove).orElseGet(ThreadWatch::new);
    threads.put(current, free);
    return free;
  }

  private synchronized List<ThreadWatch> all() {
    return new ArrayList<>(threads.values());
  }

  /** The keys of a limit with most events of a verdict. */
  public Top top(String limit, boolean shadow, Verdict.Kind kind, long nowMs) {
    List<Top> parts = new ArrayList<>();
    for (ThreadWatch thread : all()) {
      Row row = thread.rows(shadow).get(limit);
      if (row != null) row.part(kind).keys.tops(nowMs).forEach(parts::add);
    }
    return Top.merged(parts, Slices.windowMs(nowMs));
  }

  /** Whether there is room to watch a limit's keys; there is if it has had no event. */
  public boolean hasKeys(String limit, boolean shadow) {
    return all().stream()
        .map(thread -> thread.rows(shadow).get(limit))
        .allMatch(row -> row == null || row.hasKeys());
  }

  /** The numbers of the last quarter of an hour. */
  public History history(long nowMs) {
    List<Line> lines = new ArrayList<>();
    for (boolean shadow : new boolean[] {false, true}) {
      Set<String> limits = new TreeSet<>();
      for (ThreadWatch thread : all()) limits.addAll(thread.rows(shadow).keySet());
      for (String limit : limits) lines.add(line(limit, shadow, nowMs));
    }
    long fromMs = (Counts.step(nowMs) - Counts.STEPS + 1) * Counts.STEP_MS;
    return new History(fromMs, Counts.STEP_MS, Counts.STEPS, lines);
  }

  private Line line(String limit, boolean shadow, long nowMs) {
    Map<Verdict.Kind, long[]> counts = new EnumMap<>(Verdict.Kind.class);
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      long[] sums = new long[Counts.STEPS];
      for (ThreadWatch thread : all()) {
        Row row = thread.rows(shadow).get(limit);
        if (row != null) row.part(kind).counts.addTo(sums, nowMs);
      }
      counts.put(kind, sums);
    }
    return new Line(limit, shadow, counts);
  }
}
