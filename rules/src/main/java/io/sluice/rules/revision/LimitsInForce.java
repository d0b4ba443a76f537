package io.sluice.rules.revision;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.OptionalKey;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.RedisConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Limits that were, are and will be in force: the limits of the configuration as all revisions
 * change them. The result never depends on the order in which revisions were read.
 *
 * <p>Immutable, so any thread may use it. A change creates another object, which shares all
 * unchanged parts.
 */
public final class LimitsInForce {
  private final RevisionIndex index;
  private final Configured configured;
  private final WholeLimits wholes;

  /** Cached on first use. */
  private volatile long[] changesMs;

  private LimitsInForce(Configured configured, RevisionIndex index, WholeLimits wholes) {
    this.configured = configured;
    this.index = index;
    this.wholes = wholes;
  }

  /** Returns the limits of the configuration, without revisions. */
  public static LimitsInForce of(LimitsConfig configured) {
    return of(new Configured(configured));
  }

  /**
   * Returns the limits of a program that does not use Kafka Streams. Revisions change them as they
   * change the limits of a Kafka Streams application.
   *
   * @param settings valid settings of the limits: by limit, then by the part of the key after the
   *     limit's name
   * @param redis settings for Redis; without a URI if the program has no Redis
   * @param without accepts names of settings that have no meaning in the program, and are ignored
   *     in revisions
   * @param refusal returns why the program cannot have a limit, in one line; empty if it can
   */
  public static LimitsInForce ofProgram(
      Map<String, Map<String, String>> settings,
      RedisConfig redis,
      Predicate<String> without,
      Function<Limit, String> refusal) {
    return of(new Configured(new Program(settings, redis, without, refusal)));
  }

  private static LimitsInForce of(Configured configured) {
    RevisionIndex index = new RevisionIndex(configured);
    WholeLimits wholes = WholeLimits.of(configured.limits(), index);
    return new LimitsInForce(configured, index, wholes);
  }

  /**
   * Returns a copy with these revisions added; a later revision replaces an earlier one with the
   * same id.
   */
  public LimitsInForce with(Collection<LimitRevision> more) {
    return with(more, List.of());
  }

  /** Returns a copy with this revision added, which replaces an earlier one with the same id. */
  public LimitsInForce with(LimitRevision revision) {
    return with(List.of(revision));
  }

  /**
   * Returns the part of a revision that changes these limits; empty if the revision changes none of
   * them.
   */
  public Optional<LimitRevision> adapted(LimitRevision revision) {
    return configured.adapted(revision);
  }

  /**
   * Returns a copy with a batch of changes: without the revisions that have the ids {@code gone},
   * and with the revisions {@code more}. The cost grows with the number of all revisions, so many
   * changes should be one batch. If there is nothing to add, and no id is known, returns this.
   */
  public LimitsInForce with(Collection<LimitRevision> more, Collection<String> gone) {
    boolean changes = !more.isEmpty() || gone.stream().anyMatch(index.revisions()::containsKey);
    if (!changes) return this; // such as after each poll that has read no revision
    RevisionIndex changed =
        index.with(more.stream().map(each -> each.inForm(forms())).toList(), gone);
    return new LimitsInForce(configured, changed, wholes.having(configured.limits(), changed));
  }

  /** Returns the forms in which events have the values of fields. */
  public FieldForms forms() {
    return configured.forms();
  }

  /**
   * Returns the limits in force at an instant, without overrides for some events, in the order in
   * which they are listed.
   */
  public Limits at(long ms) {
    return wholes.at(ms);
  }

  /**
   * Returns the texts of all settings of a limit at an instant, without overrides for some events.
   * The keys of the result are setting names without the limit's prefix. The result is empty if the
   * limit is not in force then.
   */
  public Map<String, String> texts(String limit, long ms) {
    InForce found = index.history(limit).timeline().at(ms);
    return found.isEnabled() ? found.texts() : Map.of();
  }

  /**
   * Returns the limits that meter an event that arrives at an instant. Each limit has the quotas
   * and waits of all instants, since a bucket is judged by its own clock. The event has a verdict
   * if one of the limits is closed then.
   */
  public Matching matching(Event event, long ms) {
    Matching all = matchingAtAnyHour(event, ms);
    return wholes.haveHours() ? all.openAt(ms, event) : all;
  }

