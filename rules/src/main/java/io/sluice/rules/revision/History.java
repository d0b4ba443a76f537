package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.LimitKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * All revisions of one limit, or all revisions for every limit, and the resulting settings over
 * time (timelines). Immutable; a timeline is computed when it is first needed, and cached.
 */
final class History {
  private static final int COMBINATIONS = 10_000;

  private final String limit;
  private final Rules rules;
  private final Timeline configured;
  private final ScopeRevisions whole;
  private final Timeline timeline;
  private final StableTreatment wholeSettled;
  private final Map<LimitKey, Shape> shapes;
  private final Shape[] widestFirst;
  private final BoundedCache<Combination, Timeline> combinations;
  private final Waits someWait;

  /** Shares equal timelines among overrides, since many overrides have the same settings. */
  private final TreatmentInterner shared;

  private record Combination(Timeline wider, ScopeRevisions own) {}

  /**
   * Settings that revisions for some events have set so far, even those that are removed since.
   *
   * @param delayed whether one has set {@code exceeded=delay}
   * @param retried whether one has set {@code exceeded=retry}
   * @param queued whether one has set {@code exceeded=queue}
   * @param enforced whether one has set {@code mode=enforce}
   */
  record Waits(boolean delayed, boolean retried, boolean queued, boolean enforced) {
    static final Waits NONE = new Waits(false, false, false, false);

    private Waits with(List<LimitRevision> more) {
      return new Waits(
          delayed || more.stream().anyMatch(one -> one.set().delays()),
          retried || more.stream().anyMatch(one -> one.set().retries()),
          queued || more.stream().anyMatch(one -> one.set().queues()),
          enforced || more.stream().anyMatch(one -> one.set().enforces()));
    }
  }

  /** Creates the history of a limit without revisions. */
  History(String limit, Rules rules, InForce configured) {
    this.limit = limit;
    this.rules = rules;
    this.configured = Timeline.always(configured);
    whole = ScopeRevisions.NONE;
    timeline = this.configured;
    shared = new TreatmentInterner();
    wholeSettled = StableTreatment.of(timeline, timeline, shared);
    shapes = Map.of();
    widestFirst = new Shape[0];
    someWait = Waits.NONE;
    combinations = new BoundedCache<>(COMBINATIONS);
  }

  /**
   * Copies a history, with other revisions of the limit as a whole, which are for all its events.
   */
  private History(History before, ScopeRevisions whole) {
    limit = before.limit;
    rules = before.rules;
    configured = before.configured;
    this.whole = whole;
    timeline =
        new ScopeTimelineBuilder(configured, whole, rules, ScopeTimelineBuilder.Witness.NOBODY)
            .timeline();
    shared = new TreatmentInterner();
    wholeSettled = StableTreatment.of(timeline, timeline, shared);
    someWait = before.someWait;
    shapes = before.shapes;
    widestFirst = Shape.widestFirst(shapes.values(), timeline.known());
    combinations = new BoundedCache<>(COMBINATIONS);
  }

  /** Copies a history, with other revisions for some events of the limit. */
  private History(History before, Map<LimitKey, Shape> shapes, Waits someWait) {
    this.someWait = someWait;
    limit = before.limit;
    rules = before.rules;
    configured = before.configured;
    whole = before.whole;
    timeline = before.timeline;
    wholeSettled = before.wholeSettled;
    this.shapes = shapes;
    widestFirst = Shape.widestFirst(shapes.values(), timeline.known());
    combinations = before.combinations;
    shared = before.shared;
  }

  /** Returns a copy with these changes, which are all for this limit. */
  History with(RevisionChanges changes) {
    Map<LimitKey, RevisionChanges> byFields = changes.by(each -> each.scope().fields());
    RevisionChanges ofWhole = byFields.remove(Scope.WHOLE.fields());
    History changed = ofWhole == null ? this : new History(this, whole.with(ofWhole));
    return byFields.isEmpty() ? changed : changed.withScopes(byFields);
  }

  private History withScopes(Map<LimitKey, RevisionChanges> byFields) {
    Map<LimitKey, Shape> changed = new HashMap<>(shapes);
    Waits waits = someWait;
    for (Map.Entry<LimitKey, RevisionChanges> each : byFields.entrySet()) {
      LimitKey fields = each.getKey();
      Shape shape = shapes.getOrDefault(fields, new Shape(fields, Map.of())).with(each.getValue());
      if (shape.scopes().isEmpty()) changed.remove(fields);
      else changed.put(fields, shape);
      waits = waits.with(each.getValue().added());
    }
    return new History(this, changed, waits);
  }

  String limit() {
    return limit;
  }

  /**
   * Returns whether revisions treat some events of the limit differently from others, or give
   * events a verdict without metering.
   */
  boolean isPersonal() {
    return hasScopes() || timeline.everSaysVerdict();
  }

  /** Returns what revisions for some events have set so far. */
  Waits someWait() {
    return someWait;
  }

  /** Returns whether some events of the limit may ever wait in line, or may have done so. */
  boolean mayQueue() {
    return someWait.queued || timeline.everQueues();
  }

  /** Returns whether some events of the limit may ever be delayed or retried. */
  boolean mayWaitAlone() {
    return someWait.delayed || someWait.retried || timeline.everWaitsAlone();
  }

