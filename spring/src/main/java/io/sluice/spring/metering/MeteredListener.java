package io.sluice.spring.metering;

/** Listener that receives the result of every metered call of a limited method. */
@FunctionalInterface
public interface MeteredListener {
  /** Receives the result of a metered call, on any thread. */
  void metered(Metered metered);
}
