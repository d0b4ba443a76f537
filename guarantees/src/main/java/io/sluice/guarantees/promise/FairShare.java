package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.promise.TenantPair.Takeovers;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Guarantee that two tenants whose events wait for one bucket in the same class, all the time, get
 * shares of it by their weights: the released cost divided by the weight differs by no more than
 * the largest costs divided by the weights.
 */
final class FairShare implements ExactlyOnceGuarantee {
  /*
   * Only limits in the state store are checked, and only events without other limits: their buckets
   * are on one partition, charge and release are one transaction, and an event waits for nothing
   * else. So the first event of a line may leave at any time.
   *
   * A span begins anew when another instance may have taken over the partition, since shares are
   * only in memory: when the partition has shown no activity for some time, and during and after
   * any fault, because a planned move takes less. It also begins anew when the class of a first
   * event may change by its age, when an event of the two tenants leaves in another class, and
   * after a pause: the events of all buckets wait for its end in one order, with shares of its own.
   *
   * With the difference of the shares after each release, the largest difference of all spans of a
   * time is the distance from the smallest to the largest.
   */
  private static final long MOVING_MS = 15_000;

  /**
   * Time after a pause until all events that it held were asked once, and wait for their bucket.
   */
  private static final long AFTER_A_PAUSE_MS = 1_000;

  /** Returns the number of releases while events of another tenant waited in the same class. */
  @Override
  public long cases(History history) {
    return history.modes().exactlyOnce() ? new Check(history).run().cases : 0;
  }

  @Override
  public Stream<String> violations(History history) {
    return history.modes().exactlyOnce()
        ? new Check(history).run().violations.stream()
        : Stream.of();
  }

  /** Check of one run. */
  private static final class Check {
    private final TimesInLine times;
    private final Disturbances faults;
    private final PauseSpans pauses;
    private final List<String> violations = new ArrayList<>();
    private long cases;

    Check(History history) {
      times = new TimesInLine(history);
      faults = Disturbances.all(history, MOVING_MS);
      pauses = new PauseSpans(history);
    }

    Check run() {
      for (QueueLimit limit : QueueLimits.ALL) {
        if (limit.inRedis()) continue;
        for (String bucket : times.buckets(limit)) check(limit, bucket);
      }
      return this;
    }

    private void check(QueueLimit limit, String bucket) {
      List<TimeInLine> events = times.of(bucket);
      if (events.stream().anyMatch(each -> each.limits().size() > 1)) return;
      Map<String, TenantInLine> tenants = new TreeMap<>();
      for (TimeInLine each : events)
        tenants.computeIfAbsent(each.event().tenant(), TenantInLine::new).add(each);
      tenants.values().forEach(each -> each.findHeads(times));
      TimeInLine any = events.get(0);
      Takeovers takeovers =
          new Takeovers(
              times.activeMs(any.home()),
              faults,
              (fromMs, toMs) ->
                  pauses.mayHold(limit, any.event(), fromMs - AFTER_A_PAUSE_MS, toMs));
      List<TenantInLine> all = List.copyOf(tenants.values());
      for (int i = 0; i < all.size(); i++) {
        for (int j = i + 1; j < all.size(); j++) {
          TenantPair pair = new TenantPair(bucket, takeovers, all.get(i), all.get(j));
          pair.check();
          cases += pair.cases();
          violations.addAll(pair.violations());
        }
      }
    }
  }
}
