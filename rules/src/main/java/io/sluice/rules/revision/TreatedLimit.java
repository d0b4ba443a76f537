package io.sluice.rules.revision;

import io.sluice.rules.limit.Limit;

/**
 * Treatment of events by a limit at an instant.
 *
 * @param limit limit with the settings in force for these events
 */
public record TreatedLimit(Limit limit, Treatment treatment) {
  /** Values of the setting {@code verdict}. */
  public enum Treatment {
    /** Events are metered, as usual. */
    METER,
    /** Events are exempt: they match, and are neither metered nor charged. */
    ALLOW,
    /** Events are rejected. */
    REJECT
  }
}
