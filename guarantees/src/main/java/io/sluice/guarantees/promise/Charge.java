package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;

/**
 * Event that used up permits, and the interval in which it was charged, in epoch milliseconds, both
 * ends inclusive. The ends are equal unless the time is uncertain, for example because the verdict
 * of an earlier charge was lost.
 */
record Charge(Kept end, long fromMs, long toMs, long cost) {
  boolean isExact() {
    return fromMs == toMs;
  }
}
