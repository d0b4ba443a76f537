package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.QueueRanks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Guarantee that two tenants whose events wait for one bucket in the same class, all the time, get
 * shares of it by their weights: the released cost divided by the weight differs by no more than
 * the largest costs divided by the weights.
 */
final class FairShare implements Guarantee {
  /*
   * Only limits in the state store are checked, and only events without other limits: their buckets
   * are on one partition, charge and release are one transaction, and an event waits for nothing
   * else. So the first event of a line may leave at any time.
   *
   * A time begins anew when the partition has shown no activity for some time, since another
   * instance may have taken it over, and shares are only in memory; when the class of a first event
   * may change by its age; and when an event of the two tenants leaves in another class.
   *
   * With the difference of the shares after each release, the largest difference of all spans of a
   * time is the distance from the smallest to the largest.
   */
  private static final long AGING_MARGIN_MS = 1_000;

  private static final long QUIET_MS = 600;

  private static final double ROUNDING = 1e-6;

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce() ? "" : "at least once, an event may come and leave several times";
  }

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

  /** Time in epoch milliseconds in which the first event of a line competed in one class. */
  private record Head(long fromMs, long toMs, int rank) {}

  /** Events of one tenant that use a bucket. */
  private static final class Tenant {
    private final String name;
    private final Map<String, List<TimeInLine>> lines = new HashMap<>();
    private final List<Head> heads = new ArrayList<>();
    private final NavigableMap<Long, List<TimeInLine>> released = new TreeMap<>();

    /** Largest cost of the events that came up to an instant. */
    private final NavigableMap<Long, Long> mostCost = new TreeMap<>();

    Tenant(String name) {
      this.name = name;
    }

    void add(TimeInLine event) {
      long before = mostCost.isEmpty() ? 0 : mostCost.lastEntry().getValue();
      mostCost.put(event.cameMs(), Math.max(before, event.event().cost()));
      if (event.allowed())
        released.computeIfAbsent(event.leftMs(), at -> new ArrayList<>()).add(event);
      if (event.waited()) lines.computeIfAbsent(event.line(), line -> new ArrayList<>()).add(event);
    }

    /** Finds the times in which first events surely competed in a class. */
    void findHeads(TimesInLine times) {
      lines.forEach(
          (line, events) -> {
            if (!times.isUnclear(line)) findHeads(events);
          });
    }

    private void findHeads(List<TimeInLine> events) {
      long freeMs = 0;
      for (TimeInLine each : events) {
        long fromMs = Math.max(freeMs, each.cameMs() + 1);
        // An event that does not leave by a release leaves at an unknown instant.
        if (each.allowed() && !each.isAhead()) addHead(each, fromMs);
        freeMs = Math.max(freeMs, each.leftMs());
      }
    }

    private void addHead(TimeInLine head, long fromMs) {
      long atMs = fromMs;
      while (atMs < head.leftMs()) {
        int rank = head.rankAt(atMs, AGING_MARGIN_MS);
        boolean isSure = rank == head.rankAt(atMs, -AGING_MARGIN_MS);
        long turnMs =
            isSure
                ? turnMs(head, atMs + AGING_MARGIN_MS) - AGING_MARGIN_MS
                : turnMs(head, atMs - AGING_MARGIN_MS) + AGING_MARGIN_MS;
        long toMs = rank == 0 && isSure ? head.leftMs() : Math.min(turnMs, head.leftMs());
        if (isSure) heads.add(new Head(atMs, toMs, rank));
        atMs = toMs;
      }
    }

    /** Returns the next instant at which an event competes in a higher class by its age. */
    private static long turnMs(TimeInLine event, long afterMs) {
      long turns = Math.max(0, afterMs - event.cameMs()) / QueueRanks.AGING_MS;
      return event.cameMs() + (turns + 1) * QueueRanks.AGING_MS;
    }

    /** Returns the times in which an event surely waited in a class without an interruption. */
    List<Head> waiting(int rank) {
      List<Head> joined = new ArrayList<>();
      heads.stream()
          .filter(each -> each.rank() == rank)
          .sorted((one, other) -> Long.compare(one.fromMs(), other.fromMs()))
          .forEach(
              each -> {
                int last = joined.size() - 1;
                if (last >= 0 && each.fromMs() <= joined.get(last).toMs()) {
                  Head before = joined.remove(last);
                  long toMs = Math.max(before.toMs(), each.toMs());
                  joined.add(new Head(before.fromMs(), toMs, rank));
                } else {
                  joined.add(each);
                }
              });
      return joined;
    }

    int weight() {
      return QueueRanks.weight(name);
    }

    /** Returns the largest part of its share that one event takes. */
    double largest(long atMs) {
      return (double) mostCost.floorEntry(atMs).getValue() / weight();
    }

    /** Returns the share of the events released at an instant; NaN if it is in another class. */
    double share(long atMs, int rank) {
      double cost = 0;
      for (TimeInLine each : released.getOrDefault(atMs, List.of())) {
        boolean isSure =
            each.rankAt(atMs, AGING_MARGIN_MS) == rank
                && each.rankAt(atMs, -AGING_MARGIN_MS) == rank;
        if (!isSure) return Double.NaN;
        cost += each.event().cost();
      }
      return cost / weight();
    }
  }

  /** Check of one run. */
  private static final class Check {
    private final TimesInLine times;
    private final List<String> violations = new ArrayList<>();
    private long cases;

    Check(History history) {
      times = new TimesInLine(history);
    }

    Check run() {
      for (QueueLimit limit : QueueLimits.ALL) {
        if (limit.inRedis()) continue;
        for (String bucket : times.buckets(limit)) check(bucket);
      }
      return this;
    }

    private void check(String bucket) {
      List<TimeInLine> events = times.of(bucket);
      if (events.stream().anyMatch(each -> each.limits().size() > 1)) return;
      Map<String, Tenant> tenants = new TreeMap<>();
      for (TimeInLine each : events)
        tenants.computeIfAbsent(each.event().tenant(), Tenant::new).add(each);
      tenants.values().forEach(each -> each.findHeads(times));
      NavigableSet<Long> active = times.activeMs(events.get(0).home());
      List<Tenant> all = List.copyOf(tenants.values());
      for (int i = 0; i < all.size(); i++) {
        for (int j = i + 1; j < all.size(); j++) {
          new Pair(bucket, active, all.get(i), all.get(j)).check();
        }
      }
    }

    /** Two tenants of a bucket. */
    private final class Pair {
      private final String bucket;
      private final NavigableSet<Long> active;
      private final Tenant one;
      private final Tenant other;

      Pair(String bucket, NavigableSet<Long> active, Tenant one, Tenant other) {
        this.bucket = bucket;
        this.active = active;
        this.one = one;
        this.other = other;
      }

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
        NavigableSet<Long> instants =
            new TreeSet<>(one.released.subMap(both.fromMs(), false, both.toMs(), false).keySet());
        instants.addAll(other.released.subMap(both.fromMs(), false, both.toMs(), false).keySet());
        Span span = new Span(both.fromMs());
        long beforeMs = both.fromMs();
        for (long atMs : instants) {
          if (wasQuiet(beforeMs, atMs)) span = new Span(atMs);
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
                .formatted(
                    bucket, span.fromMs, atMs, text(one), text(other), span.largest(), most));
        return true;
      }

      private String text(Tenant tenant) {
        return "'%s' (weight %d)".formatted(tenant.name, tenant.weight());
      }

      /** Whether the partition showed no activity for some time between two instants. */
      private boolean wasQuiet(long fromMs, long toMs) {
        long lastMs = fromMs;
        for (long each : active.subSet(fromMs, false, toMs, true)) {
          if (each - lastMs > QUIET_MS) return true;
          lastMs = each;
        }
        return toMs - lastMs > QUIET_MS;
      }
    }
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
