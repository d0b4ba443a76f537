package io.sluice.topology.revision;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Change;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.topology.limit.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A limit over time, in each segment as its buckets are judged: with the segment's settings, and
 * with the numbers of all segments, since a bucket's clock may be in another one. Immutable.
 */
final class JudgedLimits {
  static final JudgedLimits NONE = new JudgedLimits(List.of());

  private final List<Limit> bySegment;

  private JudgedLimits(List<Limit> bySegment) {
    this.bySegment = bySegment;
  }

  /**
   * Those of limits that are one limit over time.
   *
   * @param bySegment something else where there is no limit
   * @param numbers of all the time
   */
  static JudgedLimits of(List<Limit> bySegment, List<NumbersChange> numbers) {
    if (numbers.size() <= 1) return new JudgedLimits(bySegment);
    // Where nothing but numbers changes, all segments have one schedule: thousands may have.
    Map<Rule, Rule> changing = new HashMap<>();
    return new JudgedLimits(
        bySegment.stream().map(each -> judged(each, numbers, changing)).toList());
  }

  private static Limit judged(Limit limit, List<NumbersChange> numbers, Map<Rule, Rule> changing) {
    Rule own = limit.rule();
    Rule rule = own.with(quota(own, numbers.get(0)), own.patienceMicros(), own.blockMicros());
    return limit.with(changing.computeIfAbsent(rule, same -> changing(same, numbers)));
  }

  private static Rule changing(Rule rule, List<NumbersChange> numbers) {
    List<Change> changes = new ArrayList<>();
    for (NumbersChange each : numbers.subList(1, numbers.size())) {
      if (each.anew()) changes.add(new Change.Reset(each.fromMs() * 1_000));
      changes.add(numbers(rule, each, each.fromMs() * 1_000));
    }
    return first(rule, numbers).changing(changes);
  }

  private static Change numbers(Rule rule, NumbersChange numbers, long atMicros) {
    return new Change.Numbers(
        atMicros, quota(rule, numbers), patience(rule, numbers), block(rule, numbers));
  }

  private static Rule first(Rule rule, List<NumbersChange> numbers) {
    NumbersChange first = numbers.get(0);
    return rule.with(quota(rule, first), patience(rule, first), block(rule, first));
  }

  /**
   * A limit as its last numbers make it, as if they had held always. It is known by its first ones
   * nevertheless: by these Redis tells whether it has judged an event by this limit before.
   */
  static Limit settled(Limit limit, List<NumbersChange> numbers) {
    if (numbers.size() <= 1) return limit;
    NumbersChange last = numbers.get(numbers.size() - 1);
    Rule rule = limit.rule();
    return limit.with(first(rule, numbers).changing(List.of(numbers(rule, last, 0))));
  }

  /** Other algorithms know no calendar, and have buckets of their own. */
  private static Quota quota(Rule rule, NumbersChange numbers) {
    Quota quota = numbers.quota();
    if (rule.algorithm().admitsOnce()) return new Quota(1, quota.periodMicros(), 1);
    boolean suits = rule.algorithm().countsCalendarPeriods() || quota.unit() == CalendarUnit.NONE;
    return suits ? quota : new Quota(quota.permits(), quota.periodMicros(), quota.burst());
  }

  /** Whether events wait at all is said by the segment; how long, by the instant of judging. */
  private static long patience(Rule rule, NumbersChange numbers) {
    if (!rule.shapes()) return 0;
    return numbers.delayMaxMicros() > 0 ? numbers.delayMaxMicros() : rule.patienceMicros();
  }

  /** Where events wait, nobody is blocked; elsewhere the instant of judging says for how long. */
  private static long block(Rule rule, NumbersChange numbers) {
    return rule.shapes() || rule.algorithm().admitsOnce() ? 0 : numbers.blockMicros();
  }

  Limit in(int segment) {
    return bySegment.get(segment);
  }

  /** The limit in its last segment. */
  Limit last() {
    return bySegment.get(bySegment.size() - 1);
  }

  /**
   * The rule of the limit while it had this algorithm, the last one; none if it never had. A sweep
   * asks once for each row.
   */
  Optional<Rule> rule(Algorithm algorithm) {
    for (int i = bySegment.size() - 1; i >= 0; i--) {
      Rule rule = bySegment.get(i).rule();
      if (rule.algorithm() == algorithm) return Optional.of(rule);
    }
    return Optional.empty();
  }
}
