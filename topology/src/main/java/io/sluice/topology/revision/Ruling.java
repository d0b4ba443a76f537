package io.sluice.topology.revision;

import io.sluice.topology.limit.Limit;

/**
 * What events get under a limit at an instant.
 *
 * @param limit with the settings in force for them
 */
public record Ruling(Limit limit, Treatment treatment) {
  /** The settings of {@code verdict}. */
  public enum Treatment {
    /** As usual. */
    METER,
    /** Exempt: it matches, and is neither metered nor charged. */
    ALLOW,
    /** Denied. */
    REJECT
  }
}
