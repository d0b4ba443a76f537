package io.sluice.bench.throughput;

import io.sluice.bench.input.Input;
import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Application;
import io.sluice.limiter.Algorithm;
import java.util.List;

/**
 * Application to be measured on an input.
 *
 * @param name name in the tables
 * @param basis name of the pass-through with the same input and number of threads
 * @param share processes at least one of this many events: a slow variant need not process all
 * @param exact algorithm with which the number of allowed events must agree; empty for no check
 * @param onCluster whether its Redis is a Cluster
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

  /** Returns a copy with this pass-through as its basis. */
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

  /** Returns a copy with another input. */
  Variant with(Input other) {
    return new Variant(name, basis, other, share, application, exact, onCluster);
  }

  /** Returns the number of events that it must process. */
  long events(Workload workload) {
    return workload.events() / share;
  }
}
