package io.sluice.live.change;

import io.sluice.limiter.Quota;
import io.sluice.rules.settings.LimitTexts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Quota that grows or shrinks in steps of equal length. */
record Ramp(List<Step> steps) {
  private static final int MOST_STEPS = RequestedChanges.MOST_STEPS;

  /** Rule by which the permits of a step follow from those of the previous step. */
  enum Growth {
    /**
     * Permits are multiplied by the same factor in each step, as in the warm-up of a new mail
     * sender.
     */
    RATIO,
    /** The same number of permits is added in each step. */
    PERMITS
  }

  /**
   * Quota of one step.
   *
   * @param afterMs start of the step, in milliseconds after the start of the first step
   */
  record Step(long afterMs, String quota) {}

  /**
   * Parses the parameters of a ramp.
   *
   * @throws InvalidChangeException with all mistakes
   */
  static Ramp of(
      LimitTexts texts, String limit, RequestedChanges.Steps given, UnaryOperator<String> named) {
    List<String> mistakes = new ArrayList<>();
    String from = given.from();
    String to = given.to();
    int steps = given.steps();
    Growth growth = growth(named.apply("growth"), given.growth(), mistakes);
    Quota first = quota(texts, limit, from, mistakes);
    Quota last = quota(texts, limit, to, mistakes);
    long overMs = over(named.apply("over"), given, mistakes);
    if (steps < 2 || steps > MOST_STEPS) {
      mistakes.add(named.apply("steps") + " " + steps + ": accepted are 2 to " + MOST_STEPS);
    }
    if (mistakes.isEmpty() && !samePeriod(first, last)) {
      mistakes.add(
          "%s %s and %s %s: must have the same period"
              .formatted(named.apply("from"), from, named.apply("to"), to));
    }
    InvalidChangeException.throwIfAny(mistakes);
    String period = from.substring(from.indexOf('/'));
    List<Step> all = new ArrayList<>();
    String before = "";
    for (int i = 0; i < steps; i++) {
      double share = (double) i / (steps - 1);
      String quota = permits(first.permits(), last.permits(), share, growth) + period;
      if (!quota.equals(before)) all.add(new Step(after(overMs, i, steps), quota));
      before = quota;
    }
    return new Ramp(List.copyOf(all));
  }

  private static boolean samePeriod(Quota one, Quota other) {
    return one.periodMicros() == other.periodMicros() && one.unit() == other.unit();
  }

  private static Quota quota(LimitTexts texts, String limit, String text, List<String> mistakes) {
    LimitTexts.Reading read = texts.read(limit, Map.of("quota", text));
    mistakes.addAll(read.mistakes());
    return read.limit().rule().quota();
  }

  private static Growth growth(String named, String text, List<String> mistakes) {
    for (Growth each : Growth.values()) if (each.name().equalsIgnoreCase(text)) return each;
    mistakes.add(named + " " + RevisionFormatter.plain(text) + ": accepted are ratio, permits");
    return Growth.RATIO;
  }

  private static long over(String named, RequestedChanges.Steps given, List<String> mistakes) {
    try {
      Duration over = Quota.parsePeriod(given.over());
      if (over.compareTo(Duration.ofDays(3_660)) <= 0 && over.toMillis() >= given.steps()) {
        return over.toMillis();
      }
      mistakes.add(
          named
              + " "
              + RevisionFormatter.plain(given.over())
              + ": accepted are 1ms for each step, up to 3660d");
    } catch (IllegalArgumentException e) {
      mistakes.add(named + ": " + RevisionFormatter.plain(e.getMessage()));
    }
    return 0;
  }

  private static long after(long overMs, int i, int steps) {
    return BigInteger.valueOf(overMs)
        .multiply(BigInteger.valueOf(i))
        .divide(BigInteger.valueOf(steps))
        .longValueExact();
  }

  /**
   * Permits of a step, rounded to the nearest whole number; those of the first and the last step
   * are exact.
   */
  private static long permits(long first, long last, double share, Growth growth) {
    if (share == 0 || share == 1) return share == 0 ? first : last;
    double permits =
        growth == Growth.PERMITS
            ? first + (last - first) * share
            : first * Math.pow((double) last / first, share);
    return BigDecimal.valueOf(permits).setScale(0, RoundingMode.HALF_UP).longValueExact();
  }
}
