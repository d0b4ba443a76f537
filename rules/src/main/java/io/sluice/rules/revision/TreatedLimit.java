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
    REJECT,
    /** Events wait in line. A limit without a queue, or in shadow mode, meters them as usual. */
    PAUSE;

    /** Returns whether the limit meters events, now or when its pause has ended. */
    public boolean meters() {
      return this == METER || this == PAUSE;
    }

    /**
     * Returns this treatment where revisions for more events give the other one: a pause does not
     * lift a denial or an exemption.
     */
    Treatment over(Treatment wider) {
      return this == PAUSE && !wider.meters() ? wider : this;
    }
  }
}
