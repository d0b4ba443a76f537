package io.sluice.spring.metering;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.spring.method.MethodLimit;
import java.util.List;

/**
 * Result of metering a call.
 *
 * @param claims limits that metered the call; without those left out while Redis is unavailable, or
 *     by a revision
 * @param outcome contains a judgement for each claim, in the same order
 */
public record Metered(List<Claim> claims, Outcome outcome) {
  public Metered {
    claims = List.copyOf(claims);
  }

  public boolean admitted() {
    return outcome.admitted();
  }

  /** Whether an enforced limit took part, and therefore decided. */
  public boolean decided() {
    return Outcome.enforced(buckets());
  }

  private List<Bucket> buckets() {
    return claims.stream().map(Claim::bucket).toList();
  }

  /**
   * Returns the deciding limit: the tightest one if the call is admitted, the one with the longest
   * wait if not.
   */
  public MethodLimit deciding() {
    return claims.get(outcome.deciding(buckets())).limit();
  }

  /** Returns the decision of a limit that metered the call. */
  public Decision decisionOf(MethodLimit limit) {
    return outcome.decision(indexOf(limit));
  }

  /**
   * Returns the quota by which a limit judged the call, at that instant: revisions may change it at
   * any time.
   */
  public Quota quotaOf(MethodLimit limit) {
    int i = indexOf(limit);
    return claims.get(i).rule().at(outcome.judgements().get(i).nowMicros()).quota();
  }

  private int indexOf(MethodLimit limit) {
    for (int i = 0; i < claims.size(); i++) if (claims.get(i).limit().equals(limit)) return i;
    throw new IllegalStateException(limit + " has not judged this call");
  }

  /** Whether a limit admits the call. */
  public boolean conforms(MethodLimit limit) {
    return decisionOf(limit) instanceof Decision.Conforming;
  }

  /** Returns the names of all enforced limits that refuse the call. */
  public List<String> exceeded() {
    return claims.stream()
        .filter(claim -> claim.isEnforced() && !conforms(claim.limit()))
        .map(Claim::name)
        .toList();
  }
}
