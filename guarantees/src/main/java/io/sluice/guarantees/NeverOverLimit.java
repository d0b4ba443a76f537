package io.sluice.guarantees;

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
 * No key of any limit is allowed more than the limit's definition says, in the key's own time: at
 * the instants by which its events were judged, or which were reserved for them.
 */
final class NeverOverLimit implements Guarantee {
  /*
   * An event is judged at its own time, or at its key's clock, which what was charged before has
   * moved. Where all events of a key came in one partition, the inputs imply that instant; where they
   * did not, a limit that only watches tells it (see Limits). It is held to what is implied, and then
   * every record on the allowed topic counts, at the instant told or at the slot announced.
   */
  @Override
  public long cases(History history) {
    return limits(history)
        .flatMap(limit -> charges(history, limit).values().stream())
        .mapToLong(List::size)
        .sum();
  }

  @Override
  public String weakened(Modes modes) {
    List<String> reasons = new ArrayList<>();
    if (!modes.exactlyOnce()) reasons.add("what is allowed again at least once counts once");
    if (modes.duplicates() == Modes.Duplicates.REPEAT) {
      reasons.add("a verdict that is repeated counts once");
    }
    switch (modes.withoutRedis()) {
      case ALLOW -> reasons.add("what is allowed without Redis does not count there");
      case STATE_STORE -> reasons.add("each partition counts for itself without Redis");
      default -> {}
    }
    return String.join("; ", reasons);
  }

  private static Stream<Limit> limits(History history) {
    return history.limits().all().stream();
  }

  @Override
  public Stream<String> violations(History history) {
    return limits(history)
        .flatMap(limit -> Stream.concat(badClocks(history, limit), exceeded(history, limit)));
  }

  private static Stream<String> badClocks(History history, Limit limit) {
    return counted(history, limit, history.allowed())
        .flatMap(end -> badClock(history.clocks(), limit, end).stream());
  }

  private static Optional<String> badClock(Clocks clocks, Limit limit, Kept end) {
    Optional<Long> told = clocks.told(limit, end);
    if (told.isEmpty()) {
      return Optional.of(end + " does not say by which clock " + limit.name() + " judged it");
    }
    Clocks.Between implied = clocks.implied(limit, end);
    if (told.get() >= implied.fromMs() && told.get() <= implied.toMs()) return Optional.empty();
    return Optional.of(
        "%s was judged under %s at %d, and not at %d%s"
            .formatted(
                end,
                limit.name(),
                told.get(),
                implied.fromMs(),
                implied.toMs() == implied.fromMs() ? "" : " to " + implied.toMs()));
  }

  private static Stream<String> exceeded(History history, Limit limit) {
    Bound bound = Bound.of(limit.algorithm());
    boolean logsTries = limit.countsTries() && limit.algorithm() == Limit.Algorithm.LOG;
    Map<String, List<Charge>> tries = logsTries ? tries(history, limit) : Map.of();
    return charges(history, limit).entrySet().stream()
        .flatMap(
            key ->
                Stream.concat(
                        bound.exceeded(limit, key.getValue()),
                        TriesBound.exceeded(
                            limit, key.getValue(), tries.getOrDefault(key.getKey(), List.of())))
                    .map(what -> limit.name() + " of " + key.getKey() + ": " + what));
  }

  /** What used up quota, by key. */
  private static Map<String, List<Charge>> charges(History history, Limit limit) {
    return charges(history, limit, counted(history, limit, history.allowed()));
  }

  /** What was judged and counted, refused or not, by key. */
  private static Map<String, List<Charge>> tries(History history, Limit limit) {
    Stream<Kept> refused =
        history.rejected().stream().filter(end -> end.header(Verdicts.REASON).equals("over-limit"));
    List<Kept> all = Stream.concat(history.allowed().stream(), refused).toList();
    return charges(history, limit, counted(history, limit, all));
  }

  private static Map<String, List<Charge>> charges(
      History history, Limit limit, Stream<Kept> ends) {
    return ends
        .collect(Collectors.groupingBy(end -> bucket(history, limit, end)))
        .entrySet()
        .stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, key -> charges(history, limit, key.getValue())));
  }

  /** What a limit has judged, wherever it counted that. */
  private static Stream<Kept> counted(History history, Limit limit, List<Kept> ends) {
    boolean fallsBack = history.modes().withoutRedis() == Modes.WithoutRedis.STATE_STORE;
    return ends.stream()
        .filter(end -> limit.matches(end.event()))
        .filter(end -> fallsBack || !limit.inRedis() || !end.isWithoutRedis());
  }

  private static String bucket(History history, Limit limit, Kept end) {
    String key = limit.keyOf(end.event());
    if (!limit.inRedis() || !end.isWithoutRedis()) return key;
    return key + " without Redis, from " + history.inputOf(end).map(Kept::partition).orElse(0);
  }

  private static List<Charge> charges(History history, Limit limit, List<Kept> ends) {
    List<Charge> charges = new ArrayList<>();
    ends.stream()
        .collect(Collectors.groupingBy(Kept::number))
        .values()
        .forEach(same -> charge(history, limit, same).ifPresent(charges::add));
    return history.modes().duplicates() == Modes.Duplicates.REPEAT ? once(charges) : charges;
  }

  /** The charge for a record, which at least once may have come out several times. */
  private static Optional<Charge> charge(History history, Limit limit, List<Kept> same) {
    List<Long> told =
        same.stream().flatMap(end -> history.clocks().told(limit, end).stream()).sorted().toList();
    if (told.isEmpty()) return Optional.empty();
    Kept end = same.get(0);
    List<Long> waits =
        limit.exceeded() == Limit.Exceeded.DELAY
            ? history.announcements().reservedAfterMs(end)
            : List.of(0L);
    return Optional.of(
        new Charge(
            end,
            told.get(0) + waits.get(0),
            told.get(told.size() - 1) + waits.get(waits.size() - 1)));
  }

  /** Of several records of one event only the first: the others have its verdict again. */
  private static List<Charge> once(List<Charge> charges) {
    Set<Identity> seen = new HashSet<>();
    return charges.stream()
        .sorted(Comparator.comparingLong(Charge::fromMs))
        .filter(charge -> seen.add(Identity.of(charge.end().event())))
        .toList();
  }
}
