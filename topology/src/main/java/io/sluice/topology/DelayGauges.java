package io.sluice.topology;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The state of an instance's delayed events, over all its tasks. Safe for many threads. */
final class DelayGauges {
  private final Set<DelayMetrics> tasks = ConcurrentHashMap.newKeySet();
  private final LongAdder released = new LongAdder();

  void join(DelayMetrics task) {
    tasks.add(task);
  }

  void leave(DelayMetrics task) {
    tasks.remove(task);
  }

  void released() {
    released.increment();
  }

  void readings(Consumer<Reading> to) {
    to.accept(Reading.gauge("delayed-events", "Delayed events that are waiting.", this::waiting));
    to.accept(
        Reading.gauge(
            "delayed-overdue-seconds",
            "How long the first delayed event is overdue; 0 if it is not due yet.",
            this::overdueSeconds));
    to.accept(
        Reading.counter(
            "released-events",
            "Delayed events that were released: allowed, or metered again.",
            Map.of(),
            released::sum));
  }

  private double waiting() {
    return tasks.stream().mapToLong(DelayMetrics::waiting).sum();
  }

  private double overdueSeconds() {
    return tasks.stream().mapToLong(DelayMetrics::overdueMs).max().orElse(0) / 1_000.0;
  }
}