  /** Returns a copy in which a revision is refused in a period because of other limits. */
  History barring(LimitRevision revision, ScopeRevisions.Bar bar) {
    Scope scope = revision.scope();
    if (scope.isWhole()) return new History(this, whole.barring(bar));
    Shape shape = shapes.get(scope.fields());
    Map<String, ScopeRevisions> scopes = new HashMap<>(shape.scopes());
    scopes.computeIfPresent(scope.key(), (key, own) -> own.barring(bar));
    Map<LimitKey, Shape> changed = new HashMap<>(shapes);
    changed.put(scope.fields(), new Shape(scope.fields(), scopes));
    return new History(this, changed, someWait);
  }

  /** Returns the scopes of some events for which a revision says whether and how they wait. */
  List<Scope> waitingScopes() {
    List<Scope> scopes = new ArrayList<>();
    forEachScope(
        own -> {
          if (!own.scope().isWhole() && own.saysWaiting()) scopes.add(own.scope());
        });
    return scopes;
  }

  /** Returns the revisions in force at an instant that are for all events of the limit. */
  List<LimitRevision> inForce(long ms) {
    List<LimitRevision> found = new ArrayList<>();
    explain(whole, inForce(ms, found));
    return found;
  }

  /** Returns the revisions in force at an instant for an event. */
  List<LimitRevision> inForce(Event event, long ms) {
    List<LimitRevision> found = new ArrayList<>();
    explain(event, inForce(ms, found));
    return found;
  }

  private static ScopeTimelineBuilder.Witness inForce(long ms, List<LimitRevision> found) {
    return (revision, fromMs, untilMs, refusal) -> {
      if (fromMs <= ms && ms < untilMs && refusal.isEmpty()) found.add(revision);
    };
  }

  boolean hasScopes() {
    return widestFirst.length > 0;
  }

  /** Returns the settings over time of the limit as a whole, without overrides for some events. */
  Timeline timeline() {
    return timeline;
  }

  /**
   * Returns the stable treatment of an event; {@link StableTreatment#NOT} if revisions of several
   * scopes apply to the event.
   */
  StableTreatment settled(Event event) {
    ScopeRevisions only = ScopeRevisions.NONE;
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (own.isEmpty()) continue;
      if (!only.isEmpty()) return StableTreatment.NOT;
      only = own;
    }
    return only.isEmpty() ? wholeSettled : only.settled(timeline, rules, shared);
  }

  /**
   * Returns the settings over time for an event, without overrides that select events by other
   * fields than these.
   */
  Timeline timeline(Event event, LimitKey within) {
    Timeline made = timeline;
    for (Shape each : widestFirst) {
      if (!within.fields().containsAll(each.fields().fields())) continue;
      ScopeRevisions own = each.of(event);
      if (!own.isEmpty()) made = over(made, own);
    }
    return made;
  }

  /** Returns the settings over time for an event, with all overrides that apply to it. */
  Timeline timeline(Event event) {
    Timeline made = timeline;
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (!own.isEmpty()) made = over(made, own);
    }
    return made;
  }

  /**
   * Passes the settings over time for an event to the action, of each scope that revisions have for
   * it; those for most events come first.
   */
  void forEachScope(Event event, BiConsumer<Scope, Timeline> action) {
    Timeline made = timeline;
    action.accept(Scope.WHOLE, made);
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (own.isEmpty()) continue;
      made = over(made, own);
      action.accept(own.scope(), made);
    }
  }

  private Timeline over(Timeline wider, ScopeRevisions own) {
    if (wider == timeline) return own.over(wider, rules, shared);
    return combinations.get(
        new Combination(wider, own),
        each ->
            new ScopeTimelineBuilder(wider, own, rules, ScopeTimelineBuilder.Witness.NOBODY)
                .timeline());
  }

  /**
   * Reports all revisions that apply to an event, and their results, to the witness, which is a
   * listener. The revisions for most events come first.
   */
  void explain(Event event, ScopeTimelineBuilder.Witness witness) {
    new ScopeTimelineBuilder(configured, whole, rules, witness).timeline();
    Timeline wider = timeline;
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (own.isEmpty()) continue;
      new ScopeTimelineBuilder(wider, own, rules, witness).timeline();
      wider = over(wider, own);
    }
  }

  /**
   * Reports the revisions of a scope, and their results, to the witness, which is a listener. The
   * results are for an event that has only the values of that scope.
   */
  void explain(ScopeRevisions own, ScopeTimelineBuilder.Witness witness) {
    Timeline wider = own.scope().isWhole() ? configured : wider(own);
    new ScopeTimelineBuilder(wider, own, rules, witness).timeline();
  }

  /**
   * Returns the settings that the revisions of a scope give at an instant; empty if they change
   * nothing.
   */
  Map<String, String> own(ScopeRevisions own, long ms) {
    Timeline wider = wider(own);
    InForce now = over(wider, own).at(ms);
    return now == wider.at(ms) ? Map.of() : now.own();
  }

  private Timeline wider(ScopeRevisions own) {
    Timeline wider = timeline;
    Event event = own.scope().event();
    for (Shape each : widestFirst) {
      ScopeRevisions other = each.of(event);
      if (other == own) return wider;
      if (!other.isEmpty()) wider = over(wider, other);
    }
    return timeline;
  }

  /** Returns all revisions of this history that have the same scope as the given revision. */
  ScopeRevisions scopeOf(LimitRevision revision) {
    Scope scope = revision.scope();
    return scope.isWhole() ? whole : shapes.get(scope.fields()).of(scope.event());
  }

  /**
   * Calls the action with the revisions of each scope; those of the limit as a whole come first.
   */
  void forEachScope(Consumer<ScopeRevisions> action) {
    action.accept(whole);
    for (Shape each : shapes.values()) each.scopes().values().forEach(action);
  }
}
