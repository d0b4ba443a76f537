package io.sluice.spring.metering;

/** Receives every metered call. */
@FunctionalInterface
public interface MeteredListener {
  /** Called after a call is metered, by any thread. */
  void metered(Metered metered);
}
