package io.sluice.bench.throughput;

import io.sluice.bench.apps.PlainTopology;
import io.sluice.bench.input.Input;
import io.sluice.bench.input.Kind;
import io.sluice.bench.report.Figures;
import io.sluice.bench.run.Application;

/**
 * The job that variants do: an input, and how many threads there are for it. Each has a
 * pass-through of its own, by which those that do it are measured.
 *
 * @param keys how many there are, as names say it
 * @param how what sets it apart, as names say it; empty if nothing does
 */
record Job(String keys, String how, Input input, int threads) {
  private static final String FEW_KEYS = "10k keys";

  /** The job of all variants of which nothing else is said. */
  static final Job PLAIN = new Job(FEW_KEYS, "", Input.inTurns(Input.FEW), 1);

  static Job of(String how, Kind kind) {
    return new Job(FEW_KEYS, how, new Input(kind, Input.FEW), 1);
  }

  static Job byThreads(String how, int threads) {
    return new Job(FEW_KEYS, how, Input.inTurns(Input.FEW), threads);
  }

  /** The job of so many keys, each of which is met as often as there are events for it. */
  static Job ofMany(int keys, long events) {
    if (keys == Input.FEW) return PLAIN;
    long met = events / keys;
    String often = met > 1 ? ", met %d times".formatted(met) : "";
    return new Job(Figures.round(keys) + " keys" + often, "", Input.inTurns(keys), 1);
  }

  Variant passThrough() {
    String withKeys =
        keys.equals(FEW_KEYS)
            ? PlainTopology.PASS_THROUGH_NAME
            : PlainTopology.PASS_THROUGH_NAME + ", " + keys;
    return Variant.of(named(withKeys), input, threaded(PlainTopology.PASS_THROUGH));
  }

  /** A variant that does this, with what sets it apart behind its name. */
  Variant by(String name, Application application) {
    return Variant.of(named(name), input, threaded(application)).beside(passThrough().name());
  }

  private String named(String name) {
    return how.isEmpty() ? name : name + ", " + how;
  }

  private Application threaded(Application application) {
    if (threads == 1) return application;
    return at -> application.start(at.with("num.stream.threads", Integer.toString(threads)));
  }
}
