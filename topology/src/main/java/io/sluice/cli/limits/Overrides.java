package io.sluice.cli.limits;

import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.RevisionStatus;
import io.sluice.topology.revision.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What revisions set that are in force, for each limit and scope. */
record Overrides(List<Own> all) {
  private record Key(String limit, Scope scope) {}

  /**
   * What the revisions of one scope come to.
   *
   * @param last the one that took effect last
   */
  record Own(Map<String, String> own, LimitRevision last) {}

  /** Those in force, of revisions in the order in which they hold. */
  static Overrides of(Collection<RevisionStatus> statuses) {
    Map<Key, Own> byKey = new LinkedHashMap<>();
    for (RevisionStatus each : statuses) {
      if (each.standing() != RevisionStatus.Standing.IN_FORCE) continue;
      LimitRevision one = each.revision();
      byKey.merge(
          new Key(one.limit(), one.scope()),
          new Own(one.set().over(Map.of()), one),
          (before, now) -> new Own(one.set().over(before.own), one));
    }
    byKey.values().removeIf(each -> each.own.isEmpty());
    return new Overrides(List.copyOf(byKey.values()));
  }

  /** What the revisions of this limit and scope have set. */
  Map<String, String> own(String limit, Scope scope) {
    return all.stream()
        .filter(each -> each.last.limit().equals(limit) && each.last.scope().equals(scope))
        .findAny()
        .map(Own::own)
        .orElse(Map.of());
  }

  /** For some events of this limit, and not for the limit as a whole. */
  List<Own> ofScopes(String limit) {
    return all.stream()
        .filter(each -> each.last.limit().equals(limit) && !each.last.scope().isWhole())
        .toList();
  }

  List<Own> newestOfScopes(int most) {
    List<Own> scopes = new ArrayList<>(all);
    scopes.removeIf(each -> each.last.scope().isWhole());
    scopes.sort(Comparator.comparing((Own each) -> each.last.effectiveAtMs()).reversed());
    return scopes.subList(0, Math.min(most, scopes.size()));
  }
}
