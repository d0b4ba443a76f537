package io.sluice.limiter;

import io.sluice.limiter.filter.FilterSize;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Rule that a limit is metered by. Immutable and small, so there can be one for each change, and
 * one for each user with an override.
 *
 * @param name part of the limit's keys, so it must be unique among limits that share a store
 * @param quota in force until the first change
 * @param patienceMicros longest wait of an arrival for its slot: 0 polices, more shapes; until the
 *     first change
 * @param blockMicros length of the block that begins when the limit refuses an arrival as over
 *     quota; 0 for no block; until the first change
 * @param countsAttempts whether refused arrivals use up quota too
 * @param shadow whether the limit only watches: it decides, but never refuses or delays
 * @param zone time zone of the quota's periods, if they are a calendar's
 * @param filter size of its Bloom filters, if it has any
 * @param schedule its changes, see {@link #changing}
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
      throw new IllegalArgumentException("a rule's name cannot contain a zero character: " + name);
    }
    Bucket.requireKey(name);
    if (patienceMicros < 0 || patienceMicros > Quota.MOST_PERIOD_MICROS) {
      throw new IllegalArgumentException("patience must be 0 to 3660d: " + patienceMicros);
    }
    if (blockMicros < 0 || blockMicros > Quota.MOST_PERIOD_MICROS) {
      throw new IllegalArgumentException("a block must be 0 to 3660d: " + blockMicros);
    }
    if (blockMicros > 0 && patienceMicros > 0) {
      throw new IllegalArgumentException(name + ": a limit that delays cannot block keys");
    }
    if (quota.unit() != CalendarUnit.NONE && !algorithm.countsCalendarPeriods()) {
      throw new IllegalArgumentException(
          name
              + ": a "
              + algorithm.title()
              + " cannot count calendar periods, such as "
              + quota.unit());
    }
    if (algorithm.admitsOnce() && (quota.permits() != 1 || blockMicros > 0)) {
      throw new IllegalArgumentException(
          name + ": a " + algorithm.title() + " needs 1 permit per period, and blocks no keys");
    }
    if (countsAttempts && (!algorithm.canCountAttempts() || patienceMicros > 0)) {
      throw new IllegalArgumentException(
          name + ": only window algorithms without delay can count attempts");
    }
    if (patienceMicros > 0 && !algorithm.canReserve()) {
      throw new IllegalArgumentException(name + ": a " + algorithm.title() + " cannot reserve");
    }
  }

  /** Creates a rule that never changes and never blocks; periods of a calendar are those of UTC. */
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

  /** Returns a rule that refuses non-conforming arrivals. */
  public static Rule policing(String name, Quota quota, Algorithm algorithm) {
    return new Rule(name, quota, algorithm, 0, false, false);
  }

  /**
   * Returns this rule, without changes, with blocks of this length for keys that exceed the quota.
   */
  public Rule blocking(long micros) {
    return with(quota, patienceMicros, micros);
  }

  /** Returns this rule, without changes, with the calendar of this time zone. */
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

  /** Returns this rule, without changes, with filters of this size. */
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
   * Returns this rule with these changes instead of its present ones. A bucket is judged by the
   * numbers in force at the instant at which it is judged: {@link Judgement#nowMicros}.
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

  /** Returns this rule with these numbers, and without changes. */
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

  /** Returns the rule whose own numbers are those in force at this instant. */
  public Rule at(long micros) {
    return schedule.isEmpty() ? this : schedule.at(this, micros);
  }

  /** Returns the largest cost that can ever conform, until the first change. */
  public long capacity() {
    boolean countsAsOne = algorithm.admitsOnce() || algorithm.countsDistinct();
    if (countsAsOne) return Long.MAX_VALUE; // every cost counts as one
    return algorithm.hasBurst() ? quota.burst() : quota.permits();
  }

  /** Returns the end of the period that contains an instant, by the rule's own numbers. */
  public long periodEndMicros(long micros) {
    long period = quota.periodMicros();
    return quota.unit() == CalendarUnit.NONE
        ? micros - micros % period + period
        : quota.unit().endMicros(micros, zone);
  }

  /** Whether any phase of the rule has a block. A rule without one ignores stored blocks. */
  public boolean blocks() {
    return blockMicros > 0 || schedule.blocks();
  }

  /**
   * Returns this rule, if it always polices, is enforced, and counts no distinct values.
   *
   * @throws IllegalArgumentException if it delays, only watches or counts distinct values
   */
  public Rule requirePolicing() {
    boolean delays = shapes() || schedule.phases().stream().anyMatch(each -> each.rule().shapes());
    if (delays || shadow || algorithm.countsDistinct()) {
      throw new IllegalArgumentException(
          "a limiter can only refuse, without delay, shadow or distinct: " + this);
    }
    return this;
  }

  /** Whether the rule, by its own numbers, does nothing but refuse non-conforming arrivals. */
  boolean onlyPolices() {
    return !shapes() && !shadow && blockMicros == 0 && !countsAttempts;
  }

  /** Whether the rule delays non-conforming arrivals instead of refusing them. */
  public boolean shapes() {
    return patienceMicros > 0;
  }
}
