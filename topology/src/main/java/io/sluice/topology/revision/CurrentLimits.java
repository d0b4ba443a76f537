package io.sluice.topology.revision;

import io.sluice.topology.config.SluiceConfig;

/** The limits as an instance knows them by now. For many threads, with every event. */
@FunctionalInterface
public interface CurrentLimits {
  /**
   * What an event that is metered now is judged by; asked for once with each event. Waits if it may
   * be that something has changed which is not known yet.
   */
  LimitsInForce now();

  /** Those of the configuration, which stay. */
  static CurrentLimits of(SluiceConfig config) {
    LimitsInForce limits = LimitsInForce.of(config);
    return () -> limits;
  }

  /** The same without waiting, for what is no verdict. */
  default LimitsInForce known() {
    return now();
  }
}
