package io.sluice.guarantees.promise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All spans of time that some charges begin and end, tried one by one. */
final class Spans {
  private Spans() {}

  /** What may be charged in a span of time. */
  interface Most {
    /** Permits in a span from the first instant to the last, both of them in it. */
    long permits(long spanMs);
  }

  /** The charges of the first span found that holds more than it may; by brute force. */
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
        if (permits > most.permits(charge.toMs() - startMs)) {
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
