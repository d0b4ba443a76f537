package io.sluice.rules.revision;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.QueueConflict;
import io.sluice.rules.settings.LimitTexts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Refuses revisions that would let an event match a limit with a queue and a limit that delays or
 * retries. Without revisions, no two limits do, since the start checks the configuration. For one
 * thread.
 */
final class ConflictResolver {
  /*
   * At each instant, limits that are valid together stay as they are, no matter in which order
   * their revisions came. Of those that are not, the revision that applies last is refused, and so
   * on until the limits are valid together. Limits as a whole come first; then the revisions for
   * some events, which yield to them. So the result depends on nothing but the revisions.
   */

  /**
   * Maximum number of pairs of scopes with different fields that are examined together, since their
   * number grows with the square of that of the scopes. The queue of events that match such limits
   * nevertheless treats both limits as queues.
   */
  private static final int MOST_PAIRS = 10_000;

  private final Map<String, History> histories;
  private final List<String> names;
  private final Set<String> refused = new TreeSet<>();

  /** Limits over time without overrides, after conflicts among them are resolved. */
  private final TreeMap<Long, List<Limit>> wholes = new TreeMap<>();

  private int refusals;

  /**
   * Result of resolving all conflicts.
   *
   * @param refused ids of the revisions that are refused at some time
   */
  record Resolved(Map<String, History> histories, Set<String> refused) {}

  /** Two limits that an event can match at an instant, but must not. */
  private record Conflict(long atMs, Limit one, Limit other) {}

  private ConflictResolver(List<String> names, Map<String, History> histories) {
    this.names = names;
    this.histories = histories;
  }

  /**
   * Returns the histories of limits without conflicts.
   *
   * @param configured names of the configured limits, in the order in which they are listed
   */
  static Resolved resolved(Collection<String> configured, Map<String, History> given) {
    boolean areApart =
        given.values().stream().noneMatch(History::mayQueue)
            || given.values().stream().noneMatch(History::mayWaitAlone);
    if (areApart) return new Resolved(given, Set.of());
    Set<String> names = new LinkedHashSet<>(configured);
    names.addAll(new TreeSet<>(given.keySet()));
    ConflictResolver resolver = new ConflictResolver(List.copyOf(names), new HashMap<>(given));
    resolver.resolveWholes();
    resolver.resolveScopes();
    return resolver.refused.isEmpty()
        ? new Resolved(given, Set.of())
        : new Resolved(resolver.histories, resolver.refused);
  }

  private void resolveWholes() {
    Optional<Conflict> next = first(cuts(), this::wholesAt);
    while (next.isPresent()) {
      Conflict conflict = next.get();
      Optional<LimitRevision> last = lastOfWholes(conflict);
      if (last.isEmpty()) return;
      refuse(last.get(), conflict, end(conflict, cuts(), this::wholesAt));
      next = first(cuts().tailSet(conflict.atMs, true), this::wholesAt);
    }
  }

  private NavigableSet<Long> cuts() {
    NavigableSet<Long> cuts = new TreeSet<>();
    for (String each : names) addCuts(histories.get(each).timeline(), cuts);
    return cuts;
  }

  private static void addCuts(Timeline timeline, Set<Long> cuts) {
    for (long cut : timeline.kindCuts()) cuts.add(cut);
  }

  /** Returns the limits at an instant, without overrides, as {@link Limits#resolved} does. */
  private List<Limit> wholesAt(long ms) {
    List<Limit> limits =
        names.stream()
            .map(name -> histories.get(name).timeline().at(ms))
            .filter(InForce::isEnabled)
            .map(InForce::limit)
            .toList();
    return Limits.resolved(limits);
  }

