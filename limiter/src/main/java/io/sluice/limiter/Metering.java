package io.sluice.limiter;

import static java.lang.Math.max;

import java.util.Arrays;
import java.util.List;

/**
 * One arrival held against all of its buckets: first it is found out what each limit says, then the
 * arrival is settled, charged to every limit or to none. Nothing changes before it is settled, so
 * what other limits say elsewhere can still be asked in between.
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
  private final Arrival arrival;
  private final List<Bucket> buckets;
  private final JudgedBucket[] judged;

  /**
   * The say of some of the limits on an arrival before it is settled, so that limits elsewhere can
   * be asked with regard to it.
   *
   * @param enforced whether any of them is enforced
   * @param conforms whether all that are would let it in as something new
   * @param slotMicros when they would, if it has to wait for that; 0 if at once
   * @param duplicate whether each that is enforced has admitted another record of it
   */
  public record Standing(boolean enforced, boolean conforms, long slotMicros, boolean duplicate) {
    /** There are no limits. */
    public static final Standing NONE = new Standing(false, true, 0, true);

    /** One century past the last clock, and still exact in a script. */
    private static final long LATEST_MICROS = 8_000_000_000_000_000L;

    public Standing {
      if (slotMicros < 0 || slotMicros > LATEST_MICROS) {
        throw new IllegalArgumentException("not an instant to wait for: " + slotMicros);
      }
    }

    /** Limits that let it in at once, or at this instant. */
    public static Standing conforming(long slotMicros) {
      return new Standing(true, true, slotMicros, false);
    }

    /** Limits that refuse it. */
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

  /** What these limits say, to be taken into account elsewhere. */
  public Standing standing() {
    boolean conforms = conforms();
    return new Standing(
        Outcome.enforced(buckets), conforms, conforms ? slotMicros() : 0, mayBeDuplicate());
  }

  /** Whether every enforced limit lets the arrival in, now or at its slot. */
  private boolean conforms() {
    for (JudgedBucket each : judged) if (each.isEnforced() && !each.admits()) return false;
    return true;
  }

  /**
   * The first instant at which the arrival suits every limit that makes it wait; 0 if none does.
   */
  private long slotMicros() {
    long slot = 0;
    for (JudgedBucket each : judged) if (each.isEnforced()) slot = max(slot, each.slotMicros());
    return slot;
  }

  /** Whether no enforced limit denies that another record of the event was admitted. */
  private boolean mayBeDuplicate() {
    for (JudgedBucket each : judged) {
      if (each.isEnforced() && !each.knowsAnotherRecord()) return false;
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
    boolean enforced = elsewhere.enforced() || Outcome.enforced(buckets);
    return enforced && arrival.identity().claimed() && elsewhere.duplicate() && mayBeDuplicate();
  }

  /**
   * What these limits would tell the arrival, if it came: with what is left before it. Nothing is
   * charged.
   */
  public Outcome ask() {
    return conforms()
        ? outcome(Outcome.Kind.ADMITTED, slotMicros())
        : outcome(Outcome.Kind.REFUSED, 0);
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
    for (JudgedBucket each : judged) each.charge(slotMicros);
    return outcome(Outcome.Kind.ADMITTED, slotMicros);
  }

  /** Charges nothing, but to limits that count attempts, and begins blocks. */
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
