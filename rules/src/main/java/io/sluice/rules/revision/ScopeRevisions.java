package io.sluice.rules.revision;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Revisions of one limit that are for the same scope (all its events, or those with the same field
 * values), in the order in which they are applied. Immutable.
 */
final class ScopeRevisions {
  static final ScopeRevisions NONE =
      new ScopeRevisions(Scope.WHOLE, new LimitRevision[0], List.of());

  private final Scope scope;
  private final LimitRevision[] all;
  private final List<Bar> bars;

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

  /**
   * Period in which a revision of the scope is refused because of other limits.
   *
   * @param id of the revision
   * @param fromMs the first instant, epoch milliseconds
   * @param untilMs the first instant after the period, epoch milliseconds
   */
  record Bar(String id, long fromMs, long untilMs, String reason) {
    private boolean applies(LimitRevision revision, long ms) {
      return fromMs <= ms && ms < untilMs && id.equals(revision.id());
    }
  }

  private ScopeRevisions(Scope scope, LimitRevision[] all, List<Bar> bars) {
    this.scope = scope;
    this.all = all;
    this.bars = bars;
    Arrays.sort(all, LimitRevision.ORDER);
  }

  /** Returns a copy with changes that are all for this scope. */
  ScopeRevisions with(RevisionChanges changes) {
    Set<String> removed = changes.removed().stream().map(LimitRevision::id).collect(toSet());
    List<LimitRevision> left = new ArrayList<>(changes.added());
    for (LimitRevision each : all) if (!removed.contains(each.id())) left.add(each);
    if (left.isEmpty()) return NONE;
    return new ScopeRevisions(left.get(0).scope(), left.toArray(LimitRevision[]::new), List.of());
  }

  /** Returns a copy in which a revision is refused in a period. */
  ScopeRevisions barring(Bar bar) {
    List<Bar> more = new ArrayList<>(bars);
    more.add(bar);
    return new ScopeRevisions(scope, all, List.copyOf(more));
  }

  /**
   * Returns why a revision is refused at an instant because of other limits; empty if it is not.
   */
  String barOf(LimitRevision revision, long ms) {
    if (bars.isEmpty()) return "";
    return bars.stream()
        .filter(bar -> bar.applies(revision, ms))
        .map(Bar::reason)
        .findFirst()
        .orElse("");
  }

  /** Returns whether a revision of this scope says whether and how events wait. */
  boolean saysWaiting() {
    return Arrays.stream(all).anyMatch(each -> each.set().saysWaiting());
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

  /**
   * Passes the instants at which a revision of this scope begins or ends, or at which its refusal
   * does, to the action, in epoch milliseconds.
   */
  void forEachChange(LimitRevision revision, LongConsumer action) {
    change(revision.effectiveAtMs(), revision.untilMs(), action);
    for (Bar each : bars)
      if (each.id().equals(revision.id())) change(each.fromMs(), each.untilMs(), action);
  }

  private static void change(long fromMs, long untilMs, LongConsumer action) {
    action.accept(fromMs);
    if (untilMs != LimitRevision.FOR_GOOD) action.accept(untilMs);
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
