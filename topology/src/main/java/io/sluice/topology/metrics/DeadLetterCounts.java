package io.sluice.topology.metrics;

import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts records that are sent to the dead-letter topic, by reason. Safe for many threads. */
final class DeadLetterCounts {
  private final Map<FaultKind, LongAdder> counts = new EnumMap<>(FaultKind.class);

  DeadLetterCounts() {
    for (FaultKind kind : FaultKind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  void count(FaultKind kind) {
    counts.get(kind).increment();
  }

  long total() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  void readings(Consumer<MetricDefinition> to) {
    counts.forEach(
        (reason, count) ->
            to.accept(
                MetricDefinition.counter(
                    "dead-letters",
                    "Records that are not events, by reason.",
                    Map.of("reason", Keys.nameOf(reason)),
                    count::sum)));
  }
}
