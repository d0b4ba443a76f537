package io.sluice.limiter;

/**
 * A limit, as far as metering is concerned.
 *
 * @param name names the limit's keys, so it must be unique among limits that share a store
 * @param patienceMicros how long an arrival may be made to wait for its turn: 0 polices, more
 *     shapes
 * @param countsAttempts whether refused arrivals use up quota too
 * @param shadow whether the limit only watches: it decides, but never refuses or delays
 */
public record Rule(
    String name,
    Quota quota,
    Algorithm algorithm,
    long patienceMicros,
    boolean countsAttempts,
    boolean shadow) {

  public Rule {
    if (name.isEmpty()) throw new IllegalArgumentException("a rule needs a name");
    if (name.indexOf(0) >= 0) {
      throw new IllegalArgumentException("a rule's name cannot hold a zero character: " + name);
    }
    if (patienceMicros < 0 || patienceMicros > Quota.MOST_PERIOD_MICROS) {
      throw new IllegalArgumentException("patience must be 0 to 3660d: " + patienceMicros);
    }
    if (countsAttempts && (!algorithm.canCountAttempts() || patienceMicros > 0)) {
      throw new IllegalArgumentException(name + ": attempts are counted by policing windows only");
    }
    if (patienceMicros > 0 && !algorithm.canReserve()) {
      throw new IllegalArgumentException(name + ": a " + algorithm.title() + " cannot reserve");
    }
  }

  /** A rule that refuses what does not conform. */
  public static Rule policing(String name, Quota quota, Algorithm algorithm) {
    return new Rule(name, quota, algorithm, 0, false, false);
  }

  /** What one arrival may cost at most. */
  public long capacity() {
    return algorithm.hasBurst() ? quota.burst() : quota.permits();
  }

  /** Whether it delays what does not conform, instead of refusing it. */
  public boolean shapes() {
    return patienceMicros > 0;
  }
}
