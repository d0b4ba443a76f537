package io.sluice.limiter;

/**
 * How "this event was metered before" is told: the instant it was charged at, negated if refused.
 */
final class Met {
  private Met() {}

  static long refusedAt(long atMicros) {
    return -atMicros - 1;
  }

  static boolean wasRefused(long met) {
    return met < 0 && met != KeyState.NOT_MET;
  }
}
