package io.sluice.topology.redis;

import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Queue of questions about events that may not pass until Redis has answered, in the order in which
 * the events came.
 */
final class WaitingLine {
  private static final int MOST_AT_ONCE = 1_000;

  private final RedisMetrics metrics;
  private final Deque<PendingVerdict> waiting = new ArrayDeque<>();

  /** Number of events of each partition that wait for Redis in a state store, not in this queue. */
  private final Map<Integer, Integer> aside = new HashMap<>();

  WaitingLine(RedisMetrics metrics) {
    this.metrics = metrics;
  }

  void add(List<PendingVerdict> questions) {
    waiting.addAll(questions);
    for (int i = 0; i < questions.size(); i++) metrics.fellBack(RedisUnavailable.WAIT);
    note();
  }

  /**
   * Removes questions whose events need not wait for Redis any more, and returns the first 1,000 of
   * the remaining questions, for the next call to Redis.
   */
  List<PendingVerdict> next() {
    waiting.removeIf(question -> !question.isStuck());
    note();
    return waiting.stream().limit(MOST_AT_ONCE).toList();
  }

  /** Drops all questions to Redis about events of a partition whose task is closed. */
  void forget(int partition) {
    aside.remove(partition);
    waiting.removeIf(question -> question.partition() == partition);
    note();
  }

  /** Counts an event of a partition that waits for Redis in a state store, not in this queue. */
  void setAside(int partition) {
    aside.merge(partition, 1, Integer::sum);
    note();
  }

  /**
   * Sets the number of events that wait in state stores to zero, since Redis is back and the events
   * can be metered.
   */
  void takeUp() {
    aside.clear();
    note();
  }

  private void note() {
    int elsewhere = aside.values().stream().mapToInt(Integer::intValue).sum();
    metrics.waiting(waiting.size() + elsewhere);
  }

  int size() {
    return waiting.size();
  }
}
