package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.Ability;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.QueueRanks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Guarantee that an event waits only for its own buckets: while all of them conform, and no event
 * before it waits for one of them, the event leaves at the next tick.
 */
final class NoHeadOfLineBlocking implements ExactlyOnceGuarantee {
  private final boolean byClass;

  NoHeadOfLineBlocking() {
    this(Ability.CLASSES.isPresent());
  }

  /**
   * @param byClass whether events leave by class and share, else in the order in which they came
   */
  NoHeadOfLineBlocking(boolean byClass) {
    this.byClass = byClass;
  }

  /** Returns the number of events that left while an earlier one of their partition waited. */
  @Override
  public long cases(History history) {
    if (!history.modes().exactlyOnce()) return 0;
    Map<Integer, Long> latestMs = new HashMap<>();
    long cases = 0;
    for (TimeInLine each : new TimesInLine(history).all()) {
      if (each.allowed() && latestMs.getOrDefault(each.home(), 0L) > each.leftMs()) cases++;
      if (each.waited()) latestMs.merge(each.home(), each.leftMs(), Math::max);
    }
    return cases;
  }

  @Override
  public Stream<String> violations(History history) {
    return history.modes().exactlyOnce() ? new Check(history, byClass).violations() : Stream.of();
  }

  /** Check of one run. */
  private static final class Check {
    /*
     * Proof of a violation: at an instant at which its partition released another event from a
     * line, the buckets of the event conformed and no event before it waited for them. All buckets
     * conformed until the partition released one more event, SLACK_MS later or more, and the event
     * was still there. So the proof needs no assumption about outages: it needs two releases of
     * the partition. On a busy machine, a partition has many events that could leave, and releases
     * a few at a time, in the order in which they came. So the proof also needs that each event
     * which the partition released meanwhile left as soon as its buckets conformed. Beside these
     * releases, a partition is sure to release events at any time if there was no fault for a while.
     *
     * A bucket conforms for sure if the releases of its memory, without a margin for the slots of
     * releases, have used so few permits that the event fits in even if the quota was the smallest.
     * Other partitions release events for a shared bucket, too; these count.
     *
     * An event before it waits for one of its buckets, unless it is not the first of its line, or
     * waits for another bucket, which is sure for a full log. Without Redis nothing is released for
     * a bucket in Redis, and after an outage each instance finds Redis again after some time; so
     * such events are checked only while there is no fault. While a partition catches up after a
     * fault, its thread is busy with input, and releases are late; so nothing is proved then. A
     * partition does not catch up while it meters all new events soon after they were published.
     * But its releases may still be late, because it asks about all lines after a restart, a few in
     * each tick; so the proof then takes twice the time, and Redis must answer, since the partition
     * also waits for it with lines that do not ask it.
     *
     * The entry of an event that was cancelled or has expired stays beside a bucket that partitions
     * share, and holds back the events of other partitions for a while.
     *
     * With classes and shares, an event before it is one of the same or a higher class, unless it
     * came later and has the same class and tenant.
     */
    private static final long SLACK_MS = 1_500;

    private static final long REDIS_BACK_MS = 5_000;
    private static final long AFTERMATH_MS = 180_000;
    private static final long CATCHING_UP_MS = 30_000;
    private static final long SURE_TICKS_MS = 5_000;
    private static final long PROMPT_MS = 800;
    private static final long QUIET_MS = 1_000;
    private static final long AGING_MARGIN_MS = 1_000;

    /** Time in milliseconds after which an event that could leave has not left in time. */
    private static final long LATE_MS = 500;

    private final boolean byClass;
    private final TimesInLine times;
    private final PauseSpans pauses;
    private final boolean repeats;
    private final Disturbances faults;
    private final Disturbances withoutRedis;
    private final Disturbances catchingUp;
    private final Map<Integer, NavigableSet<Long>> ticks = new HashMap<>();
    private final Map<Integer, NavigableSet<Long>> late = new HashMap<>();

    /** Times from publication to metering, by partition and instant of metering. */
    private final Map<Integer, NavigableMap<Long, Long>> lagMs = new HashMap<>();

