package io.sluice.topology.watch;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Recent event counts of an instance in bounded memory: how many events each limit has allowed,
 * rejected and delayed in the last quarter of an hour, and which keys had most events in the last
 * minutes. Each stream thread has its own counter and does not wait; other threads may read.
 */
public final class Watch {
  public static final long STEP_MS = Counts.STEP_MS;

  /** Number of ten-second steps in a history: a quarter of an hour, and the current step. */
  public static final int STEPS = Counts.STEPS;

  private final Map<Thread, ThreadWatch> threads = new HashMap<>();

  /** Counter of the verdicts of one stream thread. */
  public interface Counting {
    /**
     * Counts a verdict on an event. It is called for every event; it never waits, and usually
     * allocates no memory.
     */
    void count(Verdict verdict, Event event, long nowMs);
  }

  /**
   * Event counts of a limit by verdict and time step.
   *
   * @param limit name of the limit; empty for events that no limit decided
   * @param shadow whether the limit is in shadow mode, so that its verdicts are counted but not
   *     enforced
   * @param counts for each verdict the number of events in each step, oldest first; the last step
   *     is not over yet
   */
  public record Line(String limit, boolean shadow, Map<Verdict.Kind, long[]> counts) {}

  /**
   * Event counts of all limits in the last quarter of an hour or a part of it, by time step.
   *
   * @param fromMs start of the first step, epoch milliseconds
   * @param stepMs length of a step, milliseconds
   * @param steps number of steps
   * @param lines counts of each limit
   */
  public record History(long fromMs, long stepMs, int steps, List<Line> lines) {}

  /**
   * Returns the counter of the calling thread; only the calling thread may count with it. A new
   * thread takes over the counter of a thread that has died.
   */
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

  /**
   * Returns the keys of a limit that had most events with a given verdict in the last 6 minutes.
   */
  public Top top(String limit, boolean shadow, Verdict.Kind kind, long nowMs) {
    List<Top> parts = new ArrayList<>();
    for (ThreadWatch thread : all()) {
      LimitCounts row = thread.rows(shadow).get(limit);
      if (row != null) row.part(kind).keys.tops(nowMs).forEach(parts::add);
    }
    return Top.merged(parts, Slices.windowMs(nowMs));
  }

  /** Whether a limit's events are counted by key; also true if the limit has had no event. */
  public boolean hasKeys(String limit, boolean shadow) {
    return all().stream()
        .map(thread -> thread.rows(shadow).get(limit))
        .allMatch(row -> row == null || row.hasKeys());
  }

  /** Returns the event counts of all limits in the last quarter of an hour. */
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
        LimitCounts row = thread.rows(shadow).get(limit);
        if (row != null) row.part(kind).counts.addTo(sums, nowMs);
      }
      counts.put(kind, sums);
    }
    return new Line(limit, shadow, counts);
  }
}
