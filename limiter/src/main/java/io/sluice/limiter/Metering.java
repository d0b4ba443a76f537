package io.sluice.limiter;

import static java.lang.Math.max;

import java.util.Arrays;
import java.util.List;

/**
 * Metering of one arrival against all of its buckets, in two steps. First each bucket is judged.
 * Then the arrival is settled: it is charged to every limit or to none. Nothing is stored before
 * the arrival is settled, so limits in another backend can be asked in between.
 */
public final class Metering {
  /*
   * Each bucket is judged at the arrival's time, or at the bucket's clock if that is later, and
   * finds the first instant at which the arrival conforms. A limit's patience is the longest wait
   * for that instant, 0 if the limit polices. If no wait exceeds the patience of its limit, the
   * arrival is charged to each bucket at its slot, which is the latest of the instants that the
   * arrival must wait for. It is charged at the instant at which the bucket was judged if that is
   * later, or if the arrival need not wait. A limit that conforms at an instant also conforms at
   * any later one, because no other arrival comes in between. No bucket moves another bucket's
   * clock, so that a key's clock depends on its own arrivals alone.
   *
   * A release may be admitted at any instant of a span: see Arrival.judgedAtMicros for the instant
   * at which a bucket judges it. A wait within the span is always within the patience, and a release
   * whose slots are all within the span is charged to each bucket at the bucket's own slot. Slots
   * before the span are not caught up, so no window holds more than the quota of its length and of
   * the span's. The refusal of a release stores nothing, because it is asked again until it is
   * admitted: it counts no attempt and begins no block.
   *
   * A bucket that has charged this same record does not charge it again, regardless of the other
   * buckets. Another record of the same event is a duplicate only if every enforced limit has
   * admitted the event.
   */
  private final Arrival arrival;
  private final List<Bucket> buckets;
  private final JudgedBucket[] judged;

  /**
   * Interim result of some limits for an arrival that is not settled yet, to be passed to the
   * limits in another backend.
   *
   * @param enforced whether at least one of the limits is enforced, that is, not a shadow limit
   * @param conforms whether all enforced limits would admit the arrival as a new event
   * @param slotMicros instant at which the limits would admit the arrival if it has to wait, in
   *     epoch microseconds; 0 if at once
   * @param duplicate whether each enforced limit has admitted another record of the event
   */
  public record Standing(boolean enforced, boolean conforms, long slotMicros, boolean duplicate) {
    /** Interim result of no limit: it neither refuses nor delays an arrival. */
    public static final Standing NONE = new Standing(false, true, 0, true);

    /**
     * Upper bound of a slot in epoch microseconds, in the year 2223: later than any wait that
     * begins before 2201, and small enough to be exact as a double in the Redis script.
     */
    private static final long LATEST_MICROS = 8_000_000_000_000_000L;

    public Standing {
      if (slotMicros < 0 || slotMicros > LATEST_MICROS) {
        throw new IllegalArgumentException("not an instant to wait for: " + slotMicros);
      }
    }

    /**
     * Returns the interim result of limits that admit the arrival at {@code slotMicros}, or at once
     * if that is 0.
     */
    public static Standing conforming(long slotMicros) {
      return new Standing(true, true, slotMicros, false);
    }

    /** Returns the interim result of limits that refuse the arrival. */
    public static Standing refusing() {
      return new Standing(true, false, 0, false);
    }
  }

  /**
   * @param judged one judged bucket for each bucket, in the same order
   */
  Metering(Arrival arrival, List<Bucket> buckets, JudgedBucket[] judged) {
    this.arrival = arrival;
    this.buckets = buckets;
    this.judged = judged;
  }

  /** Returns the interim result of these limits, to be passed to the limits in another backend. */
  public Standing standing() {
    boolean conforms = conforms();
    return new Standing(
        Outcome.enforced(buckets), conforms, conforms ? slotMicros() : 0, mayBeDuplicate());
  }

  /** Whether every enforced limit admits the arrival, at once or at a slot. */
  private boolean conforms() {
    for (JudgedBucket each : judged) if (each.isEnforced() && !each.admits()) return false;
    return true;
  }

  /**
   * Returns the first instant at which every enforced limit admits the arrival, in epoch
   * microseconds; 0 if the arrival need not wait.
   */
  private long slotMicros() {
    long slot = 0;
    for (JudgedBucket each : judged) if (each.isEnforced()) slot = max(slot, each.slotMicros());
    return slot;
  }

  /**
   * Whether every enforced limit has admitted another record of the event; true if no limit is
   * enforced.
   */
  private boolean mayBeDuplicate() {
    for (JudgedBucket each : judged) {
      if (each.isEnforced() && !each.knowsAnotherRecord()) return false;
    }
    return true;
  }

  /**
   * Admits or refuses an arrival that is judged by these limits alone, and charges it accordingly.
   */
  public Outcome settle() {
    return settle(Standing.NONE);
  }

  /**
   * Admits or refuses the arrival with regard to the interim result of the limits in another
   * backend, and charges it to these limits accordingly.
   */
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
   * Returns the decisions that the arrival would get, with the permits that remain before its
   * charge. Nothing is charged.
   */
  public Outcome ask() {
    return conforms()
        ? outcome(Outcome.Kind.ADMITTED, slotMicros())
        : outcome(Outcome.Kind.REFUSED, 0);
  }

  /**
   * Applies, to these limits, the outcome of an arrival that was settled elsewhere with regard to
   * all of its limits.
   */
  public Outcome follow(Outcome settled) {
    return switch (settled.kind()) {
      case ADMITTED -> admit(settled.slotMicros());
      case REFUSED -> refuse();
      case DUPLICATE -> duplicate();
    };
  }

  /**
   * Charges the arrival to every limit, at its slot or at once, except for limits that have charged
   * this record before.
   */
  private Outcome admit(long slotMicros) {
    for (JudgedBucket each : judged) each.charge(slotMicros);
    return outcome(Outcome.Kind.ADMITTED, slotMicros);
  }

  /**
   * Stores the effects of a refusal: charges the limits that count attempts, and begins blocks. The
   * refusal of a release has no effects.
   */
  private Outcome refuse() {
    if (!arrival.isRelease()) for (JudgedBucket each : judged) each.refuse();
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
