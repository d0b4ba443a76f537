package io.sluice.guarantees;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * No key of any limit is allowed more than the limit's definition says, in the limit's own time: at
 * the instants by which the events were judged, or which were reserved for them.
 */
final class NeverOverLimit implements Guarantee {
  /*
   * An event is judged by the clock of its partition. The inputs alone do not tell it, because events
   * that took a hop move the clock too; a limit that only watches tells it (see Limits).
   *
   * In the state store a charge is a part of the transaction that also publishes the verdict, so the
   * verdict's clock is the instant charged at. Redis is no part of it: an event may have been charged
   * there, its verdict rolled back, and then be recognised and let through by a later clock. So it was
   * charged no earlier than the clock that the inputs imply. And other partitions may have moved the
   * clock of the key: a log has charged the event no later than its newest entry, a counter no later
   * than its running period began, both of which `reset-after` tells; a funnel has no such clock.
   */
  @Override
  public long cases(History history) {
    return Limits.ALL.stream()
        .flatMap(limit -> charges(history, limit).values().stream())
        .mapToLong(List::size)
        .sum();
  }

  @Override
  public Stream<String> violations(History history) {
    return Stream.concat(
        history.allowed().stream().flatMap(end -> badClock(history.clocks(), end)),
        Limits.ALL.stream().flatMap(limit -> violations(history, limit)));
  }

  private static Stream<String> badClock(Clocks clocks, Kept end) {
    if (Limits.of(end.event().action()).isEmpty() || end.event().cost() == 0) return Stream.of();
    Optional<Clocks.Judged> judged = clocks.judged(end);
    if (judged.isEmpty()) return Stream.of(end + " does not say by which clock it was judged");
    long aheadMs = clocks.earliestMs(end) - judged.get().partitionMs();
    if (aheadMs <= 0) return Stream.of();
    return Stream.of(
        "%s was judged by a clock that had gone back %d ms, to %d"
            .formatted(end, aheadMs, judged.get().partitionMs()));
  }

  private static Stream<String> violations(History history, Limit limit) {
    Bound bound = Bound.of(limit.algorithm());
    return charges(history, limit).entrySet().stream()
        .flatMap(
            key ->
                bound
                    .exceeded(limit, key.getValue())
                    .map(what -> limit.name() + " of " + key.getKey() + ": " + what));
  }

  /** What used up quota, by key. */
  private static Map<String, List<Charge>> charges(History history, Limit limit) {
    Map<String, List<Charge>> charges = new HashMap<>();
    for (Kept end : history.allowed()) {
      if (!end.event().action().equals(limit.action()) || end.event().cost() == 0) continue;
      Optional<Clocks.Judged> judged = history.clocks().judged(end);
      if (judged.isEmpty()) continue;
      charges
          .computeIfAbsent(limit.keyOf(end.event()), absent -> new ArrayList<>())
          .add(charge(history, limit, end, judged.get()));
    }
    return charges;
  }

  private static Charge charge(History history, Limit limit, Kept end, Clocks.Judged judged) {
    if (limit.exceeded() == Limit.Exceeded.DELAY) {
      long waitMs = history.announcements().reservedAfterMs(end);
      if (waitMs > 0) return new Charge(end, judged.byMs() + waitMs, judged.byMs() + waitMs);
    }
    if (!limit.inRedis()) return new Charge(end, judged.byMs(), judged.byMs());
    return new Charge(end, history.clocks().earliestMs(end), latestMs(limit, end, judged));
  }

  private static long latestMs(Limit limit, Kept end, Clocks.Judged judged) {
    long newAtMs = judged.partitionMs() + end.number(Verdicts.RESET_AFTER);
    return switch (limit.algorithm()) {
      case LOG -> newAtMs - limit.periodMs();
      case COUNTER -> Math.max(judged.byMs(), newAtMs - 2 * limit.periodMs());
      case FUNNEL -> judged.byMs();
    };
  }
}
