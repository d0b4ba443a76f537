package io.sluice.rules.revision;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Revisions that are removed and added together, so that each map of them is copied only once. */
record RevisionChanges(List<LimitRevision> removed, List<LimitRevision> added) {
  private RevisionChanges() {
    this(new ArrayList<>(1), new ArrayList<>(1));
  }

  /** Returns the changes in groups, such as by limit. */
  <K> Map<K, RevisionChanges> by(Function<LimitRevision, K> group) {
    Map<K, RevisionChanges> groups = new LinkedHashMap<>();
    Function<LimitRevision, RevisionChanges> of =
        each -> groups.computeIfAbsent(group.apply(each), key -> new RevisionChanges());
    for (LimitRevision each : removed) of.apply(each).removed.add(each);
    for (LimitRevision each : added) of.apply(each).added.add(each);
    return groups;
  }
}
