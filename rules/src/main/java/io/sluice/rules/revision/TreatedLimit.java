package io.sluice.rules.revision;

import io.sluice.rules.limit.Limit;

/**
 * Limit with its settings for some events at an instant, and its treatment of these events.
 *
 * @param limit limit with the settings in force for these events
 */
public record TreatedLimit(Limit limit, Treatment treatment) {
  /** Treatment of events by a limit: the values of the setting {@code verdict} in revisions. */
  public enum Treatment {
    /** The limit meters events, as usual. */
    METER,
    /** Events are exempt: they match, and are neither metered nor charged. */
    ALLOW,
    /** Events are rejected without metering. */
    REJECT
  }
}
