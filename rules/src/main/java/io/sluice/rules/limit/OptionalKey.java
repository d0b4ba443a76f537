package io.sluice.rules.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit.KeyMissing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limit that events may match without a field by which the limit counts. Such events are counted in
 * a metric, since a producer that omits the field may pass the limit.
 *
 * @param match condition of the limit, which also matches events without the field
 */
public record OptionalKey(Limit limit, Match match) {
  /**
   * Returns those limits that events may match without a field of their key.
   *
   * @param all limits with the match of the configuration
   * @param resolved the same limits, without the events to which they do not apply
   */
  static List<OptionalKey> among(List<Limit> all, List<Limit> resolved) {
    List<OptionalKey> among = new ArrayList<>(0);
    for (int i = 0; i < all.size(); i++) {
      Limit limit = all.get(i);
      if (limit.optionalFields().isEmpty()) continue;
      among.add(new OptionalKey(limit, limit.match().without(resolved.get(i).match().others())));
    }
    return List.copyOf(among);
  }

  /**
   * Returns a warning that events without a field of its key pass a limit, for a limit whose
   * settings do not choose what happens to them; empty if each event that matches has the fields.
   */
  public static Optional<String> warning(Limit limit) {
    List<Field> optional = limit.optionalFields();
    if (optional.isEmpty()) return Optional.empty();
    String fields = optional.stream().map(Field::toString).collect(joining(" or "));
    return Optional.of(
        "not set, so the limit does not apply to events without "
            + fields
            + ", and a producer that omits it passes the limit; set skip, share (as before 0.3) or"
            + " reject");
  }

  public boolean matches(Event event) {
    return match.matches(event);
  }

  /** Returns whether an event that matches lacks a field by which the limit counts. */
  public boolean isMissing(Event event) {
    return limit.lacksKey(event);
  }

  /**
   * Returns whether the limit would reject an event without the field if it were not in shadow
   * mode.
   */
  public boolean onlyReports() {
    return limit.keyMissing() == KeyMissing.REJECT && limit.rule().shadow();
  }
}
