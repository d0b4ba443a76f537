package io.sluice.limiter;

/** Counters of a sliding window as they were found in a store elsewhere. */
public final class Counters {
  private final WindowCounter state;

  /**
   * @param startMicros of the running period
   * @param last what the period before it counted
   * @param running what it has counted itself
   */
  public Counters(Rule rule, long startMicros, long last, long running) {
    state = new WindowCounter(rule, startMicros, last, running);
  }

  /** The first instant, at or after now, at which a cost within the permits conforms. */
  public long conformsAt(long nowMicros, long cost) {
    return state.conformsAt(nowMicros, cost);
  }

  /** What they say, see {@link Finding}. */
  public Finding finding(long nowMicros, long conformsAtMicros, long metAtMicros) {
    return Finding.of(state, nowMicros, conformsAtMicros, metAtMicros);
  }
}
