package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Index of all revisions by their ids, limits and scopes. Immutable. */
final class RevisionIndex {
  private static final int COMBINATIONS = 10_000;
  private static final History NONE = new History("", Rules::verdictOnly, InForce.NOTHING);

  private final Configured configured;
  private final PersistentMap<LimitRevision> revisions;
  private final PersistentMap<History> histories;
  private final History every;

  /** Timelines of the limits that exist only by revisions and not in the configuration, by name. */
  private final Map<String, Timeline> added;

  /** Whether each limit treats all of its events alike, and meters all of them. */
  private final boolean allEqual;

  /** Cache of limits over time whose buckets are reset by revisions for all limits. */
  private final BoundedCache<Both, JudgedLimits> resetMore;

  /**
   * Cache key: settings over time of one limit for an event, and the revisions over time for all
   * limits.
   */
  private record Both(Timeline one, Timeline every) {}

  RevisionIndex(Configured configured) {
    this.configured = configured;
    revisions = PersistentMap.empty();
    every = new History(LimitRevision.EVERY_LIMIT, Rules::verdictOnly, InForce.NOTHING);
    PersistentMap<History> all = PersistentMap.empty();
    for (String each : configured.names()) all = all.with(configured.unchanged(each));
    histories = all;
    added = Map.of();
    allEqual = true;
    resetMore = new BoundedCache<>(COMBINATIONS);
  }

  private RevisionIndex(RevisionIndex before, Changes changes) {
    configured = before.configured;
    revisions = changes.revisions;
    histories = changes.histories;
    every = changes.every;
    added = changes.added;
    allEqual = !every.hasScopes() && !histories.anyMatch(History::isPersonal);
    resetMore = before.resetMore;
  }

  /** Returns a copy with these revisions, which replace earlier ones with the same ids. */
  RevisionIndex with(Collection<LimitRevision> more) {
    Changes changes = new Changes();
    Map<String, LimitRevision> last = new LinkedHashMap<>();
    for (LimitRevision each : more) last.put(each.id(), each);
    for (String each : last.keySet()) changes.remove(each);
    changes.add(last.values());
    return changes.made();
  }

  RevisionIndex without(String id) {
    Changes changes = new Changes();
    changes.remove(id);
    return changes.made();
  }

  PersistentMap<LimitRevision> revisions() {
    return revisions;
  }

  PersistentMap<History> histories() {
    return histories;
  }

  History history(String limit) {
    History found = histories.get(limit, NONE);
    return found == NONE ? configured.unchanged(limit) : found;
  }

  /** Returns whether the limit is configured or has revisions. Called for many stored buckets. */
  boolean knows(String limit) {
    return histories.get(limit, NONE) != NONE;
  }

  /** Returns whether each limit treats all of its events alike, and meters all of them. */
  boolean areAllEqual() {
    return allEqual;
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

  /** Returns the names of the limits under which a revision for some events makes events wait. */
  Set<String> delayed() {
    Set<String> names = new TreeSet<>();
    histories.forEach(
        each -> {
          if (each.delaysSome()) names.add(each.key());
        });
    return names;
  }

  /**
   * Several changes of the index at once, so that the timeline of each limit as a whole is rebuilt
   * only once.
   */
  private final class Changes {
    private PersistentMap<LimitRevision> revisions = RevisionIndex.this.revisions;
    private PersistentMap<History> histories = RevisionIndex.this.histories;
    private History every = RevisionIndex.this.every;
    private Map<String, Timeline> added = RevisionIndex.this.added;
    private final Map<String, Set<String>> gone = new HashMap<>();
    private final Map<String, List<LimitRevision>> come = new HashMap<>();

    void remove(String id) {
      revisions.find(id).ifPresent(this::forget);
    }

    private void forget(LimitRevision old) {
      revisions = revisions.without(old.id());
      if (!RevisionCheck.refusal(old).isEmpty()) return;
      if (old.isForEveryLimit()) every = every.without(old);
      else if (old.scope().isWhole()) gone(old.limit()).add(old.id());
      else histories = histories.with(history(old.limit()).without(old));
    }

    /** Adds revisions, none of whose ids is in the index. */
    void add(Collection<LimitRevision> more) {
      revisions = revisions.with(more);
      List<LimitRevision> forEvery = new ArrayList<>();
      Map<String, List<LimitRevision>> forSome = new LinkedHashMap<>();
      for (LimitRevision each : more) {
        if (!RevisionCheck.refusal(each).isEmpty()) continue;
        if (each.isForEveryLimit()) forEvery.add(each);
        else if (each.scope().isWhole()) come(each.limit()).add(each);
        else forSome.computeIfAbsent(each.limit(), any -> new ArrayList<>()).add(each);
      }
      if (!forEvery.isEmpty()) every = every.with(forEvery);
      forSome.forEach((limit, own) -> histories = histories.with(history(limit).with(own)));
    }

    private Set<String> gone(String limit) {
      come.computeIfAbsent(limit, any -> new ArrayList<>());
      return gone.computeIfAbsent(limit, any -> new HashSet<>());
    }

    private List<LimitRevision> come(String limit) {
      return come.computeIfAbsent(limit, any -> new ArrayList<>());
    }

    private History history(String limit) {
      return histories.find(limit).orElseGet(() -> configured.unchanged(limit));
    }

    RevisionIndex made() {
      come.forEach(
          (limit, more) -> {
            Set<String> without = gone.getOrDefault(limit, Set.of());
            History changed = history(limit).withWhole(without, more);
            histories = histories.with(changed);
            if (!configured.names().contains(limit)) note(limit, changed.timeline());
          });
      return new RevisionIndex(RevisionIndex.this, this);
    }

    private void note(String limit, Timeline timeline) {
      boolean exists = timeline.known().exists();
      if (!exists && !added.containsKey(limit)) return;
      Map<String, Timeline> other = new TreeMap<>(added);
      if (exists) other.put(limit, timeline);
      else other.remove(limit);
      added = other;
    }
  }
}
