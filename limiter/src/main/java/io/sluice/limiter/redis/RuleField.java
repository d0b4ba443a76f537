package io.sluice.limiter.redis;

import io.sluice.limiter.Gcra;
import io.sluice.limiter.Rule;
import java.util.List;
import java.util.function.ToLongBiFunction;

/**
 * Numbers of a rule that the Redis script needs, in the order in which {@code rules.lua} reads
 * them.
 */
enum RuleField {
  KIND((rule, gcra) -> rule.algorithm().script().code()),
  PERIOD((rule, gcra) -> rule.quota().periodMicros()),
  PERMITS((rule, gcra) -> rule.quota().permits()),
  CAPACITY((rule, gcra) -> rule.capacity()),
  PATIENCE((rule, gcra) -> rule.patienceMicros()),
  COUNTS((rule, gcra) -> rule.countsAttempts() ? 1 : 0),
  SHADOW((rule, gcra) -> rule.shadow() ? 1 : 0),
  TOLERANCE(
      (rule, gcra) ->
          rule.algorithm().admitsOnce() ? rule.filter().blocks() : gcra.toleranceMicros()),
  TOLERANCE_FRACTION(
      (rule, gcra) ->
          rule.algorithm().admitsOnce() ? rule.filter().level() : gcra.toleranceFraction());

  static final List<RuleField> ALL = List.of(values());

  @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
  private final ToLongBiFunction<Rule, Gcra> value;

  RuleField(ToLongBiFunction<Rule, Gcra> value) {
    this.value = value;
  }

  long of(Rule rule, Gcra gcra) {
    return value.applyAsLong(rule, gcra);
  }
}
