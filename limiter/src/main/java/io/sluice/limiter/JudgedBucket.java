package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;

/**
 * One bucket, judged for an arrival by the numbers in force at the instant that {@link
 * Arrival#judgedAtMicros} gives. Nothing is stored before {@link #charge} or {@link #refuse}.
 */
final class JudgedBucket {
  private final Arrival arrival;
  private final Rule rule;
  private final StoredState stored;
  private final KeyState state;
  private final long nowMicros;
  private final Fingerprint fingerprint;
  private final PriorCharge prior;
  private final boolean oversized;

  /** Number of the arrival's values if the limit can never admit so many; otherwise 0. */
  private final int tooManyValues;

  private final boolean blocked;

  /**
   * First instant at which the arrival conforms, in epoch microseconds; undefined if the arrival is
   * oversized.
   */
  private long conformsAtMicros;

  /**
   * End of the bucket's block, or of the block that this arrival begins, in epoch microseconds; 0
   * if there is no block.
   */
  private long blockedUntilMicros;

  JudgedBucket(Arrival arrival, Rule changing, StoredState before) {
    this.arrival = arrival;
    nowMicros = arrival.judgedAtMicros(changing, before.clockMicros(), before.blockedUntilMicros());
    rule = changing.at(nowMicros);
    stored = before.carriedTo(nowMicros);
    state = stored.state();
    fingerprint = arrival.identity().fingerprint();
    prior = state.prior(nowMicros, fingerprint);
    blockedUntilMicros = stored.blockedUntilMicros();
    blocked = blockedUntilMicros > nowMicros;
    tooManyValues = state.tooManyValues(arrival.cost());
    oversized = tooManyValues > 0 || arrival.cost() > rule.capacity();
    if (!oversized) conformsAtMicros = state.conformsAt(nowMicros, arrival.cost());
  }

  boolean isEnforced() {
    return !rule.shadow();
  }

  /**
   * Whether the bucket admits the arrival: at once, at a slot within the limit's patience, or
   * because the same record was charged before.
   */
  boolean admits() {
    return isCharged() || isPatient();
  }

  private boolean isPatient() {
    return !blocked
        && !oversized
        && conformsAtMicros - nowMicros <= arrival.patienceMicros(rule, nowMicros);
  }

  /** Whether the bucket has charged this same record before. */
  private boolean isCharged() {
    return prior instanceof PriorCharge.SameRecord;
  }

  private void saveAgain() {
    if (prior instanceof PriorCharge.SameRecord same)
      stored.saveAgain(same.atMicros(), fingerprint);
  }

  /**
   * Whether the bucket is not blocked, and has admitted another record of the arrival's event but
   * not this record.
   */
  boolean knowsAnotherRecord() {
    return !blocked && prior instanceof PriorCharge.SameEvent;
  }

  /**
   * Returns the slot in this bucket for which the arrival must wait: the first instant at which it
   * conforms, or the slot of its earlier charge; 0 if it need not wait.
   */
  long slotMicros() {
    return toWaitFor(
        prior instanceof PriorCharge.SameRecord same ? same.atMicros() : conformsAtMicros);
  }

  /**
   * Returns the slot that the first record of the arrival's event got in this bucket, if the slot
   * is still in the future; otherwise 0.
   */
  long slotOfFirstMicros() {
    return prior instanceof PriorCharge.SameEvent first ? toWaitFor(first.atMicros()) : 0;
  }

  private long toWaitFor(long atMicros) {
    return atMicros > nowMicros ? atMicros : 0;
  }

  /**
   * Charges an admitted arrival, unless this record was charged before. The bucket of a shadow
   * limit that would refuse the arrival stores the effects of a refusal instead.
   *
   * @param slotMicros latest of the slots in all buckets; 0 if the arrival need not wait
   */
  void charge(long slotMicros) {
    long at = max(nowMicros, leavesNow(slotMicros) ? slotMicros() : slotMicros);
    if (isEnforced()) chargeAt(at);
    else if (isPatient()) chargeAt(max(at, conformsAtMicros));
    else refuse();
  }

  /**
   * Whether the arrival is a release with all its slots in its span. It then leaves at the end of
   * the span, and each bucket charges it at the bucket's own slot: at the slot of another bucket,
   * the permits between the two slots would be lost.
   */
  private boolean leavesNow(long slotMicros) {
    return arrival.isRelease() && slotMicros <= arrival.latestMicros();
  }

  private void chargeAt(long atMicros) {
    saveAgain();
    if (isCharged() || !state.isChargedBy(atMicros, arrival.cost())) return;
    stored.charge(nowMicros, atMicros, arrival.cost(), fingerprint);
  }

  /**
   * Stores the effects of a refusal, real or by a shadow limit: charges the attempt if the rule
   * counts attempts, and begins a block if the rule blocks and this bucket itself refuses the
   * arrival. The real refusal of a release stores nothing, see {@link Metering}.
   */
  void refuse() {
    // Evaluated before the attempt is charged, because the charge can put an arrival over the quota
    // that another limit refused.
    boolean begins = rule.blockMicros() > 0 && beginsBlock();
    countAttempt();
    if (!begins) return;
    blockedUntilMicros = nowMicros + rule.blockMicros();
    stored.block(blockedUntilMicros);
  }

  /**
   * Whether the arrival begins a block: this bucket itself refuses it as over the quota, is not
   * blocked yet, and the arrival's cost is above 0.
   */
  private boolean beginsBlock() {
    return !blocked && !oversized && !admits() && arrival.cost() > 0;
  }

  /** Charges a refused arrival if the rule counts attempts. */
  private void countAttempt() {
    saveAgain();
    boolean counts = rule.countsAttempts() && !oversized && arrival.cost() > 0;
    if (!counts || isCharged()) return;
    stored.chargeRefused(nowMicros, arrival.cost());
    conformsAtMicros = state.conformsAt(nowMicros, arrival.cost());
  }

  /**
   * Returns the decision of the bucket's limit, and the instant at which the bucket was judged.
   *
   * @param duplicate whether the arrival is a duplicate: then the decision is that for the event's
   *     first record
   */
  Judgement judgement(boolean duplicate) {
    return measurement(duplicate).judge(rule, arrival, nowMicros);
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
    if (tooManyValues > 0) {
      return new Measurement.TooManyValues(tooManyValues, remaining, newAt);
    }
    return oversized
        ? new Measurement.Oversized(remaining, newAt)
        : new Measurement.Conforms(max(conformsAtMicros, blockedUntilMicros), remaining, newAt);
  }
}
