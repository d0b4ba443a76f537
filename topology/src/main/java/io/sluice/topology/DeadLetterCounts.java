package io.sluice.topology;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The number of dead letters, by reason. Safe for many threads. */
final class DeadLetterCounts {
  private final Map<DeadLetter.Reason, LongAdder> counts = new EnumMap<>(DeadLetter.Reason.class);

  DeadLetterCounts() {
    for (DeadLetter.Reason reason : DeadLetter.Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  void count(DeadLetter.Reason reason) {
    counts.get(reason).increment();
  }

  long total() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  void readings(Consumer<Reading> to) {
    counts.forEach(
        (reason, count) ->
            to.accept(
                Reading.counter(
                    "dead-letters",
                    "Records that are not events, by reason.",
                    Map.of("reason", Form.nameOf(reason)),
                    count::sum)));
  }
}
