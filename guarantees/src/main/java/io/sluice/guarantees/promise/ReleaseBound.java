package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.evidence.FaultLog.Lasted;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.promise.MeteredAgain.Again;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bound of the limits with a queue: the events that are released in any window need no more permits
 * than the quota of the window and one tick. Events count at the instants of their release.
 */
final class ReleaseBound {
  /*
   * If an instance dies after Redis has charged a release and before the transaction is committed,
   * the event is released later, by another instance, and Redis does not charge it again. The same
   * happens if an answer of Redis is lost. So each fault allows the permits of a tick and a commit
   * interval once more, until the partitions have moved and the event is back: for some time, and
   * until each partition that had events for the bucket has released one of them after the fault.
   * Input of before the fault may be read again much later. So after that time, a fault allows no
   * more than the permits of events that may be metered for the second time: they were published
   * before its end, and came in line after its begin. With at-least-once processing this is also
   * true for the state store. With exactly once, the state store has the charge and the release in
   * one transaction, and the bound has no exception.
   */
  private static final long COMMIT_EXACTLY_ONCE_MS = 100;
  private static final long COMMIT_AT_LEAST_ONCE_MS = 30_000;
  private static final long AFTERMATH_MS = 30_000;

  private final History history;
  private final long commitMs;

  ReleaseBound(History history) {
    this.history = history;
    commitMs = history.modes().exactlyOnce() ? COMMIT_EXACTLY_ONCE_MS : COMMIT_AT_LEAST_ONCE_MS;
  }

  /** Returns the allowed events that must conform to limits with a queue. */
  Stream<Kept> released() {
    return history.allowed().stream().filter(end -> QueueLimits.isFor(end.event()));
  }

  Stream<String> violations() {
    Stream<String> unclear = released().flatMap(end -> unclear(end).stream());
    return Stream.concat(unclear, QueueLimits.ALL.stream().flatMap(this::exceeded));
  }

  private static Optional<String> unclear(Kept end) {
    if (end.header(Verdicts.RELEASED_AT).isEmpty())
      return Optional.of(end + " does not say when it was released");
    return end.isWithoutRedis()
        ? Optional.of(end + " was released without Redis")
        : Optional.empty();
  }

  private Stream<String> exceeded(QueueLimit limit) {
    Map<String, List<Kept>> byBucket =
        released()
            .filter(end -> limit.matches(end.event()) && unclear(end).isEmpty())
            .collect(Collectors.groupingBy(end -> limit.bucketOf(end.event())));
    return byBucket.entrySet().stream()
        .flatMap(
            bucket ->
                exceeding(limit, bucket.getValue())
                    .map(many -> bucket.getKey() + ": " + tooMany(limit, many)));
  }

  private Stream<List<Charge>> exceeding(QueueLimit limit, List<Kept> released) {
    return Spans.exceeding(charges(released), new Allowed(limit, released)).stream();
  }

  /** Permits that the releases of one bucket may use. */
  private final class Allowed implements Spans.Most {
    private final QueueLimit limit;
    private final Map<Integer, List<Kept>> byHome;
    private final Disturbances faults;
    private final MeteredAgain again = new MeteredAgain();

    Allowed(QueueLimit limit, List<Kept> released) {
      this.limit = limit;
      byHome =
          released.stream()
              .sorted(Comparator.comparingLong(ReleaseBound::leftMs))
              .collect(Collectors.groupingBy(end -> Topics.home(end.event().user())));
      faults = Disturbances.allUntil(history, this::untilMs);
      for (Lasted fault : Disturbances.of(history))
        again.add(fault.fromMs(), untilMs(fault), meteredAgain(fault, released));
    }

    /** Returns the instant until which a fault surely may have an effect on the bucket. */
    private long untilMs(Lasted fault) {
      return byHome.values().stream()
          .flatMap(own -> firstAfter(fault, own).stream())
          .map(firstMs -> firstMs + QueueLimits.TICK_MS + commitMs)
          .reduce(fault.toMs() + AFTERMATH_MS, Math::max);
    }

