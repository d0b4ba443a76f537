package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Guarantee that a record that is not an event becomes a dead letter with a reason, and that an
 * event gets a verdict, unless a fault of the run made it a dead letter.
 */
final class RightEnd implements Guarantee {
  @Override
  public long cases(History history) {
    return history.ends().count();
  }

  @Override
  public Stream<String> violations(History history) {
    DueEndings due = new DueEndings(history);
    Stream<String> dead = history.deadLetters().stream().flatMap(end -> ofDeadLetter(due, end));
    Stream<String> allowed = history.allowed().stream().flatMap(end -> ofVerdict(end, "allowed"));
    Stream<String> rejected =
        history.rejected().stream().flatMap(end -> ofVerdict(end, "rejected"));
    return Stream.of(dead, allowed, rejected, due.missed()).flatMap(each -> each);
  }

  private static Stream<String> ofDeadLetter(DueEndings due, Kept end) {
    Optional<String> untrue = due.untrue(end);
    if (untrue.isPresent()) return untrue.stream();
    if (end.event().kind() == Described.Kind.EVENT && !due.isOutgrown(end)) {
      return Stream.of(end + " is a dead letter: " + end.header(Verdicts.ERROR));
    }
    return end.header(Verdicts.ERROR).isBlank() ? Stream.of(end + " says no reason") : Stream.of();
  }

  private static Stream<String> ofVerdict(Kept end, String verdict) {
    if (end.event().isPoison()) return Stream.of(end + " was taken for an event");
    String said = end.header(Verdicts.VERDICT);
    return said.equals(verdict) ? Stream.of() : Stream.of(end + " has the verdict '" + said + "'");
  }
}
