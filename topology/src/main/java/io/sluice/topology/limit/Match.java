package io.sluice.topology.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The events that a limit applies to: those with an accepted value in each of its fields. */
public record Match(List<Clause> clauses) {
  /** Matches every event. */
  public static final Match ALL = new Match(List.of());

  public Match {
    clauses = List.copyOf(clauses);
  }

  /** One field and the values it may have. */
  public record Clause(Field field, Set<String> accepted) {
    boolean excludes(Clause other) {
      return field.equals(other.field) && Collections.disjoint(accepted, other.accepted);
    }

    /** As a comma list. */
    public String values() {
      return String.join(",", accepted);
    }

    @Override
    public String toString() {
      return field + "=" + values();
    }
  }

  public boolean matches(Event event) {
    // By index: an iterator here would be an allocation for every limit and event.
    for (int i = 0; i < clauses.size(); i++) {
      Clause clause = clauses.get(i);
      if (!clause.accepted.contains(clause.field.of(event))) return false;
    }
    return true;
  }

  /** Whether no event can match both, as they accept different values of some field. */
  public boolean excludes(Match other) {
    return clauses.stream().anyMatch(mine -> other.clauses.stream().anyMatch(mine::excludes));
  }

  @Override
  public String toString() {
    if (clauses.isEmpty()) return "every event";
    return clauses.stream().map(Clause::toString).collect(joining(" and "));
  }
}
