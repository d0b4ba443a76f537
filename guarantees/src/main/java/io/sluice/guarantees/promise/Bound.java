package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/** Bound on the charges of a key, by the definition of an algorithm. */
interface Bound {
  /** Returns violations that exist for all times of the charges within their intervals. */
  Stream<String> exceeded(Limit limit, List<Charge> charges);

  /** Returns the number of charges, and the first and the last one, for a message. */
  static String between(List<Charge> charges) {
    Charge first = charges.get(0);
    Charge last = charges.get(charges.size() - 1);
    return "%d events from %s, charged at %d, to %s, charged at %d"
        .formatted(charges.size(), first.end(), first.fromMs(), last.end(), last.toMs());
  }
}
