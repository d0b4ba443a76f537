package io.sluice.rules.revision;

import io.sluice.rules.settings.LimitsConfig;

/**
 * Supplier of the limits as an instance of the application knows them now. Called by many threads,
 * for every event.
 */
@FunctionalInterface
public interface CurrentLimits {
  /**
   * Returns the limits for an event that is metered now; called once for each event. Waits if there
   * may be changes of limits that the instance has not read yet.
   */
  LimitsInForce now();

  /** Returns a supplier of the limits of the configuration, which do not change. */
  static CurrentLimits of(LimitsConfig configured) {
    LimitsInForce limits = LimitsInForce.of(configured);
    return () -> limits;
  }

  /** Returns the limits without waiting for changes; not for deciding on events. */
  default LimitsInForce known() {
    return now();
  }
}
