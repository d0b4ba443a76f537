package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;

/**
 * One bucket, judged for an arrival at the arrival's time, or at the bucket's own clock if that is
 * later, by the numbers in force then. Nothing is stored before {@link #charge} or {@link #refuse}.
 */
final class JudgedBucket {
  private final Arrival arrival;
  private final Rule rule;
  private final StoredState state;
  private final long nowMicros;
  private final Fingerprint fingerprint;
  private final PriorCharge prior;
  private final boolean oversized;
  private final boolean blocked;

  /** Undefined if the arrival is oversized. */
  private long conformsAtMicros;

  /** End of the bucket's block, or of the block that this arrival begins; 0 if there is none. */
  private long blockedUntilMicros;

  JudgedBucket(Arrival arrival, Rule changing, StoredState stored) {
    this.arrival = arrival;
    nowMicros = max(arrival.nowMicros(), stored.clockMicros());
    rule = changing.at(nowMicros);
    state = stored.carriedTo(nowMicros);
    fingerprint = arrival.identity().fingerprint();
    prior = state.prior(nowMicros, fingerprint);
    blockedUntilMicros = state.blockedUntilMicros();
    blocked = blockedUntilMicros > nowMicros;
    oversized = arrival.cost() > rule.capacity();
    if (!oversized) conformsAtMicros = state.conformsAt(nowMicros, arrival.cost());
  }

  boolean isEnforced() {
    return !rule.shadow();
  }

  /** Whether the bucket admits the arrival, now or at its slot. */
  boolean admits() {
    return isCharged() || isPatient();
  }

  private boolean isPatient() {
    return !blocked && !oversized && conformsAtMicros - nowMicros <= rule.patienceMicros();
  }

  /** Whether the bucket has charged this same record before. */
  private boolean isCharged() {
    return prior instanceof PriorCharge.SameRecord;
  }

  private void saveAgain() {
    if (prior instanceof PriorCharge.SameRecord same) state.saveAgain(same.atMicros(), fingerprint);
  }

  /**
   * Whether the bucket is not blocked, and has admitted another record of the event but not this
   * one.
   */
  boolean knowsAnotherRecord() {
    return !blocked && prior instanceof PriorCharge.SameEvent;
  }

  /**
   * Returns the first instant that suits the bucket, if the arrival must wait for it; otherwise 0.
   */
  long slotMicros() {
    return toWaitFor(
        prior instanceof PriorCharge.SameRecord same ? same.atMicros() : conformsAtMicros);
  }

  /**
   * Returns the instant given to the first record of the event, if it is still to come; otherwise
   * 0.
   */
  long slotOfFirstMicros() {
    return prior instanceof PriorCharge.SameEvent first ? toWaitFor(first.atMicros()) : 0;
  }

  private long toWaitFor(long atMicros) {
    return atMicros > nowMicros ? atMicros : 0;
  }

  /**
   * Charges an admitted arrival, unless this record was charged before. A shadow limit that would
   * refuse the arrival notes a refusal instead.
   */
  void charge(long slotMicros) {
    long at = max(nowMicros, slotMicros);
    if (isEnforced()) chargeAt(at);
    else if (isPatient()) chargeAt(max(at, conformsAtMicros));
    else refuse();
  }

  private void chargeAt(long atMicros) {
    saveAgain();
    if (isCharged() || !state.isChargedBy(atMicros, arrival.cost())) return;
    state.charge(nowMicros, atMicros, arrival.cost(), fingerprint);
  }

  /**
   * Notes that the arrival is refused, or would be by a shadow limit: counts the attempt and begins
   * a block, if the rule says so.
   */
  void refuse() {
    boolean begins = rule.blockMicros() > 0 && beginsBlock(); // before the attempt counts
    countAttempt();
    if (!begins) return;
    blockedUntilMicros = nowMicros + rule.blockMicros();
    state.block(blockedUntilMicros);
  }

  /**
   * Whether this limit itself refuses the arrival and is not blocked yet; cost 0 begins no block.
   */
  private boolean beginsBlock() {
    return !blocked && !oversized && !admits() && arrival.cost() > 0;
  }

  /** Charges a refused arrival if the rule counts attempts. */
  private void countAttempt() {
    saveAgain();
    boolean counts = rule.countsAttempts() && !oversized && arrival.cost() > 0;
    if (!counts || isCharged()) return;
    state.chargeRefused(nowMicros, arrival.cost());
    conformsAtMicros = state.conformsAt(nowMicros, arrival.cost());
  }

  /** Returns the decision of the bucket's limit. */
  Judgement judgement(boolean duplicate) {
    return measurement(duplicate).judge(rule, arrival.cost(), nowMicros);
  }

  private Measurement measurement(boolean duplicate) {
    long left = state.remaining(nowMicros);
    long remaining = blockedUntilMicros > nowMicros ? 0 : left;
    long newAt = max(state.newAt(), blockedUntilMicros);
    if (prior instanceof PriorCharge.SameRecord same) {
      return new Measurement.ChargedBefore(same.atMicros(), remaining, newAt);
    }
    if (duplicate && prior instanceof PriorCharge.SameEvent first) {
      return new Measurement.ChargedBefore(first.atMicros(), remaining, newAt);
    }
    if (blocked) return new Measurement.Blocked(blockedUntilMicros, newAt);
    if (conformsAtMicros == StateReading.NEVER_MICROS) return new Measurement.Known(newAt);
    return oversized
        ? new Measurement.Oversized(remaining, newAt)
        : new Measurement.Conforms(max(conformsAtMicros, blockedUntilMicros), remaining, newAt);
  }
}
