package io.sluice.topology.watch;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.LimitDecision;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictListener;
import io.sluice.topology.watch.Sketch.Slices;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

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
  public synchronized ThreadWatch ofThread() {
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

  /**
   * Event counts of all limits in the last quarter of an hour, counted by one stream thread. Other
   * threads may read.
   */
  public static final class ThreadWatch implements VerdictListener {
    /**
     * Largest number of limits whose events are also counted by key. The events of further limits
     * are counted only by verdict.
     */
    static final int MOST_WITH_KEYS = 50;

    private static final int MOST = 1_000;
    private static final long SWEEP_MS = 60_000;

    private final Map<String, LimitCounts> enforced = new ConcurrentHashMap<>();
    private final Map<String, LimitCounts> shadows = new ConcurrentHashMap<>();
    private final LimitCounts beyond = new LimitCounts(false);
    private long sweptMs = Long.MIN_VALUE;
    private long nowMs;
    private Event event;

    private ThreadWatch() {}

    /**
     * Counts a verdict on an event. It is called for every event; it never waits, and usually
     * allocates no memory.
     */
    public void count(Verdict verdict, Event counted, long atMs) {
      event = counted;
      verdict.tell(at(atMs));
    }

    ThreadWatch at(long atMs) {
      nowMs = atMs;
      return this;
    }

    @Override
    public void undecided(Verdict.Kind kind) {
      row(enforced, "").count(kind, nowMs);
    }

    @Override
    public void decided(LimitDecision decision, Verdict.Kind kind) {
      row(enforced, decision.limit().name()).count(kind, decision.key(event), nowMs);
    }

    @Override
    public void watched(LimitDecision decision) {
      String key = decision.key(event);
      row(shadows, decision.limit().name()).count(decision.kind(), key, nowMs);
    }

    private LimitCounts row(Map<String, LimitCounts> rows, String limit) {
      LimitCounts row = rows.get(limit);
      return row == null ? another(rows, limit) : row;
    }

    private LimitCounts another(Map<String, LimitCounts> rows, String limit) {
      if (limits() >= MOST_WITH_KEYS) sweep();
      if (limits() >= MOST) return beyond;
      LimitCounts row = new LimitCounts(limits() < MOST_WITH_KEYS);
      rows.put(limit, row);
      return row;
    }

    private int limits() {
      return enforced.size() + shadows.size();
    }

    /**
     * Removes the counts of limits without events in the last quarter of an hour, at most once a
     * minute, so that other limits can be counted.
     */
    private void sweep() {
      if (nowMs >= sweptMs && nowMs < sweptMs + SWEEP_MS) return;
      sweptMs = nowMs;
      enforced.values().removeIf(row -> row.isIdle(nowMs));
      shadows.values().removeIf(row -> row.isIdle(nowMs));
    }

    Map<String, LimitCounts> rows(boolean shadow) {
      return shadow ? shadows : enforced;
    }
  }

  /**
   * Event counts of one limit in the last quarter of an hour, by verdict. One thread counts; other
   * threads may read.
   */
  static final class LimitCounts {
    private final boolean hasKeys;
    private final Map<Verdict.Kind, Part> parts = new EnumMap<>(Verdict.Kind.class);

    /**
     * Event counts of one verdict of a limit. The counters by key are allocated when the first
     * event with a key is counted.
     */
    static final class Part {
      final Counts counts = new Counts();
      volatile Slices keys = Slices.NONE;

      void count(String key, long nowMs) {
        Slices slices = keys;
        if (slices == Slices.NONE) {
          slices = new Slices();
          keys = slices;
        }
        slices.count(key, nowMs);
      }
    }

    /**
     * @param hasKeys whether events are also counted by the limit's key
     */
    LimitCounts(boolean hasKeys) {
      this.hasKeys = hasKeys;
      for (Verdict.Kind kind : Verdict.Kind.values()) parts.put(kind, new Part());
    }

    /** Counts an event for the limit and the verdict, but not by key. */
    void count(Verdict.Kind kind, long nowMs) {
      part(kind).counts.count(nowMs);
    }

    void count(Verdict.Kind kind, String key, long nowMs) {
      count(kind, nowMs);
      if (hasKeys) part(kind).count(key, nowMs);
    }

    Part part(Verdict.Kind kind) {
      return parts.get(kind);
    }

    boolean hasKeys() {
      return hasKeys;
    }

    /**
     * Whether the limit had no event in the last quarter of an hour. Only the thread that counts
     * may call it.
     */
    boolean isIdle(long nowMs) {
      return parts.values().stream().allMatch(part -> part.counts.isIdle(nowMs));
    }
  }
}
