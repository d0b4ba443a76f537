package io.sluice.limiter;

import java.util.Arrays;
import java.util.List;

/**
 * One arrival held against the states of all its claims: first it is found out what each limit
 * says, then the arrival is settled, charged to every limit or to none. Nothing changes before it
 * is settled, so what other limits say elsewhere can still be asked in between.
 */
public final class Metering {
  /*
   * Each limit names the first instant at which the arrival conforms, and how long it lets one wait
   * (its patience, 0 where it polices). If none would wait longer than its patience, the arrival is
   * charged to each at the latest of those instants; a limit that conforms at an instant conforms at
   * any later one, because nothing but this arrival comes in between.
   */
  private static final long NEVER = Finding.NEVER;

  private final Arrival arrival;
  private final List<Claim> claims;
  private final KeyState[] states;
  private final RecentEvents recent;
  private final long eventHash;
  private final long nowMicros;
  private final long[] conformsAt;
  private final long[] met;

  Metering(Arrival arrival, List<Claim> claims, KeyState[] states, RecentEvents recent) {
    this.arrival = arrival;
    this.claims = claims;
    this.states = states;
    this.recent = recent;
    eventHash = EventHash.of(arrival.eventId());
    long now = arrival.nowMicros();
    for (KeyState state : states) now = Math.max(now, state.clockMicros());
    nowMicros = now;
    met = new long[states.length];
    conformsAt = new long[states.length];
    for (int i = 0; i < states.length; i++) {
      met[i] = arrival.isAnonymous() ? KeyState.NOT_MET : met(i);
      conformsAt[i] =
          arrival.cost() > rule(i).capacity() ? NEVER : states[i].conformsAt(now, arrival.cost());
    }
  }

  private Rule rule(int i) {
    return claims.get(i).rule();
  }

  /**
   * A log holds every event of the period, and looks for one only after its own time, for it may be
   * long. One that is sent again may bear another time by then, and attempts that decide nothing
   * are dropped.
   */
  private long met(int i) {
    if (rule(i).algorithm() == Algorithm.SLIDING_WINDOW_LOG) {
      long met = states[i].met(nowMicros, arrival.sinceMicros(), eventHash);
      if (met != KeyState.NOT_MET) return met;
    }
    long at = recent.get(EventHash.of(eventHash, claims.get(i)));
    long instant = Met.wasRefused(at) ? Met.refusedAt(at) : at;
    return instant > nowMicros - rule(i).quota().periodMicros() ? at : KeyState.NOT_MET;
  }

  /** Whether every limit lets the arrival in, now or at {@link #atMicros}. */
  public boolean conforms() {
    if (metAt() != KeyState.NOT_MET) return true;
    if (wasRefused()) return false;
    for (int i = 0; i < states.length; i++) {
      if (!rule(i).shadow() && !isPatient(i)) return false;
    }
    return true;
  }

  private boolean isPatient(int i) {
    return Finding.isWithin(rule(i).patienceMicros(), nowMicros, conformsAt[i]);
  }

  /** The first instant at which the arrival suits every limit, if it {@link #conforms}. */
  public long atMicros() {
    long metAt = metAt();
    if (metAt != KeyState.NOT_MET) return Math.max(metAt, nowMicros);
    long at = nowMicros;
    for (int i = 0; i < states.length; i++) {
      if (!rule(i).shadow()) at = Math.max(at, conformsAt[i]);
    }
    return at;
  }

  /** When the event was admitted before, or NOT_MET. */
  private long metAt() {
    for (int i = 0; i < states.length; i++) {
      if (!rule(i).shadow() && met[i] >= 0) return met[i];
    }
    return KeyState.NOT_MET;
  }

  private boolean wasRefused() {
    for (int i = 0; i < states.length; i++) {
      if (!rule(i).shadow() && Met.wasRefused(met[i])) return true;
    }
    return false;
  }

  /** Charges the arrival to every limit at this instant, unless it was before. */
  public Outcome admit(long atMicros) {
    if (metAt() == KeyState.NOT_MET) {
      for (int i = 0; i < states.length; i++) {
        if (!rule(i).shadow()) charge(i, atMicros);
        else if (isPatient(i)) charge(i, Math.max(atMicros, conformsAt[i]));
        else countAttempt(i);
      }
    }
    return outcome(true, atMicros);
  }

  private void charge(int i, long atMicros) {
    if (met[i] != KeyState.NOT_MET || arrival.cost() == 0) return;
    states[i].charge(nowMicros, atMicros, arrival.cost(), eventHash);
    remember(i, atMicros);
  }

  private void remember(int i, long met) {
    if (!arrival.isAnonymous()) recent.put(EventHash.of(eventHash, claims.get(i)), met);
  }

  /** Charges nothing, but to limits that count attempts, unless it was before. */
  public Outcome refuse() {
    if (!wasRefused()) {
      for (int i = 0; i < states.length; i++) countAttempt(i);
    }
    return outcome(false, nowMicros);
  }

  private void countAttempt(int i) {
    boolean counts = rule(i).countsAttempts() && conformsAt[i] != NEVER && arrival.cost() > 0;
    if (!counts || met[i] != KeyState.NOT_MET) return;
    states[i].chargeRefused(nowMicros, arrival.cost(), eventHash);
    remember(i, Met.refusedAt(nowMicros));
    conformsAt[i] = states[i].conformsAt(nowMicros, arrival.cost());
  }

  /** Admits if every limit lets the arrival in, else refuses. */
  public Outcome settle() {
    return conforms() ? admit(atMicros()) : refuse();
  }

  private Outcome outcome(boolean admitted, long atMicros) {
    Decision[] decisions = new Decision[states.length];
    for (int i = 0; i < states.length; i++) decisions[i] = decision(i);
    return new Outcome(admitted, nowMicros, atMicros, Arrays.asList(decisions));
  }

  private Decision decision(int i) {
    long remaining = states[i].remaining(nowMicros);
    return new Finding(conformsAt[i], met[i], remaining, states[i].newAt())
        .decide(rule(i), arrival, nowMicros);
  }
}