  /**
   * Adds the results of the limits in shadow mode that are closed at an instant to the verdict on
   * an event that was metered then.
   */
  public Verdict withClosedShadows(Verdict verdict, Event event, long ms) {
    return wholes.haveHours()
        ? matchingAtAnyHour(event, ms).withClosedShadows(verdict, ms, event)
        : verdict;
  }

  /**
   * Returns the limits that meter an event that arrives at an instant, open or not; see {@link
   * #matching(Event, long)}.
   */
  public Matching matchingAtAnyHour(Event event, long ms) {
    Limits inForce = wholes.judgedAt(ms);
    Matching all = inForce.matching(event);
    if (!index.areAllEqual()) all = personal(all, skipping(inForce, event), event, ms);
    return inForce.rejectsMissingKeys() ? all.rejectingMissingKeys(event) : all;
  }

  /** Returns the limits that would match the event if it did not lack their keys. */
  private static List<Limit> skipping(Limits inForce, Event event) {
    List<OptionalKey> optional = inForce.optionalKeys();
    if (optional.isEmpty()) return List.of();
    return optional.stream()
        .filter(each -> each.limit().skips(event) && each.matches(event))
        .map(OptionalKey::limit)
        .toList();
  }

  private Matching personal(Matching wholes, List<Limit> skipped, Event event, long ms) {
    return skipped.isEmpty()
        ? PersonalLimits.of(index, wholes, event, ms)
        : new PersonalLimits(index, event, ms).matching(wholes, skipped);
  }

  /**
   * Returns whether events may ever match a limit without a field by which the limit counts; false
   * in most applications.
   */
  public boolean hasOptionalKeys() {
    return wholes.hasOptionalKeys();
  }

  /**
   * Returns the limits in force at an instant that events may match without a field by which the
   * limit counts.
   */
  public List<OptionalKey> optionalKeys(long ms) {
    return wholes.at(ms).optionalKeys();
  }

  /**
   * Returns the result for an event at an instant as if this limit were the only one; the event is
   * exempt if the limit is not in force then, or does not apply to an event without the key. A
   * revision may deny also an event without the key.
   */
  public Matching matching(String limit, Event event, long ms) {
    Timeline whole = index.history(limit).timeline();
    Limit found = whole.at(ms).limit();
    boolean enabled = whole.at(ms).isEnabled();
    boolean skips = enabled && found.skips(event);
    Matching alone =
        enabled && !skips
            ? Matching.alone(whole.judgedAt(ms, whole.judged()))
            : Matching.settled(Verdict.exempt());
    List<Limit> skipped = skips ? List.of(found) : List.of();
    Matching own = index.areAllEqual() ? alone : personal(alone, skipped, event, ms);
    return own.rejectingMissingKeys(event);
  }

  /** Returns all limits that exist at any time, for callers that must not miss a limit. */
  public Limits ever() {
    return wholes.ever();
  }

  /**
   * Returns the rule by which a limit judges its buckets with this algorithm, without overrides for
   * some keys; empty if the limit never has the algorithm.
   */
  public Optional<Rule> rule(String limit, Algorithm algorithm) {
    Timeline whole = index.history(limit).timeline();
    return whole.known().exists() ? whole.judged().rule(algorithm) : Optional.empty();
  }

  /**
   * Returns the rule by which a limit judges one bucket, with the quotas and waits of all instants.
   *
   * @param key key of the bucket under the limit
   * @return empty if the limit never counts with this algorithm
   */
  public Optional<Rule> rule(String limit, Algorithm algorithm, String key) {
    if (!index.knows(limit)) return Optional.empty();
    Timeline whole = index.history(limit).timeline();
    if (!whole.known().exists()) return Optional.empty();
    if (index.areAllEqual() || algorithm.admitsOnce()) return rule(limit, algorithm);
    LimitKey fields = whole.known().limit().key();
    Event event = fields.event(fields.values(key));
    Timeline one = index.history(limit).timeline(event);
    return index.judged(one, index.resetting(one, event)).rule(algorithm);
  }

  /**
   * Returns the settings of a limit for an event at an instant, and whether the event is metered,
   * exempt or rejected.
   *
   * @throws IllegalArgumentException if no such limit is in force at that instant
   */
  public TreatedLimit treatedLimit(String limit, Event event, long ms) {
    InForce found = index.history(limit).timeline(event).at(ms);
    if (!found.isEnabled())
      throw new IllegalArgumentException("not in force at " + ms + ": " + limit);
    Treatment treatment = PauseSearch.treatment(index, found, event, ms);
    // No event waits for a limit without a queue, or in shadow mode.
    boolean isPaused = treatment == Treatment.PAUSE && found.limit().queues();
    Treatment effective = treatment.meters() && !isPaused ? Treatment.METER : treatment;
    return effective == found.treatedLimit().treatment()
        ? found.treatedLimit()
        : new TreatedLimit(found.limit(), effective);
  }

