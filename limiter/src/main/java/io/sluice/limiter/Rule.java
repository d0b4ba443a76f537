package io.sluice.limiter;

import io.sluice.limiter.filter.FilterSize;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A limit, as far as metering is concerned. Immutable, and cheap to keep: one may be made for each
 * change, and for each user that has numbers of its own.
 *
 * @param name names the limit's keys, so it must be unique among limits that share a store
 * @param quota the one that holds until the first change
 * @param patienceMicros how long an arrival may be made to wait for its turn: 0 polices, more
 *     shapes; until the first change
 * @param blockMicros how long a bucket is blocked from an arrival on that the limit refuses, as it
 *     is over the limit; 0 if it is not; until the first change
 * @param countsAttempts whether refused arrivals use up quota too
 * @param shadow whether the limit only watches: it decides, but never refuses or delays
 * @param zone in whose calendar the quota's periods are, if they are a calendar's
 * @param filter the size of its filters, if it has any
 * @param schedule of its changes, see {@link #changing}
 */
public record Rule(
    String name,
    Quota quota,
    Algorithm algorithm,
    long patienceMicros,
    long blockMicros,
    boolean countsAttempts,
    boolean shadow,
    ZoneId zone,
    FilterSize filter,
    Schedule schedule) {

  public Rule {
    if (name.isEmpty()) throw new IllegalArgumentException("a rule needs a name");
    if (name.indexOf(0) >= 0) {
      throw new IllegalArgumentException("a rule's name cannot hold a zero character: " + name);
    }
    Bucket.requireKey(name);
    if (patienceMicros < 0 || patienceMicros > Quota.MOST_PERIOD_MICROS) {
      throw new IllegalArgumentException("patience must be 0 to 3660d: " + patienceMicros);
    }
    if (blockMicros < 0 || blockMicros > Quota.MOST_PERIOD_MICROS) {
      throw new IllegalArgumentException("a block must be 0 to 3660d: " + blockMicros);
    }
    if (blockMicros > 0 && patienceMicros > 0) {
      throw new IllegalArgumentException(
          name + ": only a limit that refuses blocks, not one that delays");
    }
    if (quota.unit() != CalendarUnit.NONE && !algorithm.countsCalendarPeriods()) {
      throw new IllegalArgumentException(
          name
              + ": a "
              + algorithm.title()
              + " has no periods of a calendar, such as "
              + quota.unit());
    }
    if (algorithm.admitsOnce() && (quota.permits() != 1 || blockMicros > 0)) {
      throw new IllegalArgumentException(
          name + ": a " + algorithm.title() + " admits once in a period, and blocks nobody");
    }
    if (countsAttempts && (!algorithm.canCountAttempts() || patienceMicros > 0)) {
      throw new IllegalArgumentException(name + ": attempts are counted by policing windows only");
    }
    if (patienceMicros > 0 && !algorithm.canReserve()) {
      throw new IllegalArgumentException(name + ": a " + algorithm.title() + " cannot reserve");
    }
  }

  /** A rule that never changes, and blocks nobody; a calendar's periods are those of UTC. */
  public Rule(
      String name,
      Quota quota,
      Algorithm algorithm,
      long patienceMicros,
      boolean countsAttempts,
      boolean shadow) {
    this(
        name,
        quota,
        algorithm,
        patienceMicros,
        0,
        countsAttempts,
        shadow,
        ZoneOffset.UTC,
        FilterSize.NONE,
        Schedule.NONE);
  }

  /** A rule that refuses what does not conform. */
  public static Rule policing(String name, Quota quota, Algorithm algorithm) {
    return new Rule(name, quota, algorithm, 0, false, false);
  }

  /** The same rule, without changes, that blocks who goes over it for so long. */
  public Rule blocking(long micros) {
    return with(quota, patienceMicros, micros);
  }

  /** The same rule, without changes, with the calendar of this zone. */
  public Rule in(ZoneId otherZone) {
    return new Rule(
        name,
        quota,
        algorithm,
        patienceMicros,
        blockMicros,
        countsAttempts,
        shadow,
        otherZone,
        filter,
        Schedule.NONE);
  }

  /** The same rule, without changes, with filters of this size. */
  public Rule with(FilterSize size) {
    return new Rule(
        name,
        quota,
        algorithm,
        patienceMicros,
        blockMicros,
        countsAttempts,
        shadow,
        zone,
        size,
        Schedule.NONE);
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
    return following(Schedule.of(following(Schedule.NONE), changes));
  }

  private Rule following(Schedule other) {
    return new Rule(
        name,
        quota,
        algorithm,
        patienceMicros,
        blockMicros,
        countsAttempts,
        shadow,
        zone,
        filter,
        other);
  }

  /** The same rule with these numbers, and without changes. */
  public Rule with(Quota otherQuota, long otherPatienceMicros, long otherBlockMicros) {
    return new Rule(
        name,
        otherQuota,
        algorithm,
        otherPatienceMicros,
        otherBlockMicros,
        countsAttempts,
        shadow,
        zone,
        filter,
        Schedule.NONE);
  }

  /** The rule whose own numbers are those that hold at this instant. */
  public Rule at(long micros) {
    return schedule.isEmpty() ? this : schedule.at(this, micros);
  }

  /** What one arrival may cost at most, until the first change. */
  public long capacity() {
    boolean countsAsOne = algorithm.admitsOnce() || algorithm.countsDistinct();
    if (countsAsOne) return Long.MAX_VALUE; // whatever it costs
    return algorithm.hasBurst() ? quota.burst() : quota.permits();
  }

  /** The end of the period that an instant is in, by the rule's own numbers. */
  public long periodEndMicros(long micros) {
    long period = quota.periodMicros();
    return quota.unit() == CalendarUnit.NONE
        ? micros - micros % period + period
        : quota.unit().endMicros(micros, zone);
  }

  /** Whether it blocks who goes over it, at any time: a rule that never does knows of no block. */
  public boolean blocks() {
    return blockMicros > 0 || schedule.blocks();
  }

  /**
   * This rule, if all that it ever does is to refuse what does not conform.
   *
   * @throws IllegalArgumentException if it delays, only watches or counts distinct values
   */
  public Rule requirePolicing() {
    boolean delays = shapes() || schedule.phases().stream().anyMatch(each -> each.rule().shapes());
    if (delays || shadow || algorithm.countsDistinct()) {
      throw new IllegalArgumentException(
          "the rule of a limiter refuses what does not conform, and no more: " + this);
    }
    return this;
  }

  /** Whether all that it does, by its own numbers, is to refuse what does not conform. */
  boolean onlyPolices() {
    return !shapes() && !shadow && blockMicros == 0 && !countsAttempts;
  }

  /** Whether it delays what does not conform, instead of refusing it. */
  public boolean shapes() {
    return patienceMicros > 0;
  }
}
