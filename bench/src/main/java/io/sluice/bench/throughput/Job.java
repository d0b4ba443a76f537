package io.sluice.bench.throughput;

import io.sluice.bench.apps.PlainTopology;
import io.sluice.bench.input.Input;
import io.sluice.bench.input.Kind;
import io.sluice.bench.report.Figures;
import io.sluice.bench.run.Application;

/**
 * Input and number of stream threads that several variants share. Each job has its own pass-through
 * variant, of whose speed the speed of the job's other variants is a share.
 *
 * @param keys number of keys, as a part of the variants' names
 * @param how distinguishing part of the variants' names; empty for the plain job
 */
record Job(String keys, String how, Input input, int threads) {
  private static final String FEW_KEYS = "10k keys";

  /** Job of the variants whose names mention no special input or number of threads. */
  static final Job PLAIN = new Job(FEW_KEYS, "", Input.inTurns(Input.FEW), 1);

  static Job of(String how, Kind kind) {
    return new Job(FEW_KEYS, how, new Input(kind, Input.FEW), 1);
  }

  static Job byThreads(String how, int threads) {
    return new Job(FEW_KEYS, how, Input.inTurns(Input.FEW), threads);
  }

  /** Returns the job with this number of keys, over which the events are spread evenly. */
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

  /** Creates a variant of this job. The job's distinguishing part follows the name. */
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
