package io.sluice.limiter;

import io.sluice.limiter.AlgorithmTraits.Ability;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Rate-limiting algorithm that measures arrivals against a {@link Quota}. */
public enum Algorithm {
  /** Generic cell rate algorithm: a leaky bucket as a meter, whose state is one instant per key. */
  GCRA(GcraState.TRAITS),
  /** Sliding window log: keeps and counts exactly every arrival admitted in the last period. */
  SLIDING_WINDOW_LOG(WindowLog.TRAITS),
  /**
   * Sliding window counter: keeps two counts per key, of the running period and of the previous
   * period, whose count is weighted by the share of that period that is still inside the window.
   */
  SLIDING_WINDOW_COUNTER(WindowCounter.TRAITS),
  /**
   * Calendar window: counts the permits used in the running period, which is a calendar unit, such
   * as a month, or has a fixed length and is aligned to the epoch.
   */
  CALENDAR_WINDOW(CalendarWindow.TRAITS),
  /**
   * Bloom filters: admit each key once per period, and wrongly refuse a small share of new keys.
   */
  BLOOM(BloomState.TRAITS),
  /** Distinct log: keeps and counts exactly every distinct value admitted in the last period. */
  DISTINCT_LOG(DistinctLog.TRAITS),
  /** HyperLogLog: estimates the number of distinct values admitted in about the last period. */
  HYPERLOGLOG(DistinctSketch.TRAITS);

  @SuppressWarnings("ImmutableEnumChecker") // all subclasses of AlgorithmTraits are immutable
  private final AlgorithmTraits traits;

  Algorithm(AlgorithmTraits traits) {
    this.traits = traits;
  }

  /**
   * Whether the algorithm has a burst: a key can use the burst at once, and then regains permits
   * one by one at an even rate.
   */
  public boolean hasBurst() {
    return traits.has(Ability.BURST);
  }

  /**
   * Whether the algorithm can reserve a slot, which is an instant in the future, for an arrival
   * over the quota.
   */
  public boolean canReserve() {
    return traits.has(Ability.RESERVING);
  }

  /** Whether a rule with this algorithm can charge refused arrivals too. */
  public boolean canCountAttempts() {
    return traits.has(Ability.COUNTING_ATTEMPTS);
  }

  /** Whether the algorithm estimates, so that it can decide otherwise than an exact count would. */
  public boolean isApproximate() {
    return traits.has(Ability.APPROXIMATE);
  }

  /**
   * Whether the algorithm stores each admitted arrival, so that a key's state grows with the
   * permits of its quota.
   */
  public boolean keepsArrivals() {
    return traits.has(Ability.KEEPING_ARRIVALS);
  }

  /**
   * Whether the algorithm counts in whole periods, and so accepts calendar units, such as a month.
   */
  public boolean countsCalendarPeriods() {
    return traits.has(Ability.CALENDAR);
  }

  /**
   * Whether the algorithm admits each key once per period. A rule with such an algorithm has 1
   * permit, counts no attempts, and treats all costs above 0 alike.
   */
  public boolean admitsOnce() {
    return traits.has(Ability.ONCE);
  }

  /**
   * Whether the algorithm counts the distinct values of arrivals, each value once and regardless of
   * the arrival's cost.
   */
  public boolean countsDistinct() {
    return traits.has(Ability.DISTINCT);
  }

  /**
   * Whether the algorithm counts per period, so that a rule change to other periods resets the
   * rule's buckets.
   */
  boolean countsPeriods() {
    return traits.has(Ability.COUNTING_PERIODS);
  }

  /** Returns the description of the algorithm's part of the Redis script. */
  public Script script() {
    return traits.script();
  }

  /**
   * Description of one algorithm's part of the Lua script for Redis.
   *
   * @param name name of the algorithm's table of Lua functions, and of the Lua file with these
   *     functions
   * @param code number that identifies the algorithm in the rules of a script call
   * @param keyVersion part of the names of the algorithm's Redis keys. It changes with the format
   *     of the stored values, so that keys of an older format are never read, and expire
   */
  public record Script(String name, int code, String keyVersion) {}

  /** Creates a view of a key's state from the numbers in the Redis script's reply. */
  public StateReading found(Rule rule, LongSupplier numbers) {
    return traits.found(rule, numbers);
  }

  AlgorithmTraits traits() {
    return traits;
  }

  /**
   * Returns the algorithm whose rows have this letter in their names; empty if no algorithm has the
   * letter.
   */
  static Optional<Algorithm> ofLetter(byte letter) {
    return Arrays.stream(values()).filter(each -> each.traits.letter() == letter).findFirst();
  }

  /** Returns the algorithm's name in lower-case words, such as {@code sliding window log}. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
