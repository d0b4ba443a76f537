package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/** A bound that the charges of one key must keep to, by the definition of an algorithm. */
interface Bound {
  /** What exceeds the limit for certain, wherever between their bounds the charges were. */
  Stream<String> exceeded(Limit limit, List<Charge> charges);

  /** The first of these charges and the last, and what they are. */
  static String between(List<Charge> charges) {
    Charge first = charges.get(0);
    Charge last = charges.get(charges.size() - 1);
    return "%d events from %s, charged at %d, to %s, charged at %d"
        .formatted(charges.size(), first.end(), first.fromMs(), last.end(), last.toMs());
  }
}
