package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.stream.Stream;

/**
 * Guarantee that every input record that the broker has accepted ends as allowed, rejected or a
 * dead letter; as cancelled only if an order of the run has named it.
 */
final class NothingLost implements Guarantee {
  @Override
  public long cases(History history) {
    return history.inputs().size();
  }

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce()
        ? ""
        : "at least once, what was delayed may be lost with the process that lets it go";
  }

  @Override
  public Stream<String> violations(History history) {
    Stream<String> lost =
        history.inputs().stream()
            .filter(input -> history.endsOf(input).isEmpty())
            .filter(input -> history.modes().exactlyOnce() || !isDelayed(history, input))
            .map(input -> input + " has not ended" + whereLast(history, input));
    return Stream.concat(lost, new Cancels(history).unordered());
  }

  private static boolean isDelayed(History history, Kept input) {
    return !history.announcements().of(input).isEmpty();
  }

  private static String whereLast(History history, Kept input) {
    return history.announcements().of(input).stream()
        .reduce((first, last) -> last)
        .map(
            last ->
                "; it was delayed at " + last.at() + " until " + last.header(Verdicts.RELEASE_AT))
        .orElse("");
  }
}
