package io.sluice.topology.revision;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.LimitKey;
import java.util.Comparator;
import java.util.List;

/** The scopes with values of the same fields. Immutable. */
record Shape(LimitKey fields, PersistentMap<ScopeRevisions> scopes) {
  /** The revisions for events with the values that this one has. */
  ScopeRevisions of(Event event) {
    return scopes.get(fields.of(event), ScopeRevisions.NONE);
  }

  Shape with(LimitRevision revision) {
    ScopeRevisions before = before(revision.scope());
    return new Shape(fields, scopes.with(before.with(revision)));
  }

  Shape without(LimitRevision revision) {
    ScopeRevisions left = before(revision.scope()).without(revision);
    return new Shape(fields, left.isEmpty() ? scopes.without(left.key()) : scopes.with(left));
  }

  private ScopeRevisions before(Scope scope) {
    return scopes.get(scope.key(), ScopeRevisions.of(scope, List.of()));
  }

  /**
   * The order in which they apply: the more fields, the later; of equally many, the later the
   * earlier their fields come.
   */
  static Comparator<Shape> widestFirst(Comparator<Field> order) {
    return (one, other) -> {
      List<Field> mine = one.fields.fields().stream().sorted(order).toList();
      List<Field> theirs = other.fields.fields().stream().sorted(order).toList();
      if (mine.size() != theirs.size()) return mine.size() - theirs.size();
      for (int i = 0; i < mine.size(); i++) {
        int difference = order.compare(theirs.get(i), mine.get(i));
        if (difference != 0) return difference;
      }
      return 0;
    };
  }
}
