package io.sluice.bench;

/**
 * The job that variants do: an input, and how many threads there are for it. Each has a
 * pass-through of its own, by which those that do it are measured.
 *
 * @param keys how many there are, as names say it
 * @param how what sets it apart, as names say it; empty if nothing does
 */
record Job(String keys, String how, Input input, int threads) {
  static final int FEW = 10_000;
  static final String PASS_THROUGH = "pass-through";

  private static final String FEW_KEYS = "10k keys";

  /** The job of all variants of which nothing else is said. */
  static final Job PLAIN = new Job(FEW_KEYS, "", Input.inTurns(FEW), 1);

  static Job of(String how, Kind kind) {
    return new Job(FEW_KEYS, how, new Input(kind, FEW), 1);
  }

  static Job byThreads(String how, int threads) {
    return new Job(FEW_KEYS, how, Input.inTurns(FEW), threads);
  }

  /** The job of so many keys, each of which is met as often as there are events for it. */
  static Job ofMany(int keys, long events) {
    if (keys == FEW) return PLAIN;
    long met = events / keys;
    String often = met > 1 ? ", met %d times".formatted(met) : "";
    return new Job(number(keys) + " keys" + often, "", Input.inTurns(keys), 1);
  }

  static String number(int count) {
    return count % 1_000_000 == 0 ? count / 1_000_000 + "M" : count / 1_000 + "k";
  }

  Variant passThrough() {
    String withKeys = keys.equals(FEW_KEYS) ? PASS_THROUGH : PASS_THROUGH + ", " + keys;
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
