package io.sluice.topology.revision;

import io.sluice.topology.event.Event;
import io.sluice.topology.limit.LimitKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The past, present and plan of one limit, or of the scopes of all limits. Immutable; what is made
 * of it when it is first asked for is kept.
 */
final class History implements PersistentMap.Keyed {
  private static final int COMBINATIONS = 10_000;
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final String limit;
  private final Rules rules;
  private final Timeline configured;
  private final ScopeRevisions whole;
  private final Timeline timeline;
  private final Settled wholeSettled;
  private final Map<LimitKey, Shape> shapes;
  private final Shape[] widestFirst;
  private final Forgetful<Combination, Timeline> combinations;
  private final boolean delaysSome;

  /** Tells its keys from those of others; one more with each change. */
  private final long number = NUMBERS.incrementAndGet();

  /** Many overrides come to the same. */
  private final Shared shared;

  private record Combination(Timeline wider, ScopeRevisions own) {}

  /** Without any revision. */
  History(String limit, Rules rules, InForce configured) {
    this.limit = limit;
    this.rules = rules;
    this.configured = Timeline.always(configured);
    whole = ScopeRevisions.NONE;
    timeline = this.configured;
    shared = new Shared();
    wholeSettled = Settled.of(timeline, timeline, shared);
    shapes = Map.of();
    widestFirst = new Shape[0];
    delaysSome = false;
    combinations = new Forgetful<>(COMBINATIONS);
  }

  /** The same with other revisions of the limit as a whole. */
  private History(History before, ScopeRevisions whole) {
    limit = before.limit;
    rules = before.rules;
    configured = before.configured;
    this.whole = whole;
    timeline = new Folding(configured, whole, rules, Folding.Witness.NOBODY).timeline();
    shared = new Shared();
    wholeSettled = Settled.of(timeline, timeline, shared);
    delaysSome = before.delaysSome;
    shapes = before.shapes;
    widestFirst = Shape.widestFirst(shapes.values(), timeline.known());
    combinations = new Forgetful<>(COMBINATIONS);
  }

  /** The same with other scopes. */
  private History(History before, Map<LimitKey, Shape> shapes, boolean delaysSome) {
    this.delaysSome = delaysSome;
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

  /** The same with these revisions of the limit as a whole instead of those. */
  History withWhole(Set<String> gone, List<LimitRevision> more) {
    List<LimitRevision> all = new ArrayList<>(more);
    for (LimitRevision each : whole.all()) if (!gone.contains(each.id())) all.add(each);
    return new History(this, ScopeRevisions.of(Scope.WHOLE, all));
  }

  /** The same with revisions for some events. */
  History with(List<LimitRevision> more) {
    Map<LimitKey, List<LimitRevision>> byFields = new HashMap<>();
    boolean delays = delaysSome;
    for (LimitRevision each : more) {
      byFields.computeIfAbsent(each.scope().fields(), any -> new ArrayList<>()).add(each);
      delays |= each.set().delays();
    }
    Map<LimitKey, Shape> changed = new HashMap<>(shapes);
    byFields.forEach(
        (fields, own) -> {
          Shape before = shapes.getOrDefault(fields, new Shape(fields, PersistentMap.empty()));
          changed.put(fields, before.with(own));
        });
    return new History(this, changed, delays);
  }

  History without(LimitRevision revision) {
    LimitKey fields = revision.scope().fields();
    Map<LimitKey, Shape> changed = new HashMap<>(shapes);
    Shape left = shapes.get(fields).without(revision);
    if (left.scopes().size() == 0) changed.remove(fields);
    else changed.put(fields, left);
    return new History(this, changed, delaysSome);
  }

  @Override
  public String key() {
    return limit;
  }

  /** Whether it matters whose an event is, or some are not metered. */
  boolean isPersonal() {
    return hasScopes() || timeline.everSaysVerdict();
  }

  /** Whether there is, or was, a revision that makes some events wait. */
  boolean delaysSome() {
    return delaysSome;
  }

  boolean hasScopes() {
    return widestFirst.length > 0;
  }

  /** That of the limit as a whole. */
  Timeline timeline() {
    return timeline;
  }

  long number() {
    return number;
  }

  /** All that a scope can ask about an event: its key under the limit. */
  String key(Event event) {
    return timeline.known().limit().key().of(event);
  }

  /** What is settled for an event, some day; {@link Settled#NOT} if it takes a closer look. */
  Settled settled(Event event) {
    ScopeRevisions only = ScopeRevisions.NONE;
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (own.isEmpty()) continue;
      if (!only.isEmpty()) return Settled.NOT;
      only = own;
    }
    return only.isEmpty() ? wholeSettled : only.settled(timeline, rules, shared);
  }

  /** That of what an event gets, by scopes of these fields alone. */
  Timeline timeline(Event event, LimitKey within) {
    Timeline made = timeline;
    for (Shape each : widestFirst) {
      if (!within.fields().containsAll(each.fields().fields())) continue;
      ScopeRevisions own = each.of(event);
      if (!own.isEmpty()) made = over(made, own);
    }
    return made;
  }

  /** That of what an event gets. */
  Timeline timeline(Event event) {
    Timeline made = timeline;
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (!own.isEmpty()) made = over(made, own);
    }
    return made;
  }

  private Timeline over(Timeline wider, ScopeRevisions own) {
    if (wider == timeline) return own.over(wider, rules, shared);
    return combinations.get(
        new Combination(wider, own),
        each -> new Folding(wider, own, rules, Folding.Witness.NOBODY).timeline());
  }

  /** Tells the witness of all revisions that concern an event, the widest scope first. */
  void explain(Event event, Folding.Witness witness) {
    new Folding(configured, whole, rules, witness).timeline();
    Timeline wider = timeline;
    for (Shape each : widestFirst) {
      ScopeRevisions own = each.of(event);
      if (own.isEmpty()) continue;
      new Folding(wider, own, rules, witness).timeline();
      wider = over(wider, own);
    }
  }

  /** Tells the witness of a scope's revisions, as they add up for events with nothing else. */
  void explain(ScopeRevisions own, Folding.Witness witness) {
    Timeline wider = own.scope().isWhole() ? configured : wider(own);
    new Folding(wider, own, rules, witness).timeline();
  }

  /** What a scope's revisions have set that are in force at an instant. */
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

  /** The scope of a revision that is one of these. */
  ScopeRevisions scopeOf(LimitRevision revision) {
    Scope scope = revision.scope();
    return scope.isWhole() ? whole : shapes.get(scope.fields()).of(scope.event());
  }

  /** All scopes, the limit as a whole first. */
  void forEachScope(Consumer<ScopeRevisions> action) {
    action.accept(whole);
    List<Shape> all = new ArrayList<>(shapes.values());
    for (Shape each : all) each.scopes().forEach(action);
  }
}
