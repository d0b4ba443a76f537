package io.sluice.limiter;

import io.sluice.limiter.AlgorithmTraits.Ability;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Rate-limiting algorithm that measures arrivals against a {@link Quota}. */
public enum Algorithm {
  /** Generic cell rate algorithm: a leaky bucket as a meter, with one instant per key. */
  GCRA(GcraState.TRAITS),
  /** Sliding window log: keeps and counts exactly every arrival admitted in the last period. */
  SLIDING_WINDOW_LOG(WindowLog.TRAITS),
  /**
   * Sliding window counter: two counts per key, of the running period and of the previous one,
   * which is weighted by the share of it that is still inside the window.
   */
  SLIDING_WINDOW_COUNTER(WindowCounter.TRAITS),
  /** Counts the permits used in whole periods, which are a calendar's or begin at the epoch. */
  CALENDAR_WINDOW(CalendarWindow.TRAITS),
  /** Bloom filters that admit each key once per period. */
  BLOOM(BloomState.TRAITS),
  /** Keeps and counts exactly every distinct value admitted in the last period. */
  DISTINCT_LOG(DistinctLog.TRAITS),
  /** HyperLogLog: estimates the number of distinct values admitted in about the last period. */
  HYPERLOGLOG(DistinctSketch.TRAITS);

  @SuppressWarnings("ImmutableEnumChecker") // the traits are immutable
  private final AlgorithmTraits traits;

  Algorithm(AlgorithmTraits traits) {
    this.traits = traits;
  }

  /**
   * Whether permits become available one by one, at an even rate after a burst; otherwise they are
   * available per window.
   */
  public boolean hasBurst() {
    return traits.has(Ability.BURST);
  }

  /** Whether it can reserve a slot in the future for an arrival. */
  public boolean canReserve() {
    return traits.has(Ability.RESERVING);
  }

  /** Whether refused arrivals can use up quota too. */
  public boolean canCountAttempts() {
    return traits.has(Ability.COUNTING_ATTEMPTS);
  }

  /** Whether its count can be a little above or below the true one. */
  public boolean isApproximate() {
    return traits.has(Ability.APPROXIMATE);
  }

  /** Whether it keeps each arrival, so that a key's state grows with the permits. */
  public boolean keepsArrivals() {
    return traits.has(Ability.KEEPING_ARRIVALS);
  }

  /** Whether it counts in whole periods, which can be those of a calendar. */
  public boolean countsCalendarPeriods() {
    return traits.has(Ability.CALENDAR);
  }

  /**
   * Whether it admits each key once per period. Then a rule has 1 permit and counts no attempts,
   * and every cost above 0 is the same.
   */
  public boolean admitsOnce() {
    return traits.has(Ability.ONCE);
  }

  /** Whether it counts the distinct values of arrivals, each value once and regardless of cost. */
  public boolean countsDistinct() {
    return traits.has(Ability.DISTINCT);
  }

  /** Whether it counts in periods, so that a bucket is reset when its period changes. */
  boolean countsPeriods() {
    return traits.has(Ability.COUNTING_PERIODS);
  }

  /** Returns the algorithm's part of the Redis script. */
  public Script script() {
    return traits.script();
  }

  /**
   * Part of one algorithm in the Redis script.
   *
   * @param name of its table of Lua functions, and of the file that contains them
   * @param code identifies the algorithm in the rules of a call
   * @param keyVersion part of its Redis keys. It changes with the format of their values, so that
   *     keys of an older format are never read, and expire
   */
  public record Script(String name, int code, String keyVersion) {}

  /** Reads a state from the numbers that the Redis script answers. */
  public StateReading found(Rule rule, LongSupplier numbers) {
    return traits.found(rule, numbers);
  }

  AlgorithmTraits traits() {
    return traits;
  }

  /** Returns the algorithm whose row names contain this letter; empty if there is none. */
  static Optional<Algorithm> ofLetter(byte letter) {
    return Arrays.stream(values()).filter(each -> each.traits.letter() == letter).findFirst();
  }

  /** Returns the name in plain text, such as {@code sliding window log}. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
