package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Guarantee that no event is released while one of a higher class waits that could have left in its
 * place. The class is that after aging.
 */
final class PriorityKept implements ExactlyOnceGuarantee {
  /** Returns the number of releases beside which an event of another class surely waited. */
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
    /*
     * An event could have left in the place of a released one if both have a bucket in common, it
     * needs no more permits, it is the first of its line and has been for a while, and its other
     * buckets conform for sure and no other line waits for them. A partition releases its events
     * one after another, so the rule needs no assumption about late ticks or outages: a partition
     * that released an event had a choice.
     *
     * Limits in Redis are different. An event that Redis has charged before an instance died is
     * recognised, and leaves before its turn. If a call fails, the heads of lines that it was about
     * rest for a second, while others may ask. So with such limits, an event counts only if there
     * was no fault from its publication to its release, and only if another was overtaken again and
     * again for longer than two rests, without a pause in which another call may have failed.
     *
     * The lines of other partitions count for the limits in Redis that all partitions share. A
     * partition leaves an entry for the others there, which is valid for two seconds after its
     * bucket was to open, and is cleared with a release until the partition asks again. So its
     * event counts only if the partition was surely asking Redis shortly before, and has not just
     * released another event. New events are no proof of that: a partition that restores its lines
     * or catches up meters them, too. The entry of an event that was cancelled or has expired stays
     * for a while, and holds back the events of other partitions.
     */
    private static final long AGING_MARGIN_MS = 1_000;

    private static final long REST_MS = 1_500;
    private static final long REDIS_BACK_MS = 5_000;
    private static final long CATCHING_UP_MS = 30_000;
    private static final long AT_WORK_MS = 1_500;
    private static final long SETTLED_MS = 500;

    private final TimesInLine times;
    private final Disturbances faults;
    private final Disturbances catchingUp;
    private final PauseSpans pauses;
    private final Map<Identity, Long> records;
    private final Map<TimeInLine, Overtaking> overtaking = new HashMap<>();

    /** Instants at which each partition released events from a line after asking Redis. */
    private final Map<Integer, NavigableSet<Long>> askedMs = new HashMap<>();

    private final Map<Integer, Long> lastMs = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private long cases;

    /** Time in epoch milliseconds in which an event was overtaken again and again. */
    private record Overtaking(long fromMs, long toMs) {
      private Overtaking and(long ms) {
        return new Overtaking(ms - toMs > REST_MS ? ms : fromMs, ms);
      }
    }

    Check(History history) {
      times = new TimesInLine(history);
      faults = Disturbances.all(history, REDIS_BACK_MS);
      catchingUp = Disturbances.all(history, CATCHING_UP_MS);
      pauses = new PauseSpans(history);
      records =
          history.inputs().stream()
              .map(Kept::event)
              .filter(QueueLimits::isFor)
              .collect(Collectors.groupingBy(Identity::of, Collectors.counting()));
      times.all().stream()
          .filter(each -> each.waited() && each.allowed() && asksRedis(each))
          .forEach(
              each ->
                  askedMs.computeIfAbsent(each.home(), home -> new TreeSet<>()).add(each.leftMs()));
    }

    Check run() {
      for (QueueLimit limit : QueueLimits.ALL) {
        for (String bucket : times.buckets(limit)) {
          overtaking.clear();
          lastMs.clear();
          check(limit, bucket);
        }
      }
      return this;
    }

    private void check(QueueLimit limit, String bucket) {
      LineHeads heads = new LineHeads(times, bucket);
      times.of(bucket).stream()
          .filter(each -> each.allowed() && records.get(Identity.of(each.event())) == 1)
          .sorted(Comparator.comparingLong(TimeInLine::leftMs))
          .forEach(
              each -> {
                check(limit, each, heads.at(each.leftMs(), QueueLimits.TICK_MS));
                lastMs.put(each.home(), each.leftMs());
              });
    }

    private void check(QueueLimit limit, TimeInLine released, List<List<TimeInLine>> heads) {
      boolean isCase = false;
      for (List<TimeInLine> together : heads) {
        TimeInLine waiting = together.get(0);
        boolean isAbove = together.stream().allMatch(each -> isAbove(each, released));
        boolean isBelow = isAbove(released, waiting);
        if (!isAbove && !isBelow) continue;
        if (!together.stream().allMatch(each -> mayLeaveInPlaceOf(each, released, limit))) continue;
        isCase = true;
        if (isAbove && isProof(waiting, released)) violations.add(text(waiting, released));
      }
      if (isCase) cases++;
    }

