package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;

/**
 * One bucket as an arrival finds it, judged when that comes, or at the bucket's own clock if it is
 * later, by the numbers in force then. Nothing changes before the arrival is charged, or its
 * attempt counted.
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

  /** Means nothing if the arrival is oversized. */
  private long conformsAtMicros;

  /** When the block ends that the bucket is under, or that this arrival begins. */
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

  /** Whether it lets the arrival in, now or at its slot. */
  boolean admits() {
    return isCharged() || isPatient();
  }

  private boolean isPatient() {
    return !blocked && !oversized && conformsAtMicros - nowMicros <= rule.patienceMicros();
  }

  /** Whether it has charged this very record. */
  private boolean isCharged() {
    return prior instanceof PriorCharge.SameRecord;
  }

  private void saveAgain() {
    if (prior instanceof PriorCharge.SameRecord same) state.saveAgain(same.atMicros(), fingerprint);
  }

  /** Whether it has admitted another record of the event, and not this one, and may say so. */
  boolean knowsAnotherRecord() {
    return !blocked && prior instanceof PriorCharge.SameEvent;
  }

  /** The first instant that suits it, if the arrival must wait for that; 0 if not. */
  long slotMicros() {
    return toWaitFor(
        prior instanceof PriorCharge.SameRecord same ? same.atMicros() : conformsAtMicros);
  }

  /**
   * The instant that the first record of the event was given, if that is still to come; 0 if not.
   */
  long slotOfFirstMicros() {
    return prior instanceof PriorCharge.SameEvent first ? toWaitFor(first.atMicros()) : 0;
  }

  private long toWaitFor(long atMicros) {
    return atMicros > nowMicros ? atMicros : 0;
  }

  /** Charges an arrival that was admitted, unless it was charged before. */
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

  /** Notes that the arrival is refused, or would be: most limits keep nothing of that. */
  void refuse() {
    boolean begins = rule.blockMicros() > 0 && beginsBlock(); // before the attempt is counted
    countAttempt();
    if (!begins) return;
    blockedUntilMicros = nowMicros + rule.blockMicros();
    state.block(blockedUntilMicros);
  }

  /** Whether it is this limit that refuses it, and not yet as it is blocked; 0 only asks. */
  private boolean beginsBlock() {
    return !blocked && !oversized && !admits() && arrival.cost() > 0;
  }

  /** Charges a refused arrival if the limit counts attempts. */
  private void countAttempt() {
    saveAgain();
    boolean counts = rule.countsAttempts() && !oversized && arrival.cost() > 0;
    if (!counts || isCharged()) return;
    state.chargeRefused(nowMicros, arrival.cost());
    conformsAtMicros = state.conformsAt(nowMicros, arrival.cost());
  }

  /** What its limit concluded. */
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
