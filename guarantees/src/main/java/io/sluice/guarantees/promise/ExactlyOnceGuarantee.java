package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Modes;

/**
 * Guarantee about events in line that is only checked with exactly-once processing, because it
 * needs one time in line for each event.
 */
interface ExactlyOnceGuarantee extends Guarantee {
  @Override
  default String weakened(Modes modes) {
    return modes.exactlyOnce() ? "" : "at least once, an event may come and leave several times";
  }
}
