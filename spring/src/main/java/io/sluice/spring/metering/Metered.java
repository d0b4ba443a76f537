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
 * @param claims limits that metered the call; without limits that are disabled by a revision (a
 *     dated change), or skipped while Redis is unavailable
 * @param outcome contains a judgement for each claim, in the same order
 */
public record Metered(List<Claim> claims, Outcome outcome) {
  public Metered {
    claims = List.copyOf(claims);
  }

  public boolean admitted() {
    return outcome.admitted();
  }

  /** Whether at least one limit outside of shadow mode metered the call, and therefore decided. */
  public boolean decided() {
    return Outcome.enforced(buckets());
  }

  private List<Bucket> buckets() {
    return claims.stream().map(Claim::bucket).toList();
  }

  /**
   * Returns the deciding limit: the limit with the fewest permits left if the call is admitted, the
   * limit with the longest wait if not.
   */
  public MethodLimit deciding() {
    return claims.get(outcome.deciding(buckets())).limit();
  }

  /** Returns the decision of a limit that metered the call. */
  public Decision decisionOf(MethodLimit limit) {
    return outcome.decision(indexOf(limit));
  }

  /**
   * Returns the quota by which a limit judged the call, at the time of metering: revisions (dated
   * changes) may change the quota at any time.
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

  /** Returns the names of all limits outside of shadow mode that refuse the call. */
  public List<String> exceeded() {
    return claims.stream()
        .filter(claim -> claim.isEnforced() && !conforms(claim.limit()))
        .map(Claim::name)
        .toList();
  }
}
