package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/** Bound on the charges of a key, by the definition of a limit's algorithm. */
interface Bound {
  /**
   * Returns violations that exist wherever the charges were within their intervals of possible
   * times.
   */
  Stream<String> exceeded(Limit limit, List<Charge> charges);

  /** Returns a text for a message: the number of charges, the first and the last one. */
  static String between(List<Charge> charges) {
    Charge first = charges.get(0);
    Charge last = charges.get(charges.size() - 1);
    return "%d events from %s, charged at %d, to %s, charged at %d"
        .formatted(charges.size(), first.end(), first.fromMs(), last.end(), last.toMs());
  }
}
