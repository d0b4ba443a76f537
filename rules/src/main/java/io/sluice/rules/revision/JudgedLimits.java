package io.sluice.rules.revision;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Change;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One limit over time, with the rule that judges its buckets in each segment (period between two
 * changes). A rule has the settings of its segment, and the quotas and waits of all segments, since
 * the clock of a bucket may be in another segment. Immutable.
 */
final class JudgedLimits {
  static final JudgedLimits NONE = new JudgedLimits(List.of());

  private final List<Limit> bySegment;

  private JudgedLimits(List<Limit> bySegment) {
    this.bySegment = bySegment;
  }

  /**
   * Returns the rules of one limit over time.
   *
   * @param bySegment the limit in each segment; a placeholder in segments in which it does not
   *     exist
   * @param numbers quotas, longest waits and blocks of all segments
   */
  static JudgedLimits of(List<Limit> bySegment, List<NumbersChange> numbers) {
    if (numbers.size() <= 1) return new JudgedLimits(bySegment);
    // Segments (periods between two changes) that differ only in quotas, waits and blocks share one
    // rule: there may be thousands of segments.
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
   * Returns the limit with its last quota, wait and block, as if they had always held. Its rule
   * keeps the first ones as its identity: by these Redis tells whether it has judged an event by
   * this limit before.
   */
  static Limit settled(Limit limit, List<NumbersChange> numbers) {
    if (numbers.size() <= 1) return limit;
    NumbersChange last = numbers.get(numbers.size() - 1);
    Rule rule = limit.rule();
    return limit.with(first(rule, numbers).changing(List.of(numbers(rule, last, 0))));
  }

  /**
   * Returns the quota in the form that the rule's algorithm supports; only some algorithms know
   * calendar periods.
   */
  private static Quota quota(Rule rule, NumbersChange numbers) {
    Quota quota = numbers.quota();
    if (rule.algorithm().admitsOnce()) return new Quota(1, quota.periodMicros(), 1);
    boolean suits = rule.algorithm().countsCalendarPeriods() || quota.unit() == CalendarUnit.NONE;
    return suits ? quota : new Quota(quota.permits(), quota.periodMicros(), quota.burst());
  }

  /**
   * Returns the longest wait of a delayed event, in microseconds. The rule at the event's arrival
   * says whether events are delayed; the numbers at the instant of judging say how long.
   */
  private static long patience(Rule rule, NumbersChange numbers) {
    if (!rule.shapes()) return 0;
    return numbers.delayMaxMicros() > 0 ? numbers.delayMaxMicros() : rule.patienceMicros();
  }

  /**
   * Returns the duration of a block at the instant of judging, in microseconds; 0 if the limit
   * delays events, or admits each key once.
   */
  private static long block(Rule rule, NumbersChange numbers) {
    return rule.shapes() || rule.algorithm().admitsOnce() ? 0 : numbers.blockMicros();
  }

  Limit in(int segment) {
    return bySegment.get(segment);
  }

  /** Returns the limit in its last segment, which begins with the last change. */
  Limit last() {
    return bySegment.get(bySegment.size() - 1);
  }

  /**
   * Returns the last rule of the limit that has this algorithm; empty if the limit never had the
   * algorithm. A sweep of the state store calls this for each row.
   */
  Optional<Rule> rule(Algorithm algorithm) {
    for (int i = bySegment.size() - 1; i >= 0; i--) {
      Rule rule = bySegment.get(i).rule();
      if (rule.algorithm() == algorithm) return Optional.of(rule);
    }
    return Optional.empty();
  }
}
