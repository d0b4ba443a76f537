package io.sluice.rules.settings;

import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import java.util.List;

/**
 * Limits of a configuration, before any revision. Immutable.
 *
 * @param texts the same limits as texts, with a parser for changed limits
 * @param redis settings for Redis, with a URI if any limit counts in Redis
 * @param forms forms in which events have the values by which limits count
 */
public record LimitsConfig(LimitTexts texts, Limits limits, RedisConfig redis, FieldForms forms) {
  /** Names of the limits, in the order of {@code sluice.limits}. */
  public List<String> names() {
    return limits.all().stream().map(Limit::name).toList();
  }
}
