package io.sluice.topology.revision;

/** The limits as an instance knows them by now. For many threads, with every event. */
@FunctionalInterface
public interface CurrentLimits {
  /** What an event that is metered now is judged by; the caller asks once for each event. */
  LimitsInForce now();
}
