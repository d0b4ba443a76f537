package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Revisions of all scopes with the same fields, by the joined values of these fields. Immutable.
 */
record Shape(LimitKey fields, Map<String, ScopeRevisions> scopes) {
  /** Returns the revisions of the scope that has the values of this event. */
  ScopeRevisions of(Event event) {
    return scopes.getOrDefault(fields.of(event), ScopeRevisions.NONE);
  }

  /** Returns a copy with changes whose scopes all have exactly the fields of this shape. */
  Shape with(RevisionChanges changes) {
    Map<String, ScopeRevisions> copy = new HashMap<>(scopes);
    changes
        .by(each -> each.scope().key())
        .forEach(
            (key, own) -> {
              ScopeRevisions changed = copy.getOrDefault(key, ScopeRevisions.NONE).with(own);
              if (changed.isEmpty()) copy.remove(key);
              else copy.put(key, changed);
            });
    return new Shape(fields, copy);
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
