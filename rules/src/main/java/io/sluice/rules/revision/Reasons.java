package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.revision.LimitRevision.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the revisions that decide the treatment of an event at an instant. */
final class Reasons {
  /**
   * Setting of one scope under one limit that a later revision has reset, so that earlier revisions
   * of the scope do not decide it.
   */
  private record Undone(String limit, Scope scope, String name) {}

  private Reasons() {}

  /**
   * Returns the revisions that are in force for an event at an instant, and set at least one
   * setting that no later revision overrides. The order is by scope, the widest first, then by
   * time.
   */
  static List<LimitRevision> of(RevisionIndex index, String limit, Event event, long ms) {
    List<LimitRevision> applied = new ArrayList<>();
    ScopeTimelineBuilder.Witness witness =
        (revision, fromMs, untilMs, refusal) -> {
          if (fromMs <= ms && ms < untilMs && refusal.isEmpty()) applied.add(revision);
        };
    index.every().explain(event, witness);
    index.history(limit).explain(event, witness);
    return notOverruled(applied);
  }

  private static List<LimitRevision> notOverruled(List<LimitRevision> applied) {
    Deque<LimitRevision> left = new ArrayDeque<>();
    Set<String> said = new HashSet<>();
    Set<Undone> undone = new HashSet<>();
    for (int i = applied.size() - 1; i >= 0; i--) {
      LimitRevision each = applied.get(i);
      Set<String> names = new HashSet<>(each.set().texts().keySet());
      names.remove(Settings.RESET);
      names.removeIf(name -> undone.contains(new Undone(each.limit(), each.scope(), name)));
      if (!said.containsAll(names)) left.addFirst(each);
      // A pause leaves a denial or an exemption in force, so both decide.
      if (each.set().pauses()) names.remove(Settings.VERDICT);
      said.addAll(names);
      for (String name : each.set().back()) {
        undone.add(new Undone(each.limit(), each.scope(), name));
      }
    }
    return List.copyOf(left);
  }
}
