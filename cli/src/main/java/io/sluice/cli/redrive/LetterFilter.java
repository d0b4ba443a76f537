package io.sluice.cli.redrive;

import io.sluice.cli.event.DeadLetter;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.topology.intake.DeadLetters;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Filter of dead letters by their timestamp and reason.
 *
 * @param since letters with an earlier timestamp are skipped
 * @param reasons reasons of the wanted letters; empty for all letters
 */
record LetterFilter(Instant since, Set<String> reasons) {
  /** Reason of a letter whose header is missing or names no reason that Sluice knows. */
  static final String UNKNOWN = "(unknown)";

  private static final List<String> ALL =
      Arrays.stream(FaultKind.values()).map(Keys::nameOf).sorted().toList();

  LetterFilter {
    reasons = Set.copyOf(reasons);
  }

  /**
   * Creates a filter.
   *
   * @throws IllegalArgumentException if a reason is unknown; the message names all reasons
   */
  static LetterFilter of(Instant since, Collection<String> reasons) {
    for (String each : reasons) {
      if (ALL.contains(each)) continue;
      throw new IllegalArgumentException(
          "--reason " + each + ": a reason is one of " + String.join(", ", ALL));
    }
    return new LetterFilter(since, Set.copyOf(reasons));
  }

  boolean wants(ConsumerRecord<byte[], byte[]> letter) {
    return letter.timestamp() >= since.toEpochMilli()
        && (reasons.isEmpty() || reasons.contains(reason(letter)));
  }

  /** Returns the reason in a letter's header, or {@link #UNKNOWN}. */
  static String reason(ConsumerRecord<byte[], byte[]> letter) {
    String reason = new DeadLetter(letter).text(DeadLetters.ERROR_REASON);
    return ALL.contains(reason) ? reason : UNKNOWN;
  }
}
