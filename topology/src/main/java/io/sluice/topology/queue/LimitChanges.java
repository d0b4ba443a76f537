package io.sluice.topology.queue;

import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import java.util.Arrays;

/**
 * Detects that the limits in force have changed: by a revision that was read, or because the time
 * of one has come. Not thread-safe.
 */
final class LimitChanges {
  private final CurrentLimits limits;
  private LimitsInForce last;
  private long[] instants;
  private int passed;
  private long epoch;

  LimitChanges(CurrentLimits limits) {
    this.limits = limits;
    last = limits.now();
    instants = last.changesMs();
  }

  /** Returns whether the limits have changed since the last call. */
  @SuppressWarnings("ReferenceEquality") // unchanged limits are the same object
  boolean areNew(long nowMs) {
    LimitsInForce now = limits.now();
    boolean another = now != last;
    if (another) {
      last = now;
      instants = now.changesMs();
    }
    int before = another ? -1 : passed;
    passed = nextAfter(nowMs);
    if (passed != before) epoch++;
    return passed != before;
  }

  /** Returns whether the limits have changed since the last call of {@link #areNew}. */
  @SuppressWarnings("ReferenceEquality") // unchanged limits are the same object
  boolean arePending(long nowMs) {
    return limits.now() != last || nextAfter(nowMs) != passed;
  }

  /** Returns whether there are pauses now, or there were at the last call of {@link #areNew}. */
  boolean concernPauses() {
    return limits.now().havePauses() || last.havePauses();
  }

  /** Returns the check of the limits that are in force now. */
  GateCheck check() {
    return new GateCheck(limits.now(), epoch);
  }

  /** Returns the first later instant at which a revision begins or ends, epoch milliseconds. */
  long nextMs(long nowMs) {
    int next = nextAfter(nowMs);
    return next < instants.length ? instants[next] : Long.MAX_VALUE;
  }

  private int nextAfter(long nowMs) {
    int found = Arrays.binarySearch(instants, nowMs);
    return found < 0 ? -found - 1 : found + 1;
  }
}
