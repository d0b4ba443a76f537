package io.sluice.rules.revision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Builds the timeline of a scope, which has the settings over time for some events: applies the
 * scope's revisions to the timeline of the next wider scope.
 */
final class ScopeTimelineBuilder {
  /*
   * Time is cut where a revision begins or ends, in this scope or a wider one. Between two cuts the
   * active revisions are applied one after another, each only if the resulting settings are valid
   * there. So a revision that begins later changes no settings before, and the end of one revision
   * does not undo another revision's settings.
   *
   * Revisions with the same result as before a cut are not applied again: otherwise the time for
   * many revisions without an end would grow with the square of their number.
   */
  private final Timeline wider;
  private final ScopeRevisions own;
  private final Rules rules;
  private final Witness witness;
  private final List<Step> steps = new ArrayList<>();
  private InForce known = InForce.NOTHING;
  private InForce under = InForce.NOTHING;

  /** Listener that receives the result of each revision in each period between two changes. */
  interface Witness {
    Witness NOBODY = (revision, fromMs, untilMs, refusal) -> {};

    /**
     * Receives the result of a revision in one period.
     *
     * @param refusal reason why the revision is not in force; empty if it is
     */
    void sees(LimitRevision revision, long fromMs, long untilMs, String refusal);
  }

  /**
   * One applied revision, and the settings in force after it.
   *
   * @param bar reason of other limits to refuse the revision; empty if there is none
   */
  private record Step(
      LimitRevision revision, String bar, InForce after, Map<String, String> own, String refusal) {
    private boolean isOf(LimitRevision other, String otherBar) {
      return revision.equals(other) && bar.equals(otherBar);
    }
  }

  ScopeTimelineBuilder(Timeline wider, ScopeRevisions own, Rules rules, Witness witness) {
    this.wider = wider;
    this.own = own;
    this.rules = rules;
    this.witness = witness;
  }

  Timeline timeline() {
    TreeSet<Long> cuts = new TreeSet<>();
    for (long each : wider.cuts()) cuts.add(each);
    TreeSet<Long> resets = new TreeSet<>();
    for (long each : wider.resets()) resets.add(each);
    cuts.addAll(resets);
    own.addCuts(cuts);
    TreeMap<Long, InForce> byInstant = new TreeMap<>();
    InForce last = InForce.NOTHING;
    for (long from : cuts) {
      Long next = cuts.higher(from);
      InForce now = fold(from, next == null ? Long.MAX_VALUE : next);
      if (begins(from)) resets.add(from);
      boolean same = !byInstant.isEmpty() && now == last && !resets.contains(from);
      if (!same) byInstant.put(from, now);
      last = now;
    }
    return new Timeline(wider, byInstant, List.copyOf(resets));
  }

  private InForce fold(long fromMs, long untilMs) {
    InForce base = wider.at(fromMs);
    if (base != under) steps.clear();
    under = base;
    if (base.exists()) known = base;
    int done = 0;
    for (LimitRevision each : own.all()) {
      if (!each.isActiveAt(fromMs)) continue;
      String bar = own.barOf(each, fromMs);
      if (done == steps.size() || !steps.get(done).isOf(each, bar)) {
        steps.subList(done, steps.size()).clear();
        steps.add(step(each, bar));
      }
      witness.sees(each, fromMs, untilMs, steps.get(done++).refusal);
    }
    steps.subList(done, steps.size()).clear();
    return current();
  }

  private InForce current() {
    return steps.isEmpty() ? under : steps.get(steps.size() - 1).after;
  }

  private Step step(LimitRevision revision, String bar) {
    InForce before = current();
    Map<String, String> ownBefore = steps.isEmpty() ? Map.of() : steps.get(steps.size() - 1).own;
    if (!bar.isEmpty()) return new Step(revision, bar, before, ownBefore, bar);
    if (resetsFilters(revision, before)) {
      return new Step(revision, bar, before, ownBefore, LimitRules.ONLY_A_VERDICT);
    }
    Map<String, String> ownAfter = revision.set().over(ownBefore);
    Rules.Applied applied =
        rules.apply(own.scope(), new Rules.Ground(under, before, known), ownAfter);
    if (!applied.isAccepted()) {
      return new Step(revision, bar, before, ownBefore, applied.refusal());
    }
    if (!known.exists()) known = applied.inForce();
    return new Step(revision, bar, applied.inForce(), ownAfter, "");
  }

  private boolean resetsFilters(LimitRevision revision, InForce before) {
    return revision.set().resets()
        && !own.scope().isWhole()
        && before.exists()
        && before.limit().rule().algorithm().admitsOnce();
  }

  /** Returns whether a revision that resets buckets begins at this instant and is in force. */
  private boolean begins(long fromMs) {
    return steps.stream()
        .filter(each -> each.revision.effectiveAtMs() == fromMs && each.refusal.isEmpty())
        .anyMatch(each -> each.revision.set().resets());
  }
}
