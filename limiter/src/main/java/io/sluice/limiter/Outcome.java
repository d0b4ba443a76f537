package io.sluice.limiter;

import java.util.ArrayList;
import java.util.List;

/**
 * Outcome of one arrival under all the limits that it matched: admitted to each, or to none.
 *
 * @param slotMicros instant of its slot, if it was admitted and must wait; 0 if at once. For a
 *     duplicate, the slot of the first record
 * @param judgements one for each bucket, in the buckets' order
 */
public record Outcome(Kind kind, long slotMicros, List<Judgement> judgements) {
  /** The three possible outcomes of an arrival. */
  public enum Kind {
    /** The arrival conforms. It was charged, now or when the same record came before. */
    ADMITTED,
    /** The arrival does not conform. */
    REFUSED,
    /** Every enforced limit has admitted another record of the same event. Nothing was charged. */
    DUPLICATE
  }

  /** Returns the outcome of an arrival that one limit judged alone, and that need not wait. */
  static Outcome alone(Kind kind, long nowMicros, Decision decision) {
    return new Outcome(kind, 0, List.of(new Judgement(nowMicros, decision)));
  }

  public boolean admitted() {
    return kind == Kind.ADMITTED;
  }

  /** Whether the arrival, or the first record of a duplicate, must wait for its slot. */
  public boolean waits() {
    return slotMicros > 0;
  }

  public Decision decision(int i) {
    return judgements.get(i).decision();
  }

  /**
   * Returns the index of the deciding limit: the one with the fewest remaining permits if the
   * arrival is admitted at once, else the one with the longest wait.
   *
   * @throws IllegalStateException if no limit is enforced
   */
  public int deciding(List<Bucket> buckets) {
    int best = -1;
    long bestWeight = 0;
    for (int i = 0; i < judgements.size(); i++) {
      if (buckets.get(i).rule().shadow()) continue;
      long weight = weight(decision(i));
      if (best < 0 || weight > bestWeight) {
        best = i;
        bestWeight = weight;
      }
    }
    if (best < 0) throw new IllegalStateException("no enforced limit among " + buckets);
    return best;
  }

  /** Whether any limit is enforced, and so can be the deciding one. */
  public static boolean enforced(List<Bucket> buckets) {
    for (Bucket bucket : buckets) if (!bucket.rule().shadow()) return true;
    return false;
  }

  /**
   * Returns the combined outcome of two meterings of the same arrival, which have the same kind.
   */
  public Outcome and(Outcome other) {
    List<Judgement> all = new ArrayList<>(judgements);
    all.addAll(other.judgements);
    return new Outcome(kind, Math.max(slotMicros, other.slotMicros), all);
  }

  private long weight(Decision decision) {
    if (kind != Kind.REFUSED) {
      if (!waits()) return -decision.remaining();
      return decision instanceof Decision.Waiting waiting ? waiting.waitMicros() : -1;
    }
    if (decision instanceof Decision.Oversized) return Long.MAX_VALUE;
    if (decision instanceof Decision.NonConforming refused) return refused.retryAfterMicros();
    if (decision instanceof Decision.Blocked blocked) return blocked.retryAfterMicros();
    if (decision instanceof Decision.Known known) return known.resetAfterMicros();
    return decision instanceof Decision.Conforming || decision instanceof Decision.Waiting ? -1 : 0;
  }
}