    Check(History history, boolean byClass) {
      this.byClass = byClass;
      times = new TimesInLine(history);
      pauses = new PauseSpans(history);
      repeats = history.modes().duplicates() == Modes.Duplicates.REPEAT;
      faults = Disturbances.all(history, 0);
      withoutRedis = Disturbances.ofRedis(history, REDIS_BACK_MS);
      catchingUp = Disturbances.all(history, CATCHING_UP_MS);
      findTicks(Disturbances.all(history, AFTERMATH_MS));
      findLate();
      for (TimeInLine each : times.all()) {
        long lag = each.cameMs() - each.event().publishedAtMs();
        lagMs
            .computeIfAbsent(each.home(), home -> new TreeMap<>())
            .merge(each.cameMs(), lag, Math::max);
      }
    }

    /** Finds the releases of events that could have left before. */
    private void findLate() {
      Map<TimeInLine, Long> earliestMs = new HashMap<>();
      for (QueueLimit limit : QueueLimits.ALL) {
        times
            .buckets(limit)
            .forEach(bucket -> new EarliestReleases(limit, times.of(bucket)).into(earliestMs));
      }
      for (TimeInLine each : times.all()) {
        if (!each.allowed()) continue;
        long sinceMs =
            Math.max(
                earliestMs.getOrDefault(each, 0L),
                Math.max(each.cameMs(), each.event().occurredAtMs()));
        NavigableSet<Long> own = late.computeIfAbsent(each.home(), home -> new TreeSet<>());
        if (each.leftMs() - sinceMs > LATE_MS) own.add(each.leftMs());
      }
    }

    private void findTicks(Disturbances recent) {
      for (TimeInLine each : times.all()) {
        NavigableSet<Long> own = ticks.computeIfAbsent(each.home(), home -> new TreeSet<>());
        if (!each.waited() || !each.allowed()) continue;
        own.add(each.leftMs());
        for (long atMs = each.cameMs(); atMs < each.leftMs(); atMs += SURE_TICKS_MS) {
          if (recent.touching(atMs - SURE_TICKS_MS, atMs + SURE_TICKS_MS) == 0) own.add(atMs);
        }
      }
    }

    Stream<String> violations() {
      return times.all().stream()
          .filter(each -> each.waited() && each.allowed())
          .flatMap(this::violation);
    }

    private Stream<String> violation(TimeInLine event) {
      NavigableSet<Long> own = ticks.get(event.home());
      long fromMs = Math.max(event.cameMs() + 1, event.event().occurredAtMs());
      Long tick = own.ceiling(fromMs);
      while (tick != null && tick < event.leftMs()) {
        Long later = end(own, tick);
        if (later != null && later < event.leftMs() && isProof(event, tick, later))
          return Stream.of(text(event, tick, later));
        tick = own.higher(tick);
      }
      return Stream.of();
    }

    private boolean isProof(TimeInLine event, long fromMs, long toMs) {
      boolean inTime = late.get(event.home()).subSet(fromMs, true, toMs, true).isEmpty();
      return inTime && isFree(event, fromMs, toMs);
    }

    /** Returns the end of the shortest proof that begins at a release; null if there is none. */
    private Long end(NavigableSet<Long> own, long fromMs) {
      Long toMs = own.ceiling(fromMs + SLACK_MS);
      boolean isLonger = toMs != null && catchingUp.touching(fromMs, toMs) > 0;
      return isLonger ? own.ceiling(fromMs + 2 * SLACK_MS) : toMs;
    }

    private static String text(TimeInLine event, long fromMs, long toMs) {
      return "%s waited from %d to %d, though from %d to %d each of its buckets conformed, and no event"
              .formatted(event.input(), event.cameMs(), event.leftMs(), fromMs, toMs)
          + " before it waited for them";
    }

    private boolean isFree(TimeInLine event, long fromMs, long toMs) {
      boolean isCalm = catchingUp.touching(fromMs, toMs) == 0;
      if (!isCalm && !isPrompt(event.home(), fromMs, toMs)) return false;
      for (QueueLimit limit : event.limits()) {
        if (limit.inRedis() && isDisturbed(fromMs, toMs)) return false;
        if (pauses.mayHold(limit, event.event(), fromMs - SLACK_MS, toMs)) return false;
        if (!isSureToConform(limit, event, fromMs, toMs)) return false;
      }
      return event.limits().stream().noneMatch(limit -> isBehind(event, limit, fromMs, toMs));
    }