  /**
   * Returns the pauses of an event at an instant by the limits with a queue that it matches; empty
   * in most applications. The event must wait until all of them have ended.
   *
   * @param matching limits that match the event then
   */
  public List<Pause> pauses(Matching matching, Event event, long ms) {
    return index.pauses() ? PauseSearch.of(index, matching.all(), event, ms) : List.of();
  }

  /** Returns the pauses of an event by one limit at an instant; empty if it is not paused. */
  public List<Pause> pauses(String limit, Event event, long ms) {
    InForce found = index.history(limit).timeline(event).at(ms);
    return index.pauses() && found.isEnabled()
        ? PauseSearch.of(index, List.of(found.limit()), event, ms)
        : List.of();
  }

  /** Returns whether a revision pauses limits, at any time. */
  public boolean havePauses() {
    return index.pauses();
  }

  /**
   * Returns the quotas, longest waits and blocks of a limit for an event over time. Equal results
   * are the same object.
   *
   * @return in order of their instants, the first from the beginning of time; empty if the limit
   *     never exists
   */
  List<NumbersChange> numbers(String limit, Event event) {
    Timeline one = index.history(limit).timeline(event);
    return RevisionIndex.numbers(one, index.resetting(one, event));
  }

  /**
   * Returns the revisions that decide the treatment of an event at an instant; empty if the
   * configuration alone decides it.
   */
  public List<LimitRevision> sayingSo(String limit, Event event, long ms) {
    return Reasons.of(index, limit, event, ms);
  }

  /** Returns all revisions and their states, in the order in which they are applied. */
  public List<RevisionStatus> revisions(long nowMs) {
    Statuses statuses = new Statuses();
    index.every().forEachScope(each -> index.every().explain(each, statuses));
    index
        .histories()
        .forEach(history -> history.forEachScope(each -> history.explain(each, statuses)));
    List<RevisionStatus> all = new ArrayList<>();
    for (LimitRevision each : index.revisions().values()) {
      statuses.accepts(each);
      all.add(statuses.of(each, nowMs));
    }
    all.sort((one, other) -> LimitRevision.ORDER.compare(one.revision(), other.revision()));
    return all;
  }

  /**
   * Returns the states of the revisions with these ids; unknown ids are left out. Computes the
   * timeline of each of their scopes only once.
   */
  public List<RevisionStatus> revisions(Collection<String> ids, long nowMs) {
    Statuses statuses = new Statuses();
    Set<ScopeRevisions> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<LimitRevision> found =
        ids.stream().map(index.revisions()::get).filter(Objects::nonNull).toList();
    for (LimitRevision each : found) {
      if (!statuses.accepts(each)) continue;
      History history = each.isForEveryLimit() ? index.every() : index.history(each.limit());
      ScopeRevisions scope = history.scopeOf(each);
      if (seen.add(scope)) history.explain(scope, statuses);
    }
    return found.stream().map(each -> statuses.of(each, nowMs)).toList();
  }

  /**
   * Returns the state of one revision.
   *
   * @throws IllegalArgumentException if there is no revision with this id
   */
  public RevisionStatus revision(String id, long nowMs) {
    return revisions(List.of(id), nowMs).stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no revision has the id " + id));
  }

  /** Returns the instants at which revisions begin or end, in order, epoch milliseconds. */
  public long[] changesMs() {
    long[] made = changesMs;
    if (made == null) {
      made =
          index.revisions().values().stream()
              .flatMapToLong(each -> LongStream.of(each.effectiveAtMs(), each.untilMs()))
              .sorted()
              .distinct()
              .toArray();
      changesMs = made;
    }
    return made.clone();
  }

  /**
   * Returns the ids of the revisions that are refused at some time because of another limit: they
   * would let an event wait in line and be delayed or retried.
   */
  public Set<String> conflicting() {
    return index.conflicting();
  }

  /** Returns the number of revisions, in force or not. */
  public int size() {
    return index.revisions().size();
  }

  /**
   * Returns a digest (fingerprint) of the limits in force at an instant; equal limits have equal
   * digests.
   */
  public String digest(long ms) {
    return new Digest(index, ms).text();
  }
}
