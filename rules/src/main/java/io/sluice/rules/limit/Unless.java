package io.sluice.rules.limit;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolves the setting {@code unless}, by which a limit leaves events to other limits. Only limits
 * in force take events over; a limit in shadow mode, which must change nothing, takes no events
 * over from an enforced limit.
 *
 * <p>If limits leave events to each other in a circle, none would limit the events that all of them
 * match. So each limit of a circle keeps its events.
 */
final class Unless {
  private final List<Limit> all;
  private final Map<String, Limit> byName;

  /**
   * Prepares the limits for lookups by name.
   *
   * @param all limits with different names
   */
  private Unless(List<Limit> all) {
    this.all = all;
    byName = all.stream().collect(toMap(Limit::name, limit -> limit, (one, same) -> one));
  }

  /**
   * Returns the limits in force, each without the events that it leaves to other limits in force.
   */
  static List<Limit> resolved(List<Limit> inForce) {
    if (inForce.stream().allMatch(each -> each.match().unless().isEmpty())) return inForce;
    Unless unless = new Unless(inForce);
    return inForce.stream().map(unless::resolved).toList();
  }

  private Limit resolved(Limit limit) {
    List<Match> others =
        limit.match().unless().stream()
            .filter(name -> takesOver(name, limit))
            .map(name -> byName.get(name).match())
            .toList();
    return limit.with(limit.match().without(others));
  }

  private boolean takesOver(String name, Limit from) {
    Limit other = byName.get(name);
    if (other == null || (other.rule().shadow() && !from.rule().shadow())) return false;
    return path(other, from.name()).isEmpty();
  }

  /**
   * Returns the mistake in a limit's setting {@code unless}, as a message; empty if there is none.
   */
  static Optional<String> mistake(Limit limit, List<Limit> all) {
    Unless unless = new Unless(all);
    for (String name : limit.match().unless()) {
      Limit other = unless.byName.get(name);
      if (other == null || name.equals(limit.name())) return Optional.of(unless.accepted(limit));
      List<String> path = unless.path(other, limit.name());
      if (!path.isEmpty()) return Optional.of(unless.goesRound(path));
    }
    return Optional.empty();
  }

  /**
   * Describes a circle of limits in the same words, no matter for which of its limits it was found.
   */
  private String goesRound(List<String> path) {
    List<String> listed = all.stream().map(Limit::name).filter(path::contains).toList();
    List<String> circle = new ArrayList<>(path);
    Collections.rotate(circle, -circle.indexOf(listed.get(0)));
    circle.add(circle.get(0));
    return "these limits form a circle, so none would apply to an event that all match: "
        + String.join(" unless ", circle);
  }

  private String accepted(Limit limit) {
    List<String> others =
        all.stream().map(Limit::name).filter(n -> !n.equals(limit.name())).toList();
    return others.isEmpty()
        ? "accepted are names of other limits, but there is no other limit"
        : "names other limits; accepted are " + String.join(", ", others);
  }

  /**
   * Returns the names of the limits on the path of {@code unless} settings from one limit to
   * another; empty if there is no path.
   */
  private List<String> path(Limit from, String to) {
    return path(from, to, new ArrayList<>());
  }

  private List<String> path(Limit from, String to, List<String> seen) {
    if (seen.contains(from.name())) return List.of();
    seen.add(from.name());
    if (from.name().equals(to)) return List.of(to);
    for (String next : from.match().unless()) {
      if (!byName.containsKey(next)) continue;
      List<String> rest = path(byName.get(next), to, seen);
      if (rest.isEmpty()) continue;
      List<String> path = new ArrayList<>(List.of(from.name()));
      path.addAll(rest);
      return path;
    }
    return List.of();
  }
}
