package io.sluice.rules.revision;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Revisions of one limit that are for the same scope (all its events, or those with the same field
 * values), in the order in which they are applied. Immutable.
 */
final class ScopeRevisions implements PersistentMap.Keyed {
  static final ScopeRevisions NONE = new ScopeRevisions(Scope.WHOLE, new LimitRevision[0]);

  private final Scope scope;
  private final String key;
  private final int hash;
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
    this.key = scope.key();
    this.hash = key.hashCode();
    this.all = all;
    Arrays.sort(all, LimitRevision.ORDER);
  }

  static ScopeRevisions of(Scope scope, Collection<LimitRevision> all) {
    return new ScopeRevisions(scope, all.toArray(LimitRevision[]::new));
  }

  ScopeRevisions without(LimitRevision one) {
    return new ScopeRevisions(
        scope,
        Arrays.stream(all)
            .filter(each -> !each.id().equals(one.id()))
            .toArray(LimitRevision[]::new));
  }

  boolean isEmpty() {
    return all.length == 0;
  }

  Scope scope() {
    return scope;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public int hash() {
    return hash;
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
