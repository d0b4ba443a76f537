package io.sluice.limiter;

import io.sluice.limiter.AlgorithmTraits.Ability;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A way to hold arrivals against a {@link Quota}. */
public enum Algorithm {
  /** The generic cell rate algorithm: a leaky bucket as a meter, one instant a key. */
  GCRA(GcraState.TRAITS),
  /** Every admitted arrival of the last period, counted exactly. */
  SLIDING_WINDOW_LOG(WindowLog.TRAITS),
  /** Two counters a key: the period's, and the share of the last one's still inside. */
  SLIDING_WINDOW_COUNTER(WindowCounter.TRAITS),
  /** The permits used in whole periods, of a calendar or from the epoch on. */
  CALENDAR_WINDOW(CalendarWindow.TRAITS),
  /** Each key once in a period, by Bloom filters. */
  BLOOM(BloomState.TRAITS),
  /** Every distinct value admitted in the last period, counted exactly. */
  DISTINCT_LOG(DistinctLog.TRAITS),
  /** An estimate of the distinct values admitted in about the last period. */
  HYPERLOGLOG(DistinctSketch.TRAITS);

  @SuppressWarnings("ImmutableEnumChecker") // traits have no state
  private final AlgorithmTraits traits;

  Algorithm(AlgorithmTraits traits) {
    this.traits = traits;
  }

  /**
   * Whether permits fall due one by one, at an even rate after a burst; otherwise they are those of
   * a window.
   */
  public boolean hasBurst() {
    return traits.has(Ability.BURST);
  }

  /** Whether an arrival can be given a turn in the future. */
  public boolean canReserve() {
    return traits.has(Ability.RESERVING);
  }

  /** Whether refused arrivals can use up quota too. */
  public boolean canCountAttempts() {
    return traits.has(Ability.COUNTING_ATTEMPTS);
  }

  /** Whether a window may be found to hold a little more or less than it does. */
  public boolean isApproximate() {
    return traits.has(Ability.APPROXIMATE);
  }

  /** Whether a key's state grows with the permits, because each arrival is kept. */
  public boolean keepsArrivals() {
    return traits.has(Ability.KEEPING_ARRIVALS);
  }

  /** Whether it counts in whole periods, which may be a calendar's. */
  public boolean countsCalendarPeriods() {
    return traits.has(Ability.CALENDAR);
  }

  /**
   * Whether it admits each key once in a period, and so knows no permits, no costs but 0, and no
   * attempts.
   */
  public boolean admitsOnce() {
    return traits.has(Ability.ONCE);
  }

  /**
   * Whether it counts the distinct values of arrivals, each of them once, and not what they cost.
   */
  public boolean countsDistinct() {
    return traits.has(Ability.DISTINCT);
  }

  /** Whether it counts in periods, so that counts mean nothing when the period is another one. */
  boolean countsPeriods() {
    return traits.has(Ability.COUNTING_PERIODS);
  }

  /** Its part in metering in Redis. */
  public Script script() {
    return traits.script();
  }

  /**
   * An algorithm's part in metering in Redis.
   *
   * @param name of its table of functions, and of the file that they are in
   * @param code of its rules in a call
   * @param keyVersion what its keys are told apart by: another one when what they hold changes, so
   *     that what is left of the old one expires
   */
  public record Script(String name, int code, String keyVersion) {}

  /** A state as the script found it, read from the numbers that it answers. */
  public StateReading found(Rule rule, LongSupplier numbers) {
    return traits.found(rule, numbers);
  }

  AlgorithmTraits traits() {
    return traits;
  }

  /** The algorithm whose rows have this letter in their names, if one has. */
  static Optional<Algorithm> ofLetter(byte letter) {
    return Arrays.stream(values()).filter(each -> each.traits.letter() == letter).findFirst();
  }

  /** Its name in plain text. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
