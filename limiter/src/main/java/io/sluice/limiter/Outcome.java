package io.sluice.limiter;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of one arrival under all the limits it matched: admitted to each, or to none.
 *
 * @param admitted whether it was charged, now or at an instant reserved for it
 * @param nowMicros the clock it was judged by: the arrival's own, or the key's if that is later
 * @param atMicros the instant it is charged at: later than the clock if it must wait for its turn
 * @param decisions one for each claim, in the claims' order
 */
public record Outcome(boolean admitted, long nowMicros, long atMicros, List<Decision> decisions) {

  /** How long an admitted arrival must wait; 0 is at once. */
  public long waitMicros() {
    return atMicros - nowMicros;
  }

  /**
   * The index of the limit that decided: the tightest if admitted at once, the longest wait if not.
   *
   * @throws IllegalStateException if no limit is enforced
   */
  public int deciding(List<Claim> claims) {
    int best = -1;
    long bestWeight = 0;
    for (int i = 0; i < decisions.size(); i++) {
      if (claims.get(i).rule().shadow()) continue;
      long weight = weight(decisions.get(i));
      if (best < 0 || weight > bestWeight) {
        best = i;
        bestWeight = weight;
      }
    }
    if (best < 0) throw new IllegalStateException("no enforced limit among " + claims);
    return best;
  }

  /** Whether any limit is enforced, and so whether one decided. */
  public static boolean enforced(List<Claim> claims) {
    for (Claim claim : claims) if (!claim.rule().shadow()) return true;
    return false;
  }

  /** The outcome of this metering and of another one of the same arrival, which agreed with it. */
  public Outcome and(Outcome other) {
    List<Decision> all = new ArrayList<>(decisions);
    all.addAll(other.decisions);
    long now = Math.max(nowMicros, other.nowMicros);
    return new Outcome(admitted, now, Math.max(now, Math.max(atMicros, other.atMicros)), all);
  }

  private long weight(Decision decision) {
    if (admitted) {
      if (atMicros > nowMicros)
        return decision instanceof Waiting waiting ? waiting.waitMicros() : -1;
      return -decision.remaining();
    }
    if (decision instanceof Oversized) return Long.MAX_VALUE;
    if (decision instanceof NonConforming refused) return refused.retryAfterMicros();
    return decision instanceof Conforming || decision instanceof Waiting ? -1 : 0;
  }
}
