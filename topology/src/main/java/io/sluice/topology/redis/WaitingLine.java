package io.sluice.topology.redis;

import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Queue of questions that must wait for Redis, in the order in which their events came. */
final class WaitingLine {
  private static final int MOST_AT_ONCE = 1_000;

  private final RedisMetrics metrics;
  private final Deque<PendingVerdict> waiting = new ArrayDeque<>();

  /** Number of events of each partition that wait in a store instead. */
  private final Map<Integer, Integer> aside = new HashMap<>();

  WaitingLine(RedisMetrics metrics) {
    this.metrics = metrics;
  }

  void add(List<PendingVerdict> questions) {
    waiting.addAll(questions);
    for (int i = 0; i < questions.size(); i++) metrics.fellBack(RedisUnavailable.WAIT);
    note();
  }

  /** Returns the first questions that are unanswered, as many as are asked at once. */
  List<PendingVerdict> next() {
    waiting.removeIf(question -> !question.isStuck());
    note();
    return waiting.stream().limit(MOST_AT_ONCE).toList();
  }

  /** Drops the questions of a partition that the instance has given up. */
  void forget(int partition) {
    aside.remove(partition);
    waiting.removeIf(question -> question.partition() == partition);
    note();
  }

  /** Counts an event that waits in a store. */
  void setAside(int partition) {
    aside.merge(partition, 1, Integer::sum);
    note();
  }

  /** Ends the count of events that wait in a store: they can be metered from now on. */
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
