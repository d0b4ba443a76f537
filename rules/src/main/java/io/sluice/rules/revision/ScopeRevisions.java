package io.sluice.rules.revision;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Revisions of one limit that are for the same scope (all its events, or those with the same field
 * values), in the order in which they are applied. Immutable.
 */
final class ScopeRevisions {
  static final ScopeRevisions NONE = new ScopeRevisions(Scope.WHOLE, new LimitRevision[0]);

  private final Scope scope;
  private final LimitRevision[] all;

  /**
   * Cached timeline of this scope on top of the timeline of the limit as a whole; computed again
   * when that timeline is replaced.
   */
  private Timeline overWhole = Timeline.NOTHING;

  /**
   * Cached stable treatment of this scope's events, based on the timeline of the limit as a whole;
   * computed again when that timeline is replaced.
   */
  private StableTreatment settled = StableTreatment.NOT;

  private ScopeRevisions(Scope scope, LimitRevision[] all) {
    this.scope = scope;
    this.all = all;
    Arrays.sort(all, LimitRevision.ORDER);
  }

  /** Returns a copy with changes that are all for this scope. */
  ScopeRevisions with(RevisionChanges changes) {
    Set<String> removed = changes.removed().stream().map(LimitRevision::id).collect(toSet());
    List<LimitRevision> left = new ArrayList<>(changes.added());
    for (LimitRevision each : all) if (!removed.contains(each.id())) left.add(each);
    if (left.isEmpty()) return NONE;
    return new ScopeRevisions(left.get(0).scope(), left.toArray(LimitRevision[]::new));
  }

  boolean isEmpty() {
    return all.length == 0;
  }

  Scope scope() {
    return scope;
  }

  List<LimitRevision> all() {
    return Arrays.asList(all);
  }

  /** Adds the instants at which one of the revisions begins or ends, in epoch milliseconds. */
  void addCuts(Collection<Long> cuts) {
    for (LimitRevision each : all) {
      cuts.add(each.effectiveAtMs());
      if (each.untilMs() != LimitRevision.FOR_GOOD) cuts.add(each.untilMs());
    }
  }

  /**
   * Returns the stable treatment of this scope's events, based on the timeline of the limit as a
   * whole, and caches it.
   */
  StableTreatment settled(Timeline whole, Rules rules, TreatmentInterner shared) {
    StableTreatment made = settled;
    if (made.over() != whole) {
      made = StableTreatment.of(whole, over(whole, rules, shared), shared);
      settled = made;
    }
    return made;
  }

  /**
   * Returns the timeline of this scope on top of the timeline of the limit as a whole, and caches
   * it.
   */
  Timeline over(Timeline whole, Rules rules, TreatmentInterner shared) {
    Timeline made = overWhole;
    if (made.wider() != whole) {
      Timeline own =
          new ScopeTimelineBuilder(whole, this, rules, ScopeTimelineBuilder.Witness.NOBODY)
              .timeline();
      made = shared.same(own);
      overWhole = made;
    }
    return made;
  }
}
