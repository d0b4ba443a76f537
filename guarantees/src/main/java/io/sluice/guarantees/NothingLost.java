package io.sluice.guarantees;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every record that was accepted has ended: allowed, rejected or a dead letter. */
final class NothingLost implements Guarantee {
  @Override
  public long cases(History history) {
    return history.inputs().size();
  }

  @Override
  public Stream<String> violations(History history) {
    Set<Long> ended = history.ends().map(Kept::number).collect(Collectors.toSet());
    return history.inputs().stream()
        .filter(input -> !ended.contains(input.number()))
        .map(input -> input + " has not ended" + whereLast(history, input));
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