    private static String text(TimeInLine waiting, TimeInLine released) {
      return "%s (class %d) was released at %d, while %s (class %d) waited from %d to %d"
          .formatted(
              released.input(),
              released.rankAt(released.leftMs(), 0),
              released.leftMs(),
              waiting.input(),
              waiting.rankAt(released.leftMs(), 0),
              waiting.cameMs(),
              waiting.leftMs());
    }

    /** Whether one event was surely of a higher class than the other when either was released. */
    private static boolean isAbove(TimeInLine one, TimeInLine other) {
      long atMs = Math.min(one.leftMs(), other.leftMs());
      long aheadMs = Math.max(0, one.event().occurredAtMs() - one.cameMs());
      return one.rankAt(atMs, -AGING_MARGIN_MS - aheadMs) < other.rankAt(atMs, AGING_MARGIN_MS);
    }

    private boolean mayLeaveInPlaceOf(TimeInLine waiting, TimeInLine released, QueueLimit limit) {
      long atMs = released.leftMs();
      if (waiting.event().cost() > released.event().cost()) return false;
      boolean isElsewhere = waiting.home() != released.home();
      if (isElsewhere && !(limit.inRedis() && asks(waiting.home(), atMs))) return false;
      if (asksRedis(waiting, released) && !isUndisturbed(released)) return false;
      if (mayBeHeldBack(waiting, limit, atMs)) return false;
      return waiting.limits().stream()
          .filter(each -> !each.equals(limit))
          .allMatch(each -> isFree(each, waiting, atMs));
    }

    /** Whether a partition surely has an entry beside the bucket, if an event waits there. */
    private boolean asks(int home, long atMs) {
      if (lastMs.getOrDefault(home, 0L) >= atMs - SETTLED_MS) return false;
      long sinceMs = atMs - AT_WORK_MS;
      boolean isCalm = catchingUp.touching(sinceMs, atMs) == 0;
      return isWithin(askedMs.getOrDefault(home, new TreeSet<>()), sinceMs, atMs)
          || (isCalm && isWithin(times.activeMs(home), sinceMs, atMs));
    }

    private static boolean isWithin(NavigableSet<Long> instants, long fromMs, long toMs) {
      Long last = instants.floor(toMs);
      return last != null && last >= fromMs;
    }

    private static boolean asksRedis(TimeInLine waiting, TimeInLine released) {
      return asksRedis(waiting) || asksRedis(released);
    }

    private static boolean asksRedis(TimeInLine event) {
      return event.limits().stream().anyMatch(QueueLimit::inRedis);
    }

    /** Whether the entry of an event that is gone may have held back a waiting event. */
    private boolean mayBeHeldBack(TimeInLine waiting, QueueLimit limit, long atMs) {
      String bucket = limit.bucketOf(waiting.event());
      return times.entriesLeft(limit, bucket, atMs - SETTLED_MS, atMs).stream()
          .anyMatch(
              each ->
                  each.home() != waiting.home()
                      && each.rankAt(atMs, AGING_MARGIN_MS)
                          <= waiting.rankAt(atMs, -AGING_MARGIN_MS));
    }

    /** Whether there was no fault from before an event was published until it was released. */
    private boolean isUndisturbed(TimeInLine released) {
      long publishedMs = Math.min(released.event().publishedAtMs(), released.cameMs());
      return faults.touching(publishedMs, released.leftMs()) == 0;
    }

    /** Whether a bucket of an event conforms for sure, and only the event's line waits for it. */
    private boolean isFree(QueueLimit limit, TimeInLine event, long atMs) {
      String bucket = limit.bucketOf(event.event());
      long sinceMs = atMs - SETTLED_MS - limit.memoryMs() - QueueLimits.TICK_MS;
      long used = times.used(bucket, sinceMs, atMs);
      return used + event.event().cost() <= limit.surePermits()
          && !pauses.mayHold(limit, event.event(), sinceMs, atMs)
          && times.waiting(bucket, atMs - SETTLED_MS, atMs).stream()
              .allMatch(other -> other.line().equals(event.line()));
    }

    /** Whether overtaking an event proves a violation, now that it has happened once more. */
    private boolean isProof(TimeInLine waiting, TimeInLine released) {
      if (!asksRedis(waiting, released)) return true;
      long atMs = released.leftMs();
      Overtaking so =
          overtaking.merge(
              waiting, new Overtaking(atMs, atMs), (before, now) -> before.and(now.toMs()));
      return so.toMs() - so.fromMs() >= 2 * REST_MS;
    }
  }
}
