package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.CancelLog;
import io.sluice.guarantees.evidence.CancelLog.LoggedOrder;
import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Revisions.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Guarantee that an event in line that an order has named ends as cancelled, unless it leaves
 * before its partition has read the order. An event that no order has named is never cancelled: see
 * {@link NothingLost}.
 */
final class CancelKept implements ExactlyOnceGuarantee {
  /** Returns the number of events that ended as cancelled. */
  @Override
  public long cases(History history) {
    return history.modes().exactlyOnce() ? new Cancels(history).cancelled().count() : 0;
  }

  @Override
  public Stream<String> violations(History history) {
    return history.modes().exactlyOnce() ? new Check(history).violations() : Stream.of();
  }

  /** Check of one run. */
  private static final class Check {
    /*
     * A consumer takes all records that it has fetched of one topic before those of another, so a
     * partition with a backlog may read an order late. Without a fault, it has read an order when
     * it has metered an event that was published some seconds later. After a fault, a transaction
     * of an instance that ended may hide the order: for the transaction timeout (10 s), and until
     * the broker looks for such transactions (10 s), which it does not do while it is gone. After
     * that, it has read the order when it has metered events without a backlog for some time.
     */
    private static final long READ_MS = 5_000;

    private static final long READ_AFTER_FAULT_MS = 25_000;
    private static final long CALM_MS = 30_000;
    private static final long BACKLOG_MS = 10_000;
    private static final long STEADY_MS = 10_000;

    /** Longest time between two events of a partition that does not stand still. */
    private static final long MOST_BETWEEN_MS = 5_000;

    private static final long BEFORE_MS = 1_000;
    private static final long MARGIN_MS = 1_000;

    private final Cancels cancels;
    private final TimesInLine times;
    private final Disturbances faults;
    private final List<Span> withoutBroker;

    /**
     * First instants at which a partition without a backlog metered an event published at an
     * instant or later.
     */
    private final Map<Integer, NavigableMap<Long, Long>> meteredMs = new HashMap<>();

    /** Instants at which a partition without a backlog metered an event. */
    private final Map<Integer, NavigableSet<Long>> activeMs = new HashMap<>();

    Check(History history) {
      cancels = new Cancels(history);
      times = new TimesInLine(history);
      faults = Disturbances.all(history, CALM_MS);
      withoutBroker =
          history.revisions().brokerGone().stream()
              .sorted(Comparator.comparingLong(Span::fromMs))
              .toList();
      List<TimeInLine> latestFirst = new ArrayList<>(times.all());
      latestFirst.sort(
          Comparator.comparingLong((TimeInLine each) -> each.event().publishedAtMs()).reversed());
      for (TimeInLine each : latestFirst) {
        if (each.cameMs() > each.event().publishedAtMs() + BACKLOG_MS) continue;
        activeMs.computeIfAbsent(each.home(), home -> new TreeSet<>()).add(each.cameMs());
        NavigableMap<Long, Long> own =
            meteredMs.computeIfAbsent(each.home(), home -> new TreeMap<>());
        long soFarMs = own.isEmpty() ? Long.MAX_VALUE : own.firstEntry().getValue();
        own.put(each.event().publishedAtMs(), Math.min(soFarMs, each.cameMs()));
      }
    }

    Stream<String> violations() {
      return times.all().stream()
          .filter(each -> each.waited() && each.allowed())
          .flatMap(
              each ->
                  cancels.naming(each.event()).stream()
                      .filter(order -> isSurelyRead(order, each, each.leftMs()))
                      .map(order -> text(order, each))
                      .limit(1));
    }

    /** Whether a partition has read an order about an event that waited, some time before. */
    private boolean isSurelyRead(LoggedOrder order, TimeInLine event, long beforeMs) {
      if (order.publishedMs() == CancelLog.NEVER) return false;
      if (event.cameMs() > order.atMs() - BEFORE_MS) return false;
      long soonMs = firstMetered(event.home(), order.publishedMs() + READ_MS);
      if (soonMs < beforeMs - MARGIN_MS && faults.touching(order.atMs(), soonMs) == 0) return true;
      long sinceMs = withBrokerSince(order.publishedMs()) + READ_AFTER_FAULT_MS;
      return steadyMs(event.home(), sinceMs) < beforeMs - MARGIN_MS;
    }

    /**
     * Returns the first instant at which a partition has metered events for some time since an
     * instant, without a backlog and without standing still.
     */
    private long steadyMs(int home, long sinceMs) {
      long beganMs = sinceMs;
      long lastMs = sinceMs;
      for (long each : activeMs.getOrDefault(home, new TreeSet<>()).tailSet(sinceMs)) {
        if (each - lastMs > MOST_BETWEEN_MS) beganMs = each;
        if (each - beganMs >= STEADY_MS) return each;
        lastMs = each;
      }
      return Long.MAX_VALUE;
    }

    private long firstMetered(int home, long publishedMs) {
      Map.Entry<Long, Long> first =
          meteredMs.getOrDefault(home, new TreeMap<>()).ceilingEntry(publishedMs);
      return first == null ? Long.MAX_VALUE : first.getValue();
    }

    /** Returns the first instant after which the broker stayed until an order was surely read. */
    private long withBrokerSince(long publishedMs) {
      long sinceMs = publishedMs;
      for (Span gone : withoutBroker) {
        boolean isMeanwhile = gone.fromMs() <= sinceMs + READ_AFTER_FAULT_MS;
        if (isMeanwhile) sinceMs = Math.max(sinceMs, gone.toMs());
      }
      return sinceMs;
    }

    private static String text(LoggedOrder order, TimeInLine event) {
      return "%s waited from %d, and was released at %d, though an order of %d, published at %d, had cancelled %s"
          .formatted(
              event.input(),
              event.cameMs(),
              event.leftMs(),
              order.atMs(),
              order.publishedMs(),
              order.order().event().isEmpty() ? "all of its user" : "it");
    }
  }
}
