package io.sluice.rules.revision;

import java.util.ArrayList;
import java.util.HashMap;
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
   * Revisions before the first one that begins or ends at a cut are not applied again: otherwise
   * the time for many revisions without an end would grow with the square of their number.
   */
  private final Timeline wider;
  private final ScopeRevisions own;
  private final Rules rules;
  private final Witness witness;
  private final List<LimitRevision> all;

  /** Place in the list of all revisions of the first one that begins or ends, by instant. */
  private final Map<Long, Integer> firstChanged = new HashMap<>();

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
   * @param place place of the revision in the list of all
   */
  private record Step(int place, InForce after, Map<String, String> own, String refusal) {}

  ScopeTimelineBuilder(Timeline wider, ScopeRevisions own, Rules rules, Witness witness) {
    this.wider = wider;
    this.own = own;
    this.rules = rules;
    this.witness = witness;
    all = own.all();
    for (int place = 0; place < all.size(); place++) {
      int changed = place;
      own.forEachChange(
          all.get(place), ms -> firstChanged.merge(ms, changed, (first, later) -> first));
    }
  }

  Timeline timeline() {
    TreeSet<Long> cuts = new TreeSet<>();
    for (long each : wider.cuts()) cuts.add(each);
    TreeSet<Long> resetsMs = new TreeSet<>();
    for (long each : wider.resets()) resetsMs.add(each);
    cuts.addAll(resetsMs);
    cuts.addAll(firstChanged.keySet());
    TreeMap<Long, InForce> byInstant = new TreeMap<>();
    InForce last = InForce.NOTHING;
    for (long from : cuts) {
      Long next = cuts.higher(from);
      InForce now = fold(from, next == null ? Long.MAX_VALUE : next);
      if (resetBegins(from)) resetsMs.add(from);
      boolean same = !byInstant.isEmpty() && now == last && !resetsMs.contains(from);
      if (!same) byInstant.put(from, now);
      last = now;
    }
    return new Timeline(wider, byInstant, List.copyOf(resetsMs));
  }

  private InForce fold(long fromMs, long untilMs) {
    InForce base = wider.at(fromMs);
    int first = base == under ? firstChanged.getOrDefault(fromMs, all.size()) : 0;
    under = base;
    if (base.exists()) known = base;
    while (!steps.isEmpty() && last().place >= first) steps.remove(steps.size() - 1);
    for (int place = first; place < all.size(); place++) {
      LimitRevision each = all.get(place);
      if (each.effectiveAtMs() > fromMs) break;
      if (each.isActiveAt(fromMs)) steps.add(step(place, own.barOf(each, fromMs)));
    }
    if (witness != Witness.NOBODY)
      steps.forEach(each -> witness.sees(all.get(each.place), fromMs, untilMs, each.refusal));
    return current();
  }

  private Step last() {
    return steps.get(steps.size() - 1);
  }

  private InForce current() {
    return steps.isEmpty() ? under : last().after;
  }

  private Step step(int place, String bar) {
    LimitRevision revision = all.get(place);
    InForce before = current();
    Map<String, String> ownBefore = steps.isEmpty() ? Map.of() : last().own;
    if (!bar.isEmpty()) return new Step(place, before, ownBefore, bar);
    if (resetsFilters(revision, before)) {
      return new Step(place, before, ownBefore, LimitRules.ONLY_A_VERDICT);
    }
    Map<String, String> ownAfter = revision.set().over(ownBefore);
    Rules.Applied applied =
        rules.apply(own.scope(), new Rules.Ground(under, before, known), ownAfter);
    if (!applied.isAccepted()) return new Step(place, before, ownBefore, applied.refusal());
    if (!known.exists()) known = applied.inForce();
    return new Step(place, applied.inForce(), ownAfter, "");
  }

  private boolean resetsFilters(LimitRevision revision, InForce before) {
    return revision.set().resets()
        && !own.scope().isWhole()
        && before.exists()
        && before.limit().rule().algorithm().admitsOnce();
  }

  /** Returns whether a revision that resets buckets begins at this instant and is in force. */
  private boolean resetBegins(long fromMs) {
    int first = firstChanged.getOrDefault(fromMs, all.size());
    for (int i = steps.size() - 1; i >= 0 && steps.get(i).place >= first; i--) {
      LimitRevision revision = all.get(steps.get(i).place);
      boolean begins = revision.effectiveAtMs() == fromMs && steps.get(i).refusal.isEmpty();
      if (begins && revision.set().resets()) return true;
    }
    return false;
  }
}
