package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.promise.TenantInLine.Head;
import io.sluice.guarantees.scenario.QueueRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Shares of two tenants of a bucket while events of both wait in the same class. */
final class TenantPair {
  private static final double ROUNDING = 1e-6;

  private final String bucket;
  private final Takeovers takeovers;
  private final TenantInLine one;
  private final TenantInLine other;
  private final List<String> violations = new ArrayList<>();
  private long cases;

  /**
   * Times in which another instance may have taken over a partition, or a pause has held all
   * events, so that shares begin anew.
   *
   * @param activeMs instants at which the partition surely was at work, epoch milliseconds
   * @param faults faults that may move partitions, each with the time until the last move
   * @param pauses tells whether a pause touches a time
   */
  record Takeovers(NavigableSet<Long> activeMs, Disturbances faults, Pauses pauses) {
    interface Pauses {
      boolean touch(long fromMs, long toMs);
    }

    private static final long QUIET_MS = 600;

    private boolean mayBeWithin(long fromMs, long toMs) {
      if (faults.touching(fromMs + 1, toMs) > 0 || pauses.touch(fromMs, toMs)) return true;
      long lastMs = fromMs;
      for (long each : activeMs.subSet(fromMs, false, toMs, true)) {
        if (each - lastMs > QUIET_MS) return true;
        lastMs = each;
      }
      return toMs - lastMs > QUIET_MS;
    }
  }

  /**
   * @param bucket name of the bucket
   */
  TenantPair(String bucket, Takeovers takeovers, TenantInLine one, TenantInLine other) {
    this.bucket = bucket;
    this.takeovers = takeovers;
    this.one = one;
    this.other = other;
  }

  /** Returns the number of releases that could have violated the guarantee. */
  long cases() {
    return cases;
  }

  List<String> violations() {
    return violations;
  }

  /** Finds cases and violations. */
  void check() {
    for (int rank = 0; rank < QueueRanks.CLASSES.size(); rank++) {
      List<Head> ones = one.waiting(rank);
      List<Head> others = other.waiting(rank);
      int i = 0;
      int j = 0;
      while (i < ones.size() && j < others.size()) {
        long fromMs = Math.max(ones.get(i).fromMs(), others.get(j).fromMs());
        long toMs = Math.min(ones.get(i).toMs(), others.get(j).toMs());
        if (fromMs < toMs) check(new Head(fromMs, toMs, rank));
        if (ones.get(i).toMs() < others.get(j).toMs()) i++;
        else j++;
      }
    }
  }

  /** Checks a time in which events of both tenants waited in the same class. */
  private void check(Head both) {
    NavigableSet<Long> instants = new TreeSet<>(one.releasedMs(both.fromMs(), both.toMs()));
    instants.addAll(other.releasedMs(both.fromMs(), both.toMs()));
    Span span = new Span(both.fromMs());
    long beforeMs = both.fromMs();
    for (long atMs : instants) {
      if (takeovers.mayBeWithin(beforeMs, atMs)) span = new Span(atMs);
      else {
        double share = one.share(atMs, both.rank()) - other.share(atMs, both.rank());
        if (Double.isNaN(share)) span = new Span(atMs);
        else if (isUnfair(span, share, atMs)) return;
      }
      beforeMs = atMs;
    }
  }

  private boolean isUnfair(Span span, double share, long atMs) {
    cases++;
    span.add(share);
    double most = one.largest(atMs) + other.largest(atMs);
    if (span.largest() <= most + ROUNDING) return false;
    violations.add(
        "%s, from %d to %d: events of %s and %s waited in the same class, and their shares differ by %.2f, more than %.2f"
            .formatted(bucket, span.fromMs, atMs, text(one), text(other), span.largest(), most));
    return true;
  }

  private String text(TenantInLine tenant) {
    return "'%s' (weight %d)".formatted(tenant.name(), tenant.weight());
  }

  /** Differences of two shares after the releases of a time. */
  private static final class Span {
    private final long fromMs;
    private double difference;
    private double least;
    private double most;

    Span(long fromMs) {
      this.fromMs = fromMs;
    }

    void add(double share) {
      difference += share;
      least = Math.min(least, difference);
      most = Math.max(most, difference);
    }

    double largest() {
      return most - least;
    }
  }
}