  private static Optional<Conflict> first(Set<Long> cuts, LongFunction<List<Limit>> limits) {
    for (long ms : cuts) {
      List<Limit> now = limits.apply(ms);
      for (int i = 0; i < now.size(); i++) {
        for (int j = i + 1; j < now.size(); j++) {
          if (QueueConflict.areInConflict(now.get(i), now.get(j)))
            return Optional.of(new Conflict(ms, now.get(i), now.get(j)));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the first instant after a conflict at which the two limits have none. */
  private static long end(
      Conflict conflict, NavigableSet<Long> cuts, LongFunction<List<Limit>> limits) {
    Set<String> both = Set.of(conflict.one.name(), conflict.other.name());
    for (long ms : cuts.tailSet(conflict.atMs, false)) {
      List<Limit> now =
          limits.apply(ms).stream().filter(limit -> both.contains(limit.name())).toList();
      if (now.size() < 2 || !QueueConflict.areInConflict(now.get(0), now.get(1))) return ms;
    }
    return LimitRevision.FOR_GOOD;
  }

  /**
   * Returns the revision to refuse: the last one of the two limits and of those that take events
   * over from them; if none of these has changed, the last one of any limit.
   */
  private Optional<LimitRevision> lastOfWholes(Conflict conflict) {
    Set<String> near = new LinkedHashSet<>();
    for (Limit each : List.of(conflict.one, conflict.other)) {
      near.add(each.name());
      near.addAll(each.match().unless());
    }
    return last(near, conflict.atMs).or(() -> last(names, conflict.atMs));
  }

  private Optional<LimitRevision> last(Collection<String> limits, long ms) {
    return limits.stream()
        .filter(histories::containsKey)
        .flatMap(each -> histories.get(each).inForce(ms).stream())
        .filter(each -> each.set().changesWaiting())
        .max(LimitRevision.ORDER);
  }

  private void refuse(LimitRevision revision, Conflict conflict, long endMs) {
    boolean ofOther = revision.limit().equals(conflict.other.name());
    Limit own = ofOther ? conflict.other : conflict.one;
    Limit other = ofOther ? conflict.one : conflict.other;
    String problem = QueueConflict.problem(own, List.of(other)).orElseThrow();
    String kind = Keys.nameOf(own.exceeded().kind());
    ScopeRevisions.Bar bar =
        new ScopeRevisions.Bar(
            revision.id(),
            conflict.atMs,
            Math.min(endMs, revision.untilMs()),
            LimitTexts.mistake(own.name(), "exceeded", kind, problem));
    histories.computeIfPresent(revision.limit(), (name, history) -> history.barring(revision, bar));
    refused.add(revision.id());
    refusals++;
  }

  /**
   * Returns the scopes whose events may wait in another way than the events of the limits as a
   * whole, also those that two overrides select by different fields.
   */
  private Collection<Scope> scopes() {
    Map<String, Scope> scopes = new LinkedHashMap<>();
    for (String name : names) {
      histories.get(name).waitingScopes().stream()
          .sorted(Comparator.comparing(Scope::toString))
          .forEach(scope -> scopes.putIfAbsent(scope.toString(), scope));
    }
    Map<LimitKey, List<Scope>> byFields =
        scopes.values().stream().collect(groupingBy(Scope::fields, LinkedHashMap::new, toList()));
    List<List<Scope>> groups = List.copyOf(byFields.values());
    groups.stream()
        .flatMap(
            one ->
                groups.stream().filter(other -> other != one).flatMap(other -> pairs(one, other)))
        .limit(MOST_PAIRS)
        .flatMap(Optional::stream)
        .forEach(both -> scopes.putIfAbsent(both.toString(), both));
    return scopes.values();
  }

  private static Stream<Optional<Scope>> pairs(List<Scope> some, List<Scope> others) {
    return some.stream().flatMap(one -> others.stream().map(other -> both(one, other)));
  }

  /** Returns the scope of the events of both scopes; empty if there are none. */
  private static Optional<Scope> both(Scope one, Scope other) {
    Map<Field, String> values = valuesOf(one);
    for (Map.Entry<Field, String> each : valuesOf(other).entrySet()) {
      String same = values.putIfAbsent(each.getKey(), each.getValue());
      if (same != null && !same.equals(each.getValue())) return Optional.empty();
    }
    return Optional.of(Scope.of(values));
  }

  private static Map<Field, String> valuesOf(Scope scope) {
    Map<Field, String> values = new HashMap<>();
    for (int i = 0; i < scope.values().size(); i++) {
      values.put(scope.fields().fields().get(i), scope.values().get(i));
    }
    return values;
  }

  /** Examines all scopes, again after each refusal, since it changes other scopes too. */
  private void resolveScopes() {
    Collection<Scope> scopes = scopes();
    if (scopes.isEmpty()) return;
    for (long ms : cuts()) wholes.put(ms, wholesAt(ms));
    int before;
    do {
      before = refusals;
      scopes.forEach(this::resolve);
    } while (refusals > before);
  }

  private void resolve(Scope scope) {
    ScopedLimits limits = new ScopedLimits(scope);
    if (!limits.mayConflict()) return;
    Optional<Conflict> next = first(limits.cuts(), limits::at);
    while (next.isPresent()) {
      Conflict conflict = next.get();
      Optional<LimitRevision> last = lastOf(scope.event(), conflict);
      if (last.isEmpty()) return;
      refuse(last.get(), conflict, end(conflict, limits.cuts(), limits::at));
      limits = new ScopedLimits(scope);
      next = first(limits.cuts().tailSet(conflict.atMs, true), limits::at);
    }
  }

  /** Limits over time that meter the events of a scope. */
  private final class ScopedLimits {
    private final Map<Field, String> values;
    private final Map<String, Timeline> timelines = new HashMap<>();

    ScopedLimits(Scope scope) {
      values = valuesOf(scope);
      Event event = scope.event();
      for (String each : names) timelines.put(each, histories.get(each).timeline(event));
    }

    boolean mayConflict() {
      return timelines.values().stream().anyMatch(Timeline::everQueues)
          && timelines.values().stream().anyMatch(Timeline::everWaitsAlone);
    }

    private NavigableSet<Long> cuts() {
      NavigableSet<Long> cuts = new TreeSet<>(wholes.keySet());
      for (Timeline each : timelines.values()) addCuts(each, cuts);
      return cuts;
    }

    /** Returns the limits at an instant that make events wait; empty if they all wait alike. */
    private List<Limit> at(long ms) {
      List<Limit> all = wholes.floorEntry(ms).getValue();
      if (!differ(all, ms)) return List.of();
      List<Limit> limits = new ArrayList<>();
      for (Limit whole : all) {
        TreatedLimit own = timelines.get(whole.name()).at(ms).treatedLimit();
        if (!own.treatment().meters()) continue;
        limits.add(own.limit().with(whole.match().narrowedTo(values)));
      }
      return limits;
    }

    private boolean differ(List<Limit> all, long ms) {
      boolean queues = false;
      boolean others = false;
      for (Limit whole : all) {
        Limit own = timelines.get(whole.name()).at(ms).limit();
        queues |= own.queues();
        others |= own.exceeded().kind().waitsAlone();
      }
      return queues && others;
    }
  }

  /** Returns the last revision of the two limits that is for some events only. */
  private Optional<LimitRevision> lastOf(Event event, Conflict conflict) {
    return List.of(conflict.one.name(), conflict.other.name()).stream()
        .flatMap(name -> histories.get(name).inForce(event, conflict.atMs).stream())
        .filter(each -> !each.scope().isWhole() && each.set().saysWaiting())
        .max(LimitRevision.ORDER);
  }
}
