package io.sluice.bench;

import io.sluice.limiter.Algorithm;
import java.util.List;

/**
 * One way to do it.
 *
 * @param name what it is called in the table
 * @param users how many keys there are
 * @param share it takes one of so many events: what is slow need not take them all
 * @param exact the algorithm whose verdicts it must give, exactly; none if nobody can say, and
 *     nothing may be rejected if it has none to give
 */
record Variant(String name, int users, int share, Application application, List<Algorithm> exact) {

  static Variant of(String name, int users, Application application) {
    return new Variant(name, users, 1, application, List.of());
  }

  Variant taking(int oneOf) {
    return new Variant(name, users, oneOf, application, exact);
  }

  Variant exactly(Algorithm algorithm) {
    return new Variant(name, users, share, application, List.of(algorithm));
  }

  /** How many events it must have taken at least. */
  long events(Workload workload) {
    return workload.events() / share;
  }
}
