package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Guarantee that no record ends more often than the broker has it in the input topics, normally
 * once, and that there is no output record without a published input.
 */
final class NothingTwice implements Guarantee {
  @Override
  public long cases(History history) {
    return history.ends().count();
  }

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce() ? "" : "at least once, a record may end again";
  }

  @Override
  public Stream<String> violations(History history) {
    Stream<String> twice = history.modes().exactlyOnce() ? twice(history) : Stream.of();
    Stream<String> invented =
        history
            .ends()
            .filter(end -> history.inputOf(end).isEmpty())
            .map(end -> end + " was never published");
    return Stream.of(twice, invented, history.strangers().stream()).flatMap(each -> each);
  }

  /*
   * Returns the records that end too often. The input may contain a record twice: after a kill, a
   * broker takes the producer of a record with an old timestamp, or with none, for one that has
   * been inactive for a day, and forgets it. If the producer then sends this record again, the
   * broker does not recognize it.
   */
  private static Stream<String> twice(History history) {
    Map<Long, Long> accepted =
        history.inputs().stream()
            .collect(Collectors.groupingBy(Kept::number, Collectors.counting()));
    return history.ends().collect(Collectors.groupingBy(Kept::number)).values().stream()
        .filter(ends -> ends.size() > accepted.getOrDefault(ends.get(0).number(), 1L))
        .map(NothingTwice::ended);
  }

  private static String ended(List<Kept> ends) {
    List<String> places = ends.stream().map(Kept::at).toList();
    return ends.get(0).event() + " has ended " + ends.size() + " times: " + places;
  }
}
