package io.sluice.limiter;

import static java.lang.Math.max;

import java.util.Arrays;
import java.util.List;

/**
 * One arrival held against the buckets of all its claims: first it is found out what each limit
 * says, then the arrival is settled, charged to every limit or to none. Nothing changes before it
 * is settled, so what other limits say elsewhere can still be asked in between.
 */
public final class Metering {
  /*
   * Each bucket is judged at the instant at which the arrival comes, or at its own clock if that is
   * later. It names the first instant at which the arrival conforms, and its limit how long it lets
   * one wait (its patience, 0 where it polices). If none would wait longer than its patience, the
   * arrival is charged to each: at its slot, the latest of those instants that must be waited for,
   * or where that is later, or nothing waits, at the instant at which the bucket was judged. A limit
   * that conforms at an instant conforms at any later one, because nothing but this arrival comes
   * in between. No bucket's clock is moved by another's: what a key gets depends on its own
   * arrivals.
   *
   * A bucket that has charged this very record does not charge it again, whatever the others know.
   * Another record of the same event is a duplicate only where every enforced limit has admitted it.
   */
  private static final long NEVER = Finding.NEVER;

  private final Arrival arrival;
  private final List<Claim> claims;
  private final KeyState[] states;
  private final long[] nowMicros;
  private final long[] conformsAt;
  private final Prior[] priors;

  Metering(Arrival arrival, List<Claim> claims, KeyState[] states) {
    this.arrival = arrival;
    this.claims = claims;
    this.states = states;
    nowMicros = new long[states.length];
    conformsAt = new long[states.length];
    priors = new Prior[states.length];
    for (int i = 0; i < states.length; i++) {
      long now = max(arrival.nowMicros(), states[i].clockMicros());
      nowMicros[i] = now;
      priors[i] = states[i].prior(now, arrival.identity());
      conformsAt[i] =
          arrival.cost() > rule(i).capacity() ? NEVER : states[i].conformsAt(now, arrival.cost());
    }
  }

  private Rule rule(int i) {
    return claims.get(i).rule();
  }

  /** What these limits say, to be taken into account elsewhere. */
  public Standing standing() {
    boolean conforms = conforms();
    return new Standing(
        Outcome.enforced(claims), conforms, conforms ? slotMicros() : 0, mayBeDuplicate());
  }

  /** Whether every enforced limit lets the arrival in, now or at its slot. */
  private boolean conforms() {
    for (int i = 0; i < states.length; i++) {
      if (!rule(i).shadow() && !admits(i)) return false;
    }
    return true;
  }

  private boolean admits(int i) {
    return isMet(i) || isPatient(i);
  }

  private boolean isPatient(int i) {
    return Finding.isWithin(rule(i).patienceMicros(), nowMicros[i], conformsAt[i]);
  }

  /**
   * The first instant at which the arrival suits every limit that makes it wait; 0 if none does.
   */
  private long slotMicros() {
    long slot = 0;
    for (int i = 0; i < states.length; i++) {
      if (rule(i).shadow()) continue;
      long at = priors[i] instanceof Prior.Admitted before ? before.atMicros() : conformsAt[i];
      if (at > nowMicros[i]) slot = max(slot, at);
    }
    return slot;
  }

  /** Whether no enforced limit denies that another record of the event was admitted. */
  private boolean mayBeDuplicate() {
    for (int i = 0; i < states.length; i++) {
      if (!rule(i).shadow() && !(priors[i] instanceof Prior.Claimed)) return false;
    }
    return true;
  }

  /** Settles what only these limits judge. */
  public Outcome settle() {
    return settle(Standing.NONE);
  }

  /** Settles the arrival with regard to what other limits say of it. */
  public Outcome settle(Standing elsewhere) {
    if (isDuplicate(elsewhere)) return duplicate();
    if (!elsewhere.conforms() || !conforms()) return refuse();
    return admit(max(elsewhere.slotMicros(), slotMicros()));
  }

  private boolean isDuplicate(Standing elsewhere) {
    boolean enforced = elsewhere.enforced() || Outcome.enforced(claims);
    return enforced && arrival.identity().claimed() && elsewhere.duplicate() && mayBeDuplicate();
  }

  /** Follows what has been settled elsewhere, where all limits had their say. */
  public Outcome follow(Outcome settled) {
    return switch (settled.kind()) {
      case ADMITTED -> admit(settled.slotMicros());
      case REFUSED -> refuse();
      case DUPLICATE -> duplicate();
    };
  }

  /** Charges the arrival to every limit, at its slot or at once, except where it was before. */
  private Outcome admit(long slotMicros) {
    for (int i = 0; i < states.length; i++) {
      long at = max(nowMicros[i], slotMicros);
      if (!rule(i).shadow()) charge(i, at);
      else if (isPatient(i)) charge(i, max(at, conformsAt[i]));
      else countAttempt(i);
    }
    return outcome(Outcome.Kind.ADMITTED, slotMicros);
  }

  private void charge(int i, long atMicros) {
    if (isMet(i) || arrival.cost() == 0) return;
    states[i].charge(nowMicros[i], atMicros, arrival.cost(), arrival.identity());
  }

  /** Whether the bucket has charged this very record. */
  private boolean isMet(int i) {
    return priors[i] instanceof Prior.Admitted;
  }

  /** Charges nothing, but to limits that count attempts. */
  private Outcome refuse() {
    for (int i = 0; i < states.length; i++) countAttempt(i);
    return outcome(Outcome.Kind.REFUSED, 0);
  }

  private void countAttempt(int i) {
    boolean counts = rule(i).countsAttempts() && conformsAt[i] != NEVER && arrival.cost() > 0;
    if (!counts || isMet(i)) return;
    states[i].chargeRefused(nowMicros[i], arrival.cost());
    conformsAt[i] = states[i].conformsAt(nowMicros[i], arrival.cost());
  }

  private Outcome duplicate() {
    long slot = 0;
    for (int i = 0; i < states.length; i++) {
      boolean waits =
          !rule(i).shadow()
              && priors[i] instanceof Prior.Claimed first
              && first.atMicros() > nowMicros[i];
      if (waits) slot = max(slot, ((Prior.Claimed) priors[i]).atMicros());
    }
    return outcome(Outcome.Kind.DUPLICATE, slot);
  }

  private Outcome outcome(Outcome.Kind kind, long slotMicros) {
    Judgement[] judgements = new Judgement[states.length];
    for (int i = 0; i < states.length; i++) {
      judgements[i] = judgement(i, kind == Outcome.Kind.DUPLICATE);
    }
    return new Outcome(kind, slotMicros, Arrays.asList(judgements));
  }

  private Judgement judgement(int i, boolean duplicate) {
    long remaining = states[i].remaining(nowMicros[i]);
    return new Finding(conformsAt[i], metAt(priors[i], duplicate), remaining, states[i].newAt())
        .judge(rule(i), arrival.cost(), nowMicros[i]);
  }

  private static long metAt(Prior prior, boolean duplicate) {
    if (prior instanceof Prior.Admitted before) return before.atMicros();
    return duplicate && prior instanceof Prior.Claimed first ? first.atMicros() : Finding.NOT_MET;
  }
}
