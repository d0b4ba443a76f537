package io.sluice.topology.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import java.util.List;
import java.util.stream.Stream;

/**
 * The events that a limit applies to: those with an accepted value in each of its fields, without
 * those that it leaves to other limits.
 *
 * @param unless the names of limits that events are left to
 * @param others what those of them cover that are in force
 */
public record Match(List<Clause> clauses, List<String> unless, List<Match> others) {
  /** Matches every event. */
  public static final Match ALL = new Match(List.of());

  public Match {
    clauses = List.copyOf(clauses);
    unless = List.copyOf(unless);
    others = List.copyOf(others);
  }

  public Match(List<Clause> clauses) {
    this(clauses, List.of(), List.of());
  }

  /** One field and the values it may have. */
  public record Clause(Field field, Values accepted) {
    boolean excludes(Clause other) {
      return field.equals(other.field) && accepted.exclude(other.accepted);
    }

    @Override
    public String toString() {
      return field + "=" + accepted;
    }
  }

  /** The same, but for events that these limits cover. */
  public Match unless(List<String> limits) {
    return new Match(clauses, limits, List.of());
  }

  /** The same, where these are what other limits cover. */
  Match without(List<Match> covered) {
    return new Match(clauses, unless, covered);
  }

  public boolean matches(Event event) {
    if (!covers(event)) return false;
    for (int i = 0; i < others.size(); i++) if (others.get(i).covers(event)) return false;
    return true;
  }

  /** Whether the fields match, whatever is left to other limits. */
  private boolean covers(Event event) {
    // By index: an iterator here would be an allocation for every limit and event.
    for (int i = 0; i < clauses.size(); i++) {
      Clause clause = clauses.get(i);
      if (!clause.accepted.accept(clause.field.of(event))) return false;
    }
    return true;
  }

  /**
   * Whether no event can match both, as they accept different values of some field. What is left to
   * other limits does not count: these may be taken away.
   */
  public boolean excludes(Match other) {
    return clauses.stream().anyMatch(mine -> other.clauses.stream().anyMatch(mine::excludes));
  }

  /** Whether both have the same fields and values. */
  public boolean coversAs(Match other) {
    return clauses.equals(other.clauses);
  }

  @Override
  public String toString() {
    return inWords(clauses.stream().map(Clause::toString));
  }

  /** With other words for the clauses, such as names for what is not to be shown. */
  public String inWords(Stream<String> fields) {
    String covered = clauses.isEmpty() ? "every event" : fields.collect(joining(" and "));
    return unless.isEmpty() ? covered : covered + " unless " + String.join(",", unless);
  }
}