    @Override
    public long permits(long fromMs, long toMs) {
      long permits = limit.mostPermits(toMs - fromMs + QueueLimits.TICK_MS);
      return mayRepeat(permits) ? permits + faults.touching(fromMs, toMs) * repeated() : permits;
    }

    @Override
    public long exactly(long fromMs, long toMs) {
      long permits = permits(fromMs, toMs);
      return mayRepeat(permits) ? permits + again.permits(fromMs, toMs, repeated()) : permits;
    }

    private boolean mayRepeat(long permits) {
      boolean isUnbounded = permits == Long.MAX_VALUE;
      return !isUnbounded && (limit.inRedis() || !history.modes().exactlyOnce());
    }

    /** Returns the permits of uncommitted releases, which a fault may have repeated. */
    private long repeated() {
      long repeated = limit.mostPermits(QueueLimits.TICK_MS + commitMs);
      return repeated == Long.MAX_VALUE
          ? limit.permits() * (1 + commitMs / limit.periodMs())
          : repeated;
    }
  }

  private List<Again> meteredAgain(Lasted fault, List<Kept> released) {
    return released.stream()
        .filter(end -> end.event().publishedAtMs() <= fault.toMs())
        .filter(end -> cameMs(end) >= fault.fromMs())
        .map(end -> new Again(leftMs(end), end.event().cost()))
        .toList();
  }

  /** Returns the instant at which an event came in line or, if it did not wait, left. */
  private long cameMs(Kept end) {
    return history.announcements().of(end).stream()
        .mapToLong(TimesInLine::cameMs)
        .max()
        .orElse(leftMs(end));
  }

  /**
   * Returns the first instant after a fault at which a partition released an event that was
   * published before the end of the fault.
   *
   * @param released released events of the partition in the order of their releases
   */
  private static Optional<Long> firstAfter(Lasted fault, List<Kept> released) {
    return released.stream()
        .filter(end -> leftMs(end) > fault.toMs())
        .filter(end -> end.event().publishedAtMs() <= fault.toMs())
        .map(ReleaseBound::leftMs)
        .findFirst();
  }

  private static long leftMs(Kept end) {
    return end.number(Verdicts.RELEASED_AT);
  }

  private static String tooMany(QueueLimit limit, List<Charge> many) {
    long permits = many.stream().mapToLong(Charge::cost).sum();
    return "%d permits released, more than %s and a tick allow: %s"
        .formatted(permits, limit.quota(limit.permits()), Bound.between(many));
  }

  private List<Charge> charges(List<Kept> released) {
    List<Charge> charges = new ArrayList<>();
    released.stream()
        .collect(Collectors.groupingBy(Kept::number))
        .values()
        .forEach(same -> charge(same).ifPresent(charges::add));
    return history.modes().duplicates() == Modes.Duplicates.REPEAT ? once(charges) : charges;
  }

  /**
   * Returns the charge for one input record; empty if an instance that died may have lost it.
   *
   * @param same output records for the input record, several only with at-least-once processing
   */
  private Optional<Charge> charge(List<Kept> same) {
    Kept end = same.get(0);
    boolean isJudgedOtherwise =
        history.endsOf(end).stream()
            .anyMatch(other -> other.header(Verdicts.RELEASED_AT).isEmpty());
    if (!history.modes().exactlyOnce() && isJudgedOtherwise) return Optional.empty();
    List<Long> atMs =
        same.stream().map(each -> each.number(Verdicts.RELEASED_AT)).sorted().toList();
    return Optional.of(new Charge(end, atMs.get(0), atMs.get(atMs.size() - 1), end.event().cost()));
  }

  /** Returns one charge per event, the earliest: the other records only repeat its verdict. */
  private static List<Charge> once(List<Charge> charges) {
    Set<Identity> seen = new HashSet<>();
    return charges.stream()
        .sorted(Comparator.comparingLong(Charge::fromMs))
        .filter(charge -> seen.add(Identity.of(charge.end().event())))
        .toList();
  }
}
