package io.sluice.limiter;

import java.util.ArrayList;
import java.util.List;

/**
 * Outcome of one arrival under all the limits that it matched: all of them admit it, or none does.
 *
 * @param slotMicros instant for which an admitted arrival must wait, in epoch microseconds; 0 if it
 *     need not wait. For a duplicate, the slot of the event's first record. For an admitted
 *     release, the latest of its slots: it may be in the past, and is 0 if the release conforms at
 *     once at its earliest instant
 * @param judgements one for each bucket, in the order of the buckets
 */
public record Outcome(Kind kind, long slotMicros, List<Judgement> judgements) {
  /** The three possible kinds of an arrival's outcome. */
  public enum Kind {
    /**
     * Every enforced limit admits the arrival. It was charged now, or when the same record came
     * before.
     */
    ADMITTED,
    /** At least one enforced limit refuses the arrival. */
    REFUSED,
    /** Every enforced limit has admitted another record of the same event. Nothing was charged. */
    DUPLICATE
  }

  /** Returns the outcome of an arrival that matched one limit only and need not wait. */
  static Outcome alone(Kind kind, long nowMicros, Decision decision) {
    return new Outcome(kind, 0, List.of(new Judgement(nowMicros, decision)));
  }

  public boolean admitted() {
    return kind == Kind.ADMITTED;
  }

  /**
   * Whether the arrival must wait for its slot; for a duplicate, whether the event's first record
   * must.
   */
  public boolean waits() {
    return slotMicros > 0;
  }

  public Decision decision(int i) {
    return judgements.get(i).decision();
  }

  /**
   * Returns the index of the deciding limit among the enforced limits: the limit with the fewest
   * remaining permits if the arrival is admitted at once, otherwise the limit with the longest
   * wait.
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

  /** Whether at least one bucket's limit is enforced, so that it can be the deciding one. */
  public static boolean enforced(List<Bucket> buckets) {
    for (Bucket bucket : buckets) if (!bucket.rule().shadow()) return true;
    return false;
  }

  /**
   * Returns the combined outcome of two meterings of the same arrival against different limits,
   * whose outcomes are of the same kind.
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
