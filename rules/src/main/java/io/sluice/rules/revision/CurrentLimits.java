package io.sluice.rules.revision;

import io.sluice.rules.settings.LimitsConfig;

/**
 * Supplier of the limits as an instance knows them now. Called by many threads, for every event.
 */
@FunctionalInterface
public interface CurrentLimits {
  /**
   * Returns the limits for an event that is metered now; called once for each event. Waits if
   * limits may have changed in a way that is not known yet.
   */
  LimitsInForce now();

  /** Returns the limits of the configuration, which do not change. */
  static CurrentLimits of(LimitsConfig configured) {
    LimitsInForce limits = LimitsInForce.of(configured);
    return () -> limits;
  }

  /** Returns the limits without waiting, for other purposes than a verdict. */
  default LimitsInForce known() {
    return now();
  }
}
