package io.sluice.limiter;

import java.util.ArrayList;
import java.util.List;

/**
 * The end of one arrival under all the limits it matched: admitted to each, or to none.
 *
 * @param slotMicros when its turn comes, if it was admitted and must wait for it; 0 if at once. Of
 *     a duplicate, what the first of it was given
 * @param judgements one for each bucket, in the buckets' order
 */
public record Outcome(Kind kind, long slotMicros, List<Judgement> judgements) {
  /** The three ends of an arrival. */
  public enum Kind {
    /** It conforms: it was charged, now or when that record came before. */
    ADMITTED,
    /** It does not. */
    REFUSED,
    /** Every enforced limit has admitted another record of the same event. Nothing was charged. */
    DUPLICATE
  }

  /** Of an arrival that one limit alone has judged, and that need not wait. */
  static Outcome alone(Kind kind, long nowMicros, Decision decision) {
    return new Outcome(kind, 0, List.of(new Judgement(nowMicros, decision)));
  }

  public boolean admitted() {
    return kind == Kind.ADMITTED;
  }

  /** Whether it must wait for its turn. */
  public boolean waits() {
    return slotMicros > 0;
  }

  public Decision decision(int i) {
    return judgements.get(i).decision();
  }

  /**
   * The index of the limit that decided: the tightest if admitted at once, the longest wait if not.
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

  /** Whether any limit is enforced, and so whether one decided. */
  public static boolean enforced(List<Bucket> buckets) {
    for (Bucket bucket : buckets) if (!bucket.rule().shadow()) return true;
    return false;
  }

  /** The outcome of this metering and of another one of the same arrival, which agreed with it. */
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
