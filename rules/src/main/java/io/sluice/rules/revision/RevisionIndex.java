package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Index of all revisions by their ids, limits and scopes. Immutable. */
final class RevisionIndex {
  private static final int COMBINATIONS = 10_000;

  private final Configured configured;

  /** All revisions by id. Like the other maps it is copied once per change, and never modified. */
  private final Map<String, LimitRevision> revisions;

  /** Histories before revisions are refused because of other limits. */
  private final Map<String, History> given;

  private final Map<String, History> histories;

  /** Ids of the revisions that are refused at some time because of other limits. */
  private final Set<String> conflicting;

  private final History every;

  /** Timelines of the limits that exist only by revisions and not in the configuration, by name. */
  private final Map<String, Timeline> added;

  /** Whether each limit treats all of its events alike, and meters all of them. */
  private final boolean allEqual;

  /** Whether a revision pauses limits, at any time. */
  private final boolean pauses;

  /** Cache of limits over time whose buckets are reset by revisions for all limits. */
  private final BoundedCache<Both, JudgedLimits> resetMore;

  /**
   * Cache key: settings over time of one limit for an event, and the revisions over time for all
   * limits.
   */
  private record Both(Timeline one, Timeline every) {}

  RevisionIndex(Configured configured) {
    this.configured = configured;
    revisions = Map.of();
    every = new History(LimitRevision.EVERY_LIMIT, Rules::verdictOnly, InForce.NOTHING);
    given = new HashMap<>();
    for (String each : configured.names()) given.put(each, configured.unchanged(each));
    histories = given;
    conflicting = Set.of();
    added = Map.of();
    allEqual = true;
    pauses = false;
    resetMore = new BoundedCache<>(COMBINATIONS);
  }

  private RevisionIndex(RevisionIndex before, Changes changes) {
    configured = before.configured;
    revisions = changes.revisions;
    given = changes.histories;
    ConflictResolver.Resolved resolved = ConflictResolver.resolved(configured.names(), given);
    histories = resolved.histories();
    conflicting = resolved.refused();
    every = changes.every;
    added = added(configured, histories);
    pauses = revisions.values().stream().anyMatch(each -> each.set().pauses());
    allEqual = !every.isPersonal() && histories.values().stream().noneMatch(History::isPersonal);
    resetMore = before.resetMore;
  }

  private static Map<String, Timeline> added(
      Configured configured, Map<String, History> histories) {
    Map<String, Timeline> added = new TreeMap<>();
    histories.forEach(
        (limit, history) -> {
          boolean isNew = !configured.names().contains(limit);
          if (isNew && history.timeline().known().exists()) added.put(limit, history.timeline());
        });
    return added;
  }

  /**
   * Returns a copy without the revisions that have the ids {@code gone}, and with the revisions
   * {@code more}, which replace earlier ones with the same ids.
   */
  RevisionIndex with(Collection<LimitRevision> more, Collection<String> gone) {
    return new RevisionIndex(this, new Changes(more, gone));
  }

  Map<String, LimitRevision> revisions() {
    return revisions;
  }

  /** Returns the ids of the revisions that are refused at some time because of other limits. */
  Set<String> conflicting() {
    return conflicting;
  }

  Collection<History> histories() {
    return histories.values();
  }

  History history(String limit) {
    History found = histories.get(limit);
    return found == null ? configured.unchanged(limit) : found;
  }

  /** Returns whether the limit is configured or has revisions. Called for many stored buckets. */
  boolean knows(String limit) {
    return histories.containsKey(limit);
  }

  /** Returns whether each limit treats all of its events alike, and meters all of them. */
  boolean areAllEqual() {
    return allEqual;
  }

  /** Returns whether a revision pauses limits, at any time. */
  boolean pauses() {
    return pauses;
  }

  /**
   * Returns the timeline of the revisions for all limits, as far as they reset the bucket of one
   * limit for an event. Scopes with fields outside the limit's key are left out, since a bucket
   * also counts events outside such a scope.
   */
  Timeline resetting(Timeline one, Event event) {
    return every.timeline(event, one.known().limit().key());
  }

  /** Returns one limit over time, with the resets that revisions for all limits cause. */
  JudgedLimits judged(Timeline one, Timeline every) {
    if (every.resetsNever()) return one.judged();
    return resetMore.get(new Both(one, every), both -> one.judged(numbers(one, every)));
  }

  /**
   * Returns a limit's quotas, waits and blocks over time, with the resets that revisions for all
   * limits cause.
   */
  static List<NumbersChange> numbers(Timeline one, Timeline every) {
    return every.resetsNever()
        ? one.changes()
        : NumbersChange.withResets(one.changes(), every.resets());
  }

  /** Returns the history of the revisions that are for all limits. */
  History every() {
    return every;
  }

  /**
   * Returns the timeline of each limit that ever exists, without overrides, by name of the limit,
   * in the order in which the limits are listed.
   */
  Map<String, Timeline> wholes() {
    Map<String, Timeline> wholes = new LinkedHashMap<>();
    for (String each : configured.names()) wholes.put(each, history(each).timeline());
    wholes.putAll(added);
    return wholes;
  }

  /**
   * Returns what revisions for some events have set, by names of the limits; limits without such
   * revisions are left out.
   */
  Map<String, History.Waits> someWait() {
    Map<String, History.Waits> waits = new TreeMap<>();
    histories.forEach(
        (name, history) -> {
          if (!history.someWait().equals(History.Waits.NONE)) waits.put(name, history.someWait());
        });
    return waits;
  }

  /**
   * Several changes of the index at once, so that its maps are copied, and the timeline of each
   * limit as a whole is rebuilt, only once.
   */
  private final class Changes {
    private final Map<String, LimitRevision> revisions =
        new HashMap<>(RevisionIndex.this.revisions);
    private final Map<String, History> histories = new HashMap<>(given);
    private History every = RevisionIndex.this.every;

    Changes(Collection<LimitRevision> more, Collection<String> gone) {
      Map<String, LimitRevision> last = new LinkedHashMap<>();
      for (LimitRevision each : more) last.put(each.id(), each);
      List<LimitRevision> old = new ArrayList<>();
      for (String each : gone) remove(each, old);
      for (String each : last.keySet()) remove(each, old);
      revisions.putAll(last);
      new RevisionChanges(valid(old), valid(last.values()))
          .by(LimitRevision::limit)
          .forEach(this::apply);
    }

    private void remove(String id, List<LimitRevision> old) {
      LimitRevision removed = revisions.remove(id);
      if (removed != null) old.add(removed);
    }

    /** Returns the revisions that can be in force; the index knows the others only by their ids. */
    private static List<LimitRevision> valid(Collection<LimitRevision> all) {
      return all.stream().filter(each -> RevisionCheck.refusal(each).isEmpty()).toList();
    }

    private void apply(String limit, RevisionChanges changes) {
      if (limit.equals(LimitRevision.EVERY_LIMIT)) {
        every = every.with(changes);
        return;
      }
      History before = histories.get(limit);
      if (before == null) before = configured.unchanged(limit);
      histories.put(limit, before.with(changes));
    }
  }
}
