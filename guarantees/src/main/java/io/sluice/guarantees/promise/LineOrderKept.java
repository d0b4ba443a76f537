package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Guarantee that events which wait in the same line, and came in one input partition, are released
 * in the order of their input. A line is a home partition and a set of buckets.
 */
final class LineOrderKept implements Guarantee {
  private record Pair(TimeInLine first, TimeInLine second) {}

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce()
        ? ""
        : "at least once, what comes again comes behind what it was before";
  }

  @Override
  public long cases(History history) {
    return pairs(history).filter(pair -> pair.first().waited()).count();
  }

  @Override
  public Stream<String> violations(History history) {
    return pairs(history)
        .filter(pair -> isOvertaking(history, pair))
        .map(
            pair ->
                "%s (came in at %s) was released at %d, before %s (came in at %s), at %d, of the line %s"
                    .formatted(
                        pair.second().event(),
                        pair.second().input().at(),
                        pair.second().leftMs(),
                        pair.first().event(),
                        pair.first().input().at(),
                        pair.first().leftMs(),
                        pair.first().line()));
  }

  /** Returns each allowed event with the next one of its line and input partition. */
  private static Stream<Pair> pairs(History history) {
    if (!history.modes().exactlyOnce()) return Stream.of();
    Map<String, TimeInLine> last = new HashMap<>();
    List<Pair> pairs = new ArrayList<>();
    new TimesInLine(history)
        .all().stream()
            .filter(TimeInLine::allowed)
            .sorted(Comparator.comparingLong(each -> each.input().offset()))
            .forEach(
                each -> {
                  TimeInLine before = last.put(each.input().place() + " " + each.line(), each);
                  if (before != null) pairs.add(new Pair(before, each));
                });
    return pairs.stream();
  }

  private static boolean isOvertaking(History history, Pair pair) {
    if (pair.first().leftMs() != pair.second().leftMs())
      return pair.first().leftMs() > pair.second().leftMs();
    Kept first = allowed(history, pair.first());
    Kept second = allowed(history, pair.second());
    return first.place().equals(second.place()) && first.offset() > second.offset();
  }

  private static Kept allowed(History history, TimeInLine event) {
    return history.endsOf(event.input()).stream()
        .filter(end -> !end.header(Verdicts.RELEASED_AT).isEmpty())
        .findFirst()
        .orElseThrow();
  }
}
