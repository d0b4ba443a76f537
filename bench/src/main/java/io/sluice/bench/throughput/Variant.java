package io.sluice.bench.throughput;

import io.sluice.bench.input.Input;
import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Application;
import io.sluice.limiter.Algorithm;
import java.util.List;

/**
 * One way to do it.
 *
 * @param name what it is called in the table
 * @param basis the name of the pass-through that does the same job: of the same input, by as many
 *     threads
 * @param share it takes one of so many events: what is slow need not take them all
 * @param exact the algorithm whose verdicts it must give, exactly; none if nobody can say, and
 *     nothing may be rejected if it has none to give
 * @param onCluster whether the Redis that it is given is a Cluster
 */
record Variant(
    String name,
    String basis,
    Input input,
    int share,
    Application application,
    List<Algorithm> exact,
    boolean onCluster) {

  static Variant of(String name, Input input, Application application) {
    return new Variant(name, name, input, 1, application, List.of(), false);
  }

  /** The same, beside a pass-through. */
  Variant beside(String passThrough) {
    return new Variant(name, passThrough, input, share, application, exact, onCluster);
  }

  Variant taking(int oneOf) {
    return new Variant(name, basis, input, oneOf, application, exact, onCluster);
  }

  Variant exactly(Algorithm algorithm) {
    return new Variant(name, basis, input, share, application, List.of(algorithm), onCluster);
  }

  Variant asking(boolean cluster) {
    return new Variant(name, basis, input, share, application, exact, cluster);
  }

  /** The same of another input. */
  Variant with(Input other) {
    return new Variant(name, basis, other, share, application, exact, onCluster);
  }

  /** How many events it must have taken at least. */
  long events(Workload workload) {
    return workload.events() / share;
  }
}
