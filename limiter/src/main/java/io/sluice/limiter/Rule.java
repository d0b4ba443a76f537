package io.sluice.limiter;

import java.util.List;

/**
 * A limit, as far as metering is concerned. Immutable, and cheap to keep: one may be made for each
 * change, and for each user that has numbers of its own.
 *
 * @param name names the limit's keys, so it must be unique among limits that share a store
 * @param quota the one that holds until the first change
 * @param patienceMicros how long an arrival may be made to wait for its turn: 0 polices, more
 *     shapes; until the first change
 * @param countsAttempts whether refused arrivals use up quota too
 * @param shadow whether the limit only watches: it decides, but never refuses or delays
 * @param schedule of its changes, see {@link #changing}
 */
public record Rule(
    String name,
    Quota quota,
    Algorithm algorithm,
    long patienceMicros,
    boolean countsAttempts,
    boolean shadow,
    Schedule schedule) {

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

  /** A rule that never changes. */
  public Rule(
      String name,
      Quota quota,
      Algorithm algorithm,
      long patienceMicros,
      boolean countsAttempts,
      boolean shadow) {
    this(name, quota, algorithm, patienceMicros, countsAttempts, shadow, Schedule.NONE);
  }

  /** A rule that refuses what does not conform. */
  public static Rule policing(String name, Quota quota, Algorithm algorithm) {
    return new Rule(name, quota, algorithm, 0, false, false);
  }

  /**
   * The same rule with these changes of its numbers, in place of those that it has. A bucket is
   * judged by the numbers in force at the instant at which it is judged: {@link
   * Judgement#nowMicros}.
   *
   * @param changes in any order, but those of one instant in the order in which they apply
   * @throws IllegalArgumentException if a rule cannot have such numbers
   */
  public Rule changing(List<Change> changes) {
    Rule plain = with(quota, patienceMicros);
    Schedule schedule = Schedule.of(plain, changes);
    return schedule.isEmpty()
        ? plain
        : new Rule(name, quota, algorithm, patienceMicros, countsAttempts, shadow, schedule);
  }

  /** The same rule with these numbers, and without changes. */
  public Rule with(Quota otherQuota, long otherPatienceMicros) {
    return new Rule(name, otherQuota, algorithm, otherPatienceMicros, countsAttempts, shadow);
  }

  /** The rule whose own numbers are those that hold at this instant. */
  public Rule at(long micros) {
    return schedule.isEmpty() ? this : schedule.at(this, micros);
  }

  /** What one arrival may cost at most, until the first change. */
  public long capacity() {
    return algorithm.hasBurst() ? quota.burst() : quota.permits();
  }

  /** Whether it delays what does not conform, instead of refusing it. */
  public boolean shapes() {
    return patienceMicros > 0;
  }
}
