package io.sluice.limiter;

import static java.lang.Math.max;

import java.util.Arrays;
import java.util.List;

/**
 * Metering of one arrival against all of its buckets, in two steps: first each limit is asked, then
 * the arrival is settled, which charges it to every limit or to none. Nothing is stored before it
 * is settled, so limits elsewhere can be asked in between.
 */
public final class Metering {
  /*
   * Each bucket is judged at the arrival's time, or at its own clock if that is later. It finds the
   * first instant at which the arrival conforms; its limit says how long an arrival may wait (its
   * patience, 0 if it polices). If no wait exceeds its limit's patience, the arrival is charged to
   * each bucket: at its slot, which is the latest of the instants that it must wait for, or at the
   * instant at which the bucket was judged, if that is later or nothing waits. A limit that
   * conforms at an instant also conforms at any later one, because no other arrival comes in
   * between. No bucket moves another's clock: a key's result depends on its own arrivals alone.
   *
   * A bucket that has charged this same record does not charge it again, regardless of the other
   * buckets. Another record of the same event is a duplicate only if every enforced limit has
   * admitted the event.
   */
  private final Arrival arrival;
  private final List<Bucket> buckets;
  private final JudgedBucket[] judged;

  /**
   * Result of some limits for an arrival that is not settled yet, which is passed to the limits
   * elsewhere.
   *
   * @param enforced whether any of the limits is enforced
   * @param conforms whether all enforced limits would admit the arrival as a new event
   * @param slotMicros instant at which they would admit it, if it has to wait; 0 if at once
   * @param duplicate whether each enforced limit has admitted another record of the event
   */
  public record Standing(boolean enforced, boolean conforms, long slotMicros, boolean duplicate) {
    /** Standing without any limit. */
    public static final Standing NONE = new Standing(false, true, 0, true);

    /**
     * Latest slot, in the year 2223: later than any wait that begins before 2201, and exact in a
     * script.
     */
    private static final long LATEST_MICROS = 8_000_000_000_000_000L;

    public Standing {
      if (slotMicros < 0 || slotMicros > LATEST_MICROS) {
        throw new IllegalArgumentException("not an instant to wait for: " + slotMicros);
      }
    }

    /**
     * Returns the standing of limits that admit the arrival at this instant, or at once if it is 0.
     */
    public static Standing conforming(long slotMicros) {
      return new Standing(true, true, slotMicros, false);
    }

    /** Returns the standing of limits that refuse the arrival. */
    public static Standing refusing() {
      return new Standing(true, false, 0, false);
    }
  }

  /**
   * @param judged one for each bucket, in their order
   */
  Metering(Arrival arrival, List<Bucket> buckets, JudgedBucket[] judged) {
    this.arrival = arrival;
    this.buckets = buckets;
    this.judged = judged;
  }

  /** Returns the result of these limits, for use by limits elsewhere. */
  public Standing standing() {
    boolean conforms = conforms();
    return new Standing(
        Outcome.enforced(buckets), conforms, conforms ? slotMicros() : 0, mayBeDuplicate());
  }

  /** Whether every enforced limit admits the arrival, now or at its slot. */
  private boolean conforms() {
    for (JudgedBucket each : judged) if (each.isEnforced() && !each.admits()) return false;
    return true;
  }

  /** Returns the first instant that suits every enforced limit; 0 if the arrival need not wait. */
  private long slotMicros() {
    long slot = 0;
    for (JudgedBucket each : judged) if (each.isEnforced()) slot = max(slot, each.slotMicros());
    return slot;
  }

  /**
   * Whether every enforced limit has admitted another record of the event; true without such
   * limits.
   */
  private boolean mayBeDuplicate() {
    for (JudgedBucket each : judged) {
      if (each.isEnforced() && !each.knowsAnotherRecord()) return false;
    }
    return true;
  }

  /** Settles an arrival that is judged by these limits alone. */
  public Outcome settle() {
    return settle(Standing.NONE);
  }

  /** Settles the arrival with regard to the result of limits elsewhere. */
  public Outcome settle(Standing elsewhere) {
    if (isDuplicate(elsewhere)) return duplicate();
    if (!elsewhere.conforms() || !conforms()) return refuse();
    return admit(max(elsewhere.slotMicros(), slotMicros()));
  }

  private boolean isDuplicate(Standing elsewhere) {
    boolean enforced = elsewhere.enforced() || Outcome.enforced(buckets);
    return enforced && arrival.identity().claimed() && elsewhere.duplicate() && mayBeDuplicate();
  }

  /**
   * Returns the decisions that the arrival would get, with the permits that remain before it.
   * Nothing is charged.
   */
  public Outcome ask() {
    return conforms()
        ? outcome(Outcome.Kind.ADMITTED, slotMicros())
        : outcome(Outcome.Kind.REFUSED, 0);
  }

  /** Applies an outcome that was settled elsewhere with regard to all limits. */
  public Outcome follow(Outcome settled) {
    return switch (settled.kind()) {
      case ADMITTED -> admit(settled.slotMicros());
      case REFUSED -> refuse();
      case DUPLICATE -> duplicate();
    };
  }

  /**
   * Charges the arrival to every limit, at its slot or at once, unless this record was charged
   * before.
   */
  private Outcome admit(long slotMicros) {
    for (JudgedBucket each : judged) each.charge(slotMicros);
    return outcome(Outcome.Kind.ADMITTED, slotMicros);
  }

  /** Charges only limits that count attempts, and begins blocks. */
  private Outcome refuse() {
    for (JudgedBucket each : judged) each.refuse();
    return outcome(Outcome.Kind.REFUSED, 0);
  }

  private Outcome duplicate() {
    long slot = 0;
    for (JudgedBucket each : judged) {
      if (each.isEnforced()) slot = max(slot, each.slotOfFirstMicros());
    }
    return outcome(Outcome.Kind.DUPLICATE, slot);
  }

  private Outcome outcome(Outcome.Kind kind, long slotMicros) {
    Judgement[] judgements = new Judgement[judged.length];
    for (int i = 0; i < judged.length; i++) {
      judgements[i] = judged[i].judgement(kind == Outcome.Kind.DUPLICATE);
    }
    return new Outcome(kind, slotMicros, Arrays.asList(judgements));
  }
}
