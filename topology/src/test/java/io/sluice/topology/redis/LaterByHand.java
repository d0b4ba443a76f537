package io.sluice.topology.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Scheduler whose clock the test moves on. */
final class LaterByHand implements SerialScheduler {
  private final TreeMap<Long, List<Runnable>> tasks = new TreeMap<>();
  private long nowMs;

  @Override
  public void afterMs(long delayMs, Runnable task) {
    tasks.computeIfAbsent(nowMs + delayMs, absent -> new ArrayList<>()).add(task);
  }

  void passMs(long ms) {
    long untilMs = nowMs + ms;
    while (!tasks.isEmpty() && tasks.firstKey() <= untilMs) {
      nowMs = tasks.firstKey();
      tasks.pollFirstEntry().getValue().forEach(Runnable::run);
    }
    nowMs = untilMs;
  }

  @Override
  public void close() {}
}
