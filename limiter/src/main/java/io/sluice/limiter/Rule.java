package io.sluice.limiter;

import io.sluice.limiter.filter.FilterSize;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Rule by which a limit meters arrivals. Immutable and small, so there can be one for each change,
 * and one for each user with an override.
 *
 * @param name name of the limit. It is part of the limit's keys, so it must be unique among limits
 *     that share a store
 * @param quota quota in force until the rule's first change
 * @param patienceMicros longest wait of an arrival for its slot, until the first change: with 0 the
 *     rule polices (refuses at once), with more it shapes (delays)
 * @param blockMicros length of the block of a key that begins when the limit refuses an arrival as
 *     over quota, until the first change; 0 for no block
 * @param countsAttempts whether refused arrivals are charged too
 * @param shadow whether the limit only watches: it decides, but never refuses or delays
 * @param zone time zone of the quota's periods, if they are calendar units
 * @param filter size of the limit's Bloom filters, if the algorithm has any
 * @param schedule the rule's changes, see {@link #changing}
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

  /** Creates a rule that never changes and never blocks; its calendar periods are those of UTC. */
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

  /** Returns a rule that refuses non-conforming arrivals, without delay, blocks or changes. */
  public static Rule policing(String name, Quota quota, Algorithm algorithm) {
    return new Rule(name, quota, algorithm, 0, false, false);
  }

  /**
   * Returns a copy of this rule that blocks a key for this time when the key exceeds the quota. The
   * copy has no changes.
   */
  public Rule blocking(long micros) {
    return with(quota, patienceMicros, micros);
  }

  /**
   * Returns a copy of this rule whose calendar periods are those of this time zone. The copy has no
   * changes.
   */
  public Rule in(ZoneId otherZone) {
    return copy(otherZone, filter, Schedule.NONE);
  }

  /** Returns a copy of this rule with Bloom filters of this size. The copy has no changes. */
  public Rule with(FilterSize size) {
    return copy(zone, size, Schedule.NONE);
  }

  /**
   * Returns a copy of this rule with these changes instead of its present changes. A bucket is
   * judged by the numbers in force at the instant at which it is judged: {@link
   * Judgement#nowMicros}.
   *
   * @param changes changes in any order, but changes at the same instant in the order in which they
   *     apply
   * @throws IllegalArgumentException if the rule cannot have the numbers of a change
   */
  public Rule changing(List<Change> changes) {
    Rule before = copy(zone, filter, Schedule.NONE);
    return copy(zone, filter, Schedule.of(before, changes));
  }

  private Rule copy(ZoneId itsZone, FilterSize size, Schedule changes) {
    return new Rule(
        name,
        quota,
        algorithm,
        patienceMicros,
        blockMicros,
        countsAttempts,
        shadow,
        itsZone,
        size,
        changes);
  }

  /**
   * Returns a copy of this rule with this quota, patience and block length. The copy has no
   * changes.
   */
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

  /** Returns this rule with the numbers that are in force at this instant as its own numbers. */
  public Rule at(long micros) {
    return schedule.isEmpty() ? this : schedule.at(this, micros);
  }

  /** Returns the largest cost, in permits, that can ever conform until the rule's first change. */
  public long capacity() {
    boolean countsAsOne = algorithm.admitsOnce() || algorithm.countsDistinct();
    if (countsAsOne) return Long.MAX_VALUE; // these algorithms charge one permit for any cost
    return algorithm.hasBurst() ? quota.burst() : quota.permits();
  }

  /**
   * Returns the end of the period that contains an instant, in epoch microseconds, by the rule's
   * numbers before any change.
   */
  public long periodEndMicros(long micros) {
    long period = quota.periodMicros();
    return quota.unit() == CalendarUnit.NONE
        ? micros - micros % period + period
        : quota.unit().endMicros(micros, zone);
  }

  /**
   * Whether the rule blocks keys before or after any of its changes. A rule that never blocks
   * ignores stored blocks.
   */
  public boolean blocks() {
    return blockMicros > 0 || schedule.blocks();
  }

  /**
   * Returns this rule, if it is enforced, never delays, and counts no distinct values.
   *
   * @throws IllegalArgumentException if the rule delays, only watches or counts distinct values
   */
  public Rule requirePolicing() {
    boolean delays = shapes() || schedule.phases().stream().anyMatch(each -> each.rule().shapes());
    if (delays || shadow || algorithm.countsDistinct()) {
      throw new IllegalArgumentException(
          "a limiter can only refuse, without delay, shadow or distinct: " + this);
    }
    return this;
  }

  /**
   * Whether the rule, before any change, does nothing but refuse non-conforming arrivals: no
   * delays, blocks, counted attempts or shadow.
   */
  boolean onlyPolices() {
    return !shapes() && !shadow && blockMicros == 0 && !countsAttempts;
  }

  /**
   * Whether the rule, before any change, delays non-conforming arrivals instead of refusing them.
   */
  public boolean shapes() {
    return patienceMicros > 0;
  }
}
