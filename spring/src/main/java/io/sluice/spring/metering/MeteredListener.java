package io.sluice.spring.metering;

/** The receiver of every call that was metered. */
@FunctionalInterface
public interface MeteredListener {
  /** Called by any thread. */
  void metered(Metered metered);
}
