package io.sluice.topology.watch;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Event counts of all limits in the last quarter of an hour, counted by one stream thread. Other
 * threads may read.
 */
final class ThreadWatch implements Watch.Counting, Verdict.KeyTally {
  /**
   * Largest number of limits whose events are also counted by key. The events of further limits are
   * counted only by verdict.
   */
  static final int MOST_WITH_KEYS = 50;

  private static final int MOST = 1_000;
  private static final long SWEEP_MS = 60_000;

  private final Map<String, LimitCounts> enforced = new ConcurrentHashMap<>();
  private final Map<String, LimitCounts> shadows = new ConcurrentHashMap<>();
  private final LimitCounts beyond = new LimitCounts(false);
  private long sweptMs = Long.MIN_VALUE;
  private long nowMs;

  @Override
  public void count(Verdict verdict, Event event, long atMs) {
    verdict.tell(event, at(atMs));
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
  public void decided(Limit limit, String key, Verdict.Kind kind) {
    Map<String, LimitCounts> rows = limit.rule().shadow() ? shadows : enforced;
    row(rows, limit.name()).count(kind, key, nowMs);
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
