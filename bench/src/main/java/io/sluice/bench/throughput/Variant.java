package io.sluice.bench.throughput;

import io.sluice.bench.input.Input;
import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Application;
import io.sluice.limiter.Algorithm;
import java.util.List;

/**
 * Application to be measured on an input, and its name in the tables.
 *
 * @param name name in the tables
 * @param basis name of the pass-through variant with the same input and number of threads
 * @param share the variant processes at least one of this many events, because a slow variant need
 *     not process all
 * @param exact algorithm whose number of allowed events the variant must have; empty for no check
 * @param onCluster whether the application's Redis is a Cluster
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

  /** Returns a copy that is compared with the pass-through variant of this name. */
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

  /** Returns a copy that is measured on another input. */
  Variant with(Input other) {
    return new Variant(name, basis, other, share, application, exact, onCluster);
  }

  /** Returns the number of events that the variant must process. */
  long events(Workload workload) {
    return workload.events() / share;
  }
}
