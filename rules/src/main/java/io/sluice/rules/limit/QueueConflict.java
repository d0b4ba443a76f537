package io.sluice.rules.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Keys;
import java.util.List;
import java.util.Optional;

/**
 * Finds limits that must not match the same event: one with {@code exceeded=queue}, and one with
 * {@code delay} or {@code retry}. A delay reserves slots ahead of the line, so that the line would
 * never move on; a retry would overtake the line. Limits in shadow mode hold up no event, so they
 * do not matter.
 */
public final class QueueConflict {
  private QueueConflict() {}

  /**
   * Returns the mistake in a limit's setting {@code exceeded} because of other limits, as a
   * message; empty if there is none.
   *
   * @param limit must exclude the events to which it does not apply, as in {@link Limits#resolved}
   * @param others the other limits, which must do so too
   */
  public static Optional<String> problem(Limit limit, List<Limit> others) {
    List<Limit> found = others.stream().filter(other -> areInConflict(limit, other)).toList();
    if (found.isEmpty()) return Optional.empty();
    String listed =
        found.stream()
            .map(each -> each.name() + " (exceeded=" + kindOf(each) + ")")
            .collect(joining(", "));
    return Optional.of(
        "an event can also match "
            + listed
            + ", and no event can both wait in line and be delayed or retried; accepted are"
            + " exceeded=reject and queue on all limits of such an event, or matches that exclude"
            + " each other");
  }

  /**
   * Returns whether an event can match both limits, and would wait in two ways. Both must exclude
   * the events to which they do not apply, as in {@link Limits#resolved}.
   */
  public static boolean areInConflict(Limit one, Limit other) {
    boolean differ = (one.queues() && waitsAlone(other)) || (other.queues() && waitsAlone(one));
    return differ && !one.name().equals(other.name()) && one.match().overlaps(other.match());
  }

  /** Returns whether events that exceed the limit wait by themselves, instead of in line. */
  private static boolean waitsAlone(Limit limit) {
    return limit.exceeded().kind().waitsAlone() && !limit.rule().shadow();
  }

  private static String kindOf(Limit limit) {
    return Keys.nameOf(limit.exceeded().kind());
  }
}
