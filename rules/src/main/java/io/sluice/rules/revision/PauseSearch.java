package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import java.util.ArrayList;
import java.util.List;

/** Finds the pauses of an event, by the revisions of its limits and of all limits. */
final class PauseSearch {
  private PauseSearch() {}

  /**
   * Returns the pauses of an event at an instant.
   *
   * @param limits limits that match the event then
   */
  static List<Pause> of(RevisionIndex index, List<Limit> limits, Event event, long ms) {
    List<Pause> all = new ArrayList<>();
    boolean isOfEvery = false;
    for (Limit limit : limits) {
      if (!limit.queues()) continue;
      History history = index.history(limit.name());
      InForce found = history.timeline(event).at(ms);
      if (treatment(index, found, event, ms) != Treatment.PAUSE) continue;
      all.addAll(of(history, event, ms));
      isOfEvery = true;
    }
    if (isOfEvery) all.addAll(of(index.every(), event, ms));
    return List.copyOf(all);
  }

  /** Returns the pauses of one history, without those that a verdict for fewer events ends. */
  private static List<Pause> of(History history, Event event, long ms) {
    List<Pause> found = new ArrayList<>();
    history.forEachScope(
        event,
        (scope, timeline) -> {
          String verdict = timeline.ownVerdict(ms);
          if (verdict.isEmpty()) return;
          if (verdict.equals(Settings.PAUSE))
            found.add(new Pause(history.limit(), scope, timeline.verdictUntilMs(ms)));
          else found.clear();
        });
    return found;
  }

  /** Returns the treatment of an event by a limit, of which those for all limits are a part. */
  static Treatment treatment(RevisionIndex index, InForce found, Event event, long ms) {
    Treatment own = found.treatedLimit().treatment();
    if (!index.every().isPersonal()) return own;
    Treatment ofAll = index.every().timeline(event).at(ms).treatedLimit().treatment();
    return found.saysVerdict() ? own.over(ofAll) : ofAll;
  }
}
