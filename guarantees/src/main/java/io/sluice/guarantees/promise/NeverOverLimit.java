package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Modes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Guarantee that no key of any limit is allowed more than the limit's definition permits. Events
 * count at the times by which they were judged, at the slots reserved for them or, under limits
 * with a queue, at the instants of their release.
 */
final class NeverOverLimit implements Guarantee {
  /*
   * A limit judges an event at the event's own time, or at the clock of its key, which earlier
   * charges have moved. If all events of a key are in one input partition, the inputs imply this
   * time; otherwise a shadow limit shows the time in a header (see Limits). The shown time must be
   * within the implied interval. Then every record on the topic of allowed events counts, at the
   * shown time or at its announced slot.
   */
  @Override
  public long cases(History history) {
    return charges(history)
            .flatMap(charges -> charges.ofAllowed().values().stream())
            .mapToLong(List::size)
            .sum()
        + new ReleaseBound(history).released().count();
  }

  @Override
  public String weakened(Modes modes) {
    List<String> reasons = new ArrayList<>();
    if (!modes.exactlyOnce()) {
      reasons.add(
          "at least once, what is allowed again counts once, and what is then refused, not");
    }
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

  @Override
  public Stream<String> violations(History history) {
    Stream<String> counted =
        charges(history)
            .flatMap(
                charges ->
                    Stream.of(badClocks(charges), exceeded(charges), unblocked(charges))
                        .flatMap(each -> each));
    return Stream.concat(counted, new ReleaseBound(history).violations());
  }

  private static Stream<Charges> charges(History history) {
    Clocks clocks = new Clocks(history);
    return history.limits().all().stream().map(limit -> new Charges(history, clocks, limit));
  }

  private static Stream<String> badClocks(Charges charges) {
    return charges
        .allowed()
        .flatMap(end -> badClock(charges.clocks(), charges.limit(), end).stream());
  }

  private static Optional<String> badClock(Clocks clocks, Limit limit, Kept end) {
    Optional<Long> told = clocks.told(limit, end);
    if (told.isEmpty()) {
      return Optional.of(end + " does not say by which clock " + limit.name() + " judged it");
    }
    Clocks.Between implied = clocks.implied(limit, end);
    boolean mayBeLater = clocks.isRecognized(limit, end);
    if (told.get() >= implied.fromMs() && (told.get() <= implied.toMs() || mayBeLater))
      return Optional.empty();
    return Optional.of(
        "%s was judged under %s at %d, and not at %d%s"
            .formatted(
                end,
                limit.name(),
                told.get(),
                implied.fromMs(),
                implied.toMs() == implied.fromMs() ? "" : " to " + implied.toMs()));
  }

  private static Stream<String> exceeded(Charges charges) {
    Limit limit = charges.limit();
    Bound bound = boundOf(limit.algorithm());
    boolean logsTries = limit.countsTries() && limit.algorithm() == Limit.Algorithm.LOG;
    Map<String, List<Charge>> tries = logsTries ? charges.ofTries() : Map.of();
    return charges.ofAllowed().entrySet().stream()
        .flatMap(
            key ->
                Stream.concat(
                        bound.exceeded(limit, key.getValue()),
                        TriesBound.exceeded(
                            limit, key.getValue(), tries.getOrDefault(key.getKey(), List.of())))
                    .map(what -> limit.name() + " of " + key.getKey() + ": " + what));
  }

  private static Stream<String> unblocked(Charges charges) {
    if (charges.limit().blockMs() == 0) return Stream.of();
    return charges
        .inOrder()
        .flatMap(inOrder -> BlockBound.exceeded(charges, inOrder))
        .map(what -> charges.limit().name() + ": " + what);
  }

  private static Bound boundOf(Limit.Algorithm algorithm) {
    return switch (algorithm) {
      case LOG -> new LogBound();
      case FUNNEL -> new FunnelBound();
      case COUNTER -> new CounterBound();
      case CALENDAR -> new CalendarBound();
      case DISTINCT -> new DistinctBound(0);
      case SKETCH -> new DistinctBound(1);
      case BLOOM -> new LogBound();
    };
  }
}
