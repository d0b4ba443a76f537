package io.sluice.topology;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the field by which events are homed. Limits on the state store count inside a partition, so
 * everything a key of theirs counts must be on one partition; a field that all their keys contain
 * decides which.
 */
final class Homing {
  private Homing() {}

  /**
   * The user if all limits on the state store count by users, else the first field they share, in
   * the order of the first one's key; empty if none of the limits is on the state store.
   */
  static Optional<Field> field(List<Limit> limits) {
    Set<Field> shared = shared(limits.stream().filter(Homing::counts).map(Limit::key).toList());
    return shared.contains(Field.USER_ID)
        ? Optional.of(Field.USER_ID)
        : shared.stream().findFirst();
  }

  /** The field by which events find their way, whatever the limits are. */
  static Field home(List<Limit> limits) {
    Set<Field> shapedBy = shared(limits.stream().filter(Homing::shapes).map(Limit::key).toList());
    Optional<Field> shaped =
        shapedBy.contains(Field.USER_ID) ? Optional.empty() : shapedBy.stream().findFirst();
    return field(limits).or(() -> shaped).orElse(Field.USER_ID);
  }

  /** Limits whose events must all be on the partition that is their home. */
  static List<Limit> homed(List<Limit> limits) {
    Field home = home(limits);
    return limits.stream().filter(limit -> counts(limit) || isOrdered(limit, home)).toList();
  }

  /** Limits whose events leave in the order in which they came. */
  static List<Limit> ordered(List<Limit> limits) {
    Field home = home(limits);
    return limits.stream().filter(limit -> isOrdered(limit, home)).toList();
  }

  private static boolean isOrdered(Limit limit, Field home) {
    return shapes(limit) && limit.key().fields().contains(home);
  }

  private static boolean shapes(Limit limit) {
    return limit.rule().shapes() && !limit.rule().shadow();
  }

  /** Whether the limit's counts depend on where its events are. */
  static boolean counts(Limit limit) {
    return limit.backend() == Backend.STATE_STORE;
  }

  /** The fields that all the keys contain, in the order of the first. */
  static Set<Field> shared(List<LimitKey> keys) {
    if (keys.isEmpty()) return Set.of();
    Set<Field> shared = new LinkedHashSet<>(keys.get(0).fields());
    for (LimitKey key : keys) shared.retainAll(key.fields());
    return shared;
  }
}
