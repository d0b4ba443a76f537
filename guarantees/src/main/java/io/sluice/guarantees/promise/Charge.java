package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;

/**
 * An event that used up quota, and the instants between which it did. They are the same unless the
 * event may have been charged in Redis, and its verdict lost, before it got the one that counts.
 */
record Charge(Kept end, long fromMs, long toMs, long cost) {
  boolean isExact() {
    return fromMs == toMs;
  }
}
