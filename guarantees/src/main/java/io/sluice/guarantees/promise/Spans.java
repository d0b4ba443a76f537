package io.sluice.guarantees.promise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Checks the cost of charges in all time spans that begin and end with a charge. */
final class Spans {
  private Spans() {}

  /** Function for the maximum cost of the charges in a time span. */
  interface Most {
    /**
     * Returns the maximum cost in permits for a span in epoch milliseconds, which includes both its
     * first and its last instant.
     */
    long permits(long fromMs, long toMs);

    /**
     * Returns the maximum if it takes long to find, and {@link #permits} is only a lower bound of
     * it that is exceeded.
     */
    default long exactly(long fromMs, long toMs) {
      return permits(fromMs, toMs);
    }
  }

  /**
   * Returns the charges of the first time span whose cost exceeds the maximum, found by brute
   * force; empty if there is none.
   */
  static Optional<List<Charge>> exceeding(List<Charge> charges, Most most) {
    List<Charge> byEnd = new ArrayList<>(charges);
    byEnd.sort(Comparator.comparingLong(Charge::toMs));
    long[] starts = charges.stream().mapToLong(Charge::fromMs).sorted().distinct().toArray();
    for (long startMs : starts) {
      long permits = 0;
      for (int i = 0; i < byEnd.size(); i++) {
        Charge charge = byEnd.get(i);
        if (charge.fromMs() < startMs) continue;
        permits += charge.cost();
        boolean exceeds = permits > most.permits(startMs, charge.toMs());
        if (exceeds && permits > most.exactly(startMs, charge.toMs())) {
          return Optional.of(within(byEnd.subList(0, i + 1), startMs));
        }
      }
    }
    return Optional.empty();
  }

  private static List<Charge> within(List<Charge> charges, long startMs) {
    return charges.stream().filter(charge -> charge.fromMs() >= startMs).toList();
  }
}
