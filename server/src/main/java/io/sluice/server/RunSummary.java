package io.sluice.server;

import io.sluice.rules.limit.Verdict;
import io.sluice.topology.metrics.Instruments;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/**
 * Totals of an instance (verdicts and dead letters) as one line, which is logged when the instance
 * closes.
 */
final class RunSummary {
  private final Instruments instruments;
  private final InstantSource clock;
  private final long beganMs;

  RunSummary(Instruments instruments, InstantSource clock) {
    this.instruments = instruments;
    this.clock = clock;
    this.beganMs = clock.millis();
  }

  String line() {
    Map<Verdict.Kind, Long> counts = new EnumMap<>(Verdict.Kind.class);
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      counts.put(kind, instruments.total(kind));
    }
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    StringBuilder line = new StringBuilder();
    line.append(counted(all, "verdict")).append(" in ").append(took()).append(':');
    counts.forEach((kind, count) -> line.append(" %,d %s,".formatted(count, kind.text)));
    return line + " and " + counted(instruments.deadLetters(), "dead letter");
  }

  private String took() {
    return "%,d s".formatted(Math.max((clock.millis() - beganMs) / 1_000, 1));
  }

  private static String counted(long count, String noun) {
    return "%,d %s%s".formatted(count, noun, count == 1 ? "" : "s");
  }
}