    /**
     * Whether a partition was at work all the time, and metered all new events soon after they were
     * published, also around the beginning and the end.
     */
    private boolean isPrompt(int home, long fromMs, long toMs) {
      if (withoutRedis.touching(fromMs, toMs) > 0) return false;
      NavigableMap<Long, Long> lags = lagMs.getOrDefault(home, new TreeMap<>());
      NavigableMap<Long, Long> around = lags.subMap(fromMs - QUIET_MS, true, toMs, true);
      boolean isKnown =
          !around.isEmpty()
              && around.firstKey() <= fromMs + QUIET_MS
              && around.lastKey() >= toMs - QUIET_MS;
      if (!isKnown || around.values().stream().anyMatch(lag -> lag > PROMPT_MS)) return false;
      long lastMs = fromMs;
      for (long each : times.activeMs(home).subSet(fromMs, true, toMs, true)) {
        if (each - lastMs > QUIET_MS) return false;
        lastMs = each;
      }
      return toMs - lastMs <= QUIET_MS;
    }

    private boolean isBehind(TimeInLine event, QueueLimit limit, long fromMs, long toMs) {
      String bucket = limit.bucketOf(event.event());
      boolean isHeldBack =
          times.entriesLeft(limit, bucket, fromMs, toMs).stream()
              .anyMatch(
                  other -> other.home() != event.home() && isBefore(other, event, fromMs, toMs));
      if (isHeldBack) return true;
      return byClass
          ? times.waiting(bucket, fromMs, toMs).stream()
              .anyMatch(other -> mayPrecede(other, event, limit, fromMs, toMs))
          : times.of(bucket).stream().anyMatch(other -> waitsBefore(other, event, limit, fromMs));
    }

    private boolean isDisturbed(long fromMs, long toMs) {
      return faults.touching(fromMs, toMs) > 0 || withoutRedis.touching(fromMs, toMs) > 0;
    }

    private boolean isSureToConform(QueueLimit limit, TimeInLine event, long fromMs, long toMs) {
      long sinceMs = fromMs - limit.memoryMs() - QueueLimits.TICK_MS;
      long used = times.used(limit.bucketOf(event.event()), sinceMs, toMs);
      return used + event.event().cost() <= limit.surePermits();
    }

    /** Returns whether another event may wait for a bucket of the event, before it. */
    private boolean waitsBefore(TimeInLine other, TimeInLine event, QueueLimit limit, long atMs) {
      boolean isBefore = other.cameMs() <= event.cameMs() && !other.equals(event);
      if (!isBefore || !other.waitsAt(atMs) || isBehindOthers(other, atMs)) return false;
      return other.limits().stream()
          .noneMatch(each -> !each.equals(limit) && isSureToRefuse(each, other, atMs));
    }

    /**
     * Returns whether another event that waited in a time span may have been before the event at a
     * bucket, by its class or its tenant's share.
     */
    private boolean mayPrecede(
        TimeInLine other, TimeInLine event, QueueLimit limit, long fromMs, long toMs) {
      if (!isBefore(other, event, fromMs, toMs)) return false;
      return Stream.of(fromMs, toMs)
          .anyMatch(
              atMs ->
                  !isBehindOthers(other, atMs)
                      && other.limits().stream()
                          .noneMatch(
                              each -> !each.equals(limit) && isSureToRefuse(each, other, atMs)));
    }

    private static boolean isBefore(TimeInLine other, TimeInLine event, long fromMs, long toMs) {
      boolean sameQueue =
          QueueRanks.rank(other.event()) == QueueRanks.rank(event.event())
              && other.event().tenant().equals(event.event().tenant());
      return sameQueue
          ? other.cameMs() <= event.cameMs() && !other.equals(event)
          : other.rankAt(toMs, AGING_MARGIN_MS) <= event.rankAt(fromMs, -AGING_MARGIN_MS);
    }

    private boolean isBehindOthers(TimeInLine event, long atMs) {
      List<TimeInLine> sharing =
          times.of(event.limits().get(event.limits().size() - 1).bucketOf(event.event()));
      return sharing.stream()
          .anyMatch(
              each ->
                  each.cameMs() < event.cameMs()
                      && each.waitsAt(atMs)
                      && each.line().equals(event.line()));
    }

    private boolean isSureToRefuse(QueueLimit limit, TimeInLine event, long atMs) {
      if (limit.algorithm() != Limit.Algorithm.LOG || repeats) return false;
      long sinceMs = atMs - limit.periodMs() + QueueLimits.TICK_MS;
      long used = times.used(limit.bucketOf(event.event()), sinceMs, atMs);
      return used + event.event().cost() > limit.permits();
    }
  }
}
