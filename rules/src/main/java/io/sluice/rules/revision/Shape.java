package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Returns the revisions of the scope that has this event's values of the fields. */
record Shape(LimitKey fields, PersistentMap<ScopeRevisions> scopes) {
  /** Returns the revisions of the scope that has the values of this event. */
  ScopeRevisions of(Event event) {
    return scopes.get(fields.of(event), ScopeRevisions.NONE);
  }

  /**
   * Returns a copy with these revisions added. The scope of each revision must have exactly the
   * fields of this shape.
   */
  Shape with(List<LimitRevision> more) {
    Map<String, List<LimitRevision>> byScope = new LinkedHashMap<>();
    for (LimitRevision each : more) {
      byScope.computeIfAbsent(each.scope().key(), key -> new ArrayList<>(1)).add(each);
    }
    List<ScopeRevisions> changed = new ArrayList<>(byScope.size());
    byScope.forEach(
        (key, own) -> {
          ScopeRevisions before = scopes.get(key, ScopeRevisions.NONE);
          List<LimitRevision> all = new ArrayList<>(before.all());
          all.addAll(own);
          changed.add(ScopeRevisions.of(own.get(0).scope(), all));
        });
    return new Shape(fields, scopes.with(changed));
  }

  Shape without(LimitRevision revision) {
    ScopeRevisions left = scopes.get(revision.scope().key(), ScopeRevisions.NONE).without(revision);
    return new Shape(fields, left.isEmpty() ? scopes.without(left.key()) : scopes.with(left));
  }

  /**
   * Returns groups of scopes with the same fields in the order in which their revisions apply.
   * Groups that have fields outside the limit's key are left out, since their revisions are
   * refused.
   */
  static Shape[] widestFirst(Collection<Shape> all, InForce known) {
    List<Field> key = known.limit().key().fields();
    Comparator<Field> order = known.exists() ? Comparator.comparingInt(key::indexOf) : Scope.ORDER;
    return all.stream()
        .filter(shape -> !known.exists() || key.containsAll(shape.fields.fields()))
        .sorted(widestFirst(order))
        .toArray(Shape[]::new);
  }

  /**
   * Returns the order in which groups of scopes apply: groups with fewer fields come first; of two
   * with equally many fields, the group whose fields come first in the limit's key applies last.
   */
  private static Comparator<Shape> widestFirst(Comparator<Field> order) {
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
