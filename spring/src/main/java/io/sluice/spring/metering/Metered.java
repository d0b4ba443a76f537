package io.sluice.spring.metering;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.spring.method.MethodLimit;
import java.util.List;

/**
 * A call once it is metered.
 *
 * @param claims the limits that had a say: not those that are passed over while Redis is
 *     unavailable, or because of a revision
 * @param outcome has a judgement for each, in their order
 */
public record Metered(List<Claim> claims, Outcome outcome) {
  public Metered {
    claims = List.copyOf(claims);
  }

  public boolean admitted() {
    return outcome.admitted();
  }

  /** Whether a limit is enforced, and so decided. */
  public boolean decided() {
    return Outcome.enforced(buckets());
  }

  private List<Bucket> buckets() {
    return claims.stream().map(Claim::bucket).toList();
  }

  /** The limit that decided: the tightest if the call is admitted, the longest wait if not. */
  public MethodLimit deciding() {
    return claims.get(outcome.deciding(buckets())).limit();
  }

  /** What a limit says that had a say. */
  public Decision decisionOf(MethodLimit limit) {
    return outcome.decision(indexOf(limit));
  }

  /** The quota by which a limit judged the call: revisions may change it at any instant. */
  public Quota quotaOf(MethodLimit limit) {
    int i = indexOf(limit);
    return claims.get(i).rule().at(outcome.judgements().get(i).nowMicros()).quota();
  }

  private int indexOf(MethodLimit limit) {
    for (int i = 0; i < claims.size(); i++) if (claims.get(i).limit().equals(limit)) return i;
    throw new IllegalStateException(limit + " had no say");
  }

  /** Whether a limit lets the call in. */
  public boolean conforms(MethodLimit limit) {
    return decisionOf(limit) instanceof Decision.Conforming;
  }

  /** The names of all limits that refuse the call. */
  public List<String> exceeded() {
    return claims.stream()
        .filter(claim -> claim.isEnforced() && !conforms(claim.limit()))
        .map(Claim::name)
        .toList();
  }
}
