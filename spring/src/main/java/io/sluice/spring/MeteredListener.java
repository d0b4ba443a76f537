package io.sluice.spring;

/** The receiver of every call that was metered. */
@FunctionalInterface
interface MeteredListener {
  /** Called by any thread. */
  void metered(Metered metered);
}
