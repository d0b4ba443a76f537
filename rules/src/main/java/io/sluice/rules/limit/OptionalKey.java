package io.sluice.rules.limit;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit.KeyMissing;
import java.util.ArrayList;
import java.util.List;

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
