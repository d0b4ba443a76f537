package io.sluice.topology.redis;

import io.sluice.topology.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The questions of events that must wait for Redis, in the order in which they came. */
final class WaitingLine {
  private static final int MOST_AT_ONCE = 1_000;

  private final RedisMetrics metrics;
  private final Deque<PendingVerdict> waiting = new ArrayDeque<>();

  /** The number of events of each partition that wait elsewhere. */
  private final Map<Integer, Integer> aside = new HashMap<>();

  WaitingLine(RedisMetrics metrics) {
    this.metrics = metrics;
  }

  void add(List<PendingVerdict> questions) {
    waiting.addAll(questions);
    for (int i = 0; i < questions.size(); i++) metrics.fellBack(RedisUnavailable.WAIT);
    note();
  }

  /** Those at the front that are not answered, as many as are asked at once. */
  List<PendingVerdict> next() {
    waiting.removeIf(question -> !question.isStuck());
    note();
    return waiting.stream().limit(MOST_AT_ONCE).toList();
  }

  /** Lets go of those on a partition that is somebody else's now. */
  void forget(int partition) {
    aside.remove(partition);
    waiting.removeIf(question -> question.partition() == partition);
    note();
  }

  /** Counts an event that waits elsewhere. */
  void setAside(int partition) {
    aside.merge(partition, 1, Integer::sum);
    note();
  }

  /** Ends the count of events that wait elsewhere: they can be metered from now on. */
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
