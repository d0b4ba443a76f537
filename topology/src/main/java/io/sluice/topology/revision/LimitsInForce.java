package io.sluice.topology.revision;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Rule;
import io.sluice.topology.config.RedisConfig;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Event;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.LimitKey;
import io.sluice.topology.limit.Limits;
import io.sluice.topology.limit.Matching;
import io.sluice.topology.limit.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The limits that were, are and will be in force: those of the configuration, and what all
 * revisions make of them. It never depends on the order in which revisions were read.
 *
 * <p>Immutable, so any thread may ask. With one more revision, or one less, it is another one,
 * which shares what did not change.
 */
public final class LimitsInForce {
  /**
   * One event after another is looked up, of which the last keys are remembered. For one thread.
   */
  public interface Lookup {
    /** The same as {@link LimitsInForce#matching(Event, long)}. */
    Matching matching(LimitsInForce limits, Event event, long ms);
  }

  private final RevisionIndex index;
  private final Configured configured;
  private final WholeLimits wholes;

  private LimitsInForce(Configured configured, RevisionIndex index, WholeLimits wholes) {
    this.configured = configured;
    this.index = index;
    this.wholes = wholes;
  }

  /** That of a thread, which alone may use it. */
  public static Lookup lookup() {
    return new LimitLookup();
  }

  /** What holds before any revision. */
  public static LimitsInForce of(SluiceConfig config) {
    return of(new Configured(config));
  }

  /**
   * The same, of a program that is no stream: revisions change its limits as they change a
   * stream's.
   *
   * @param settings of its limits, which have no mistakes, by what follows their names in the keys
   * @param redis without a URI if there is none
   * @param without settings that say nothing there, whatever revisions set them to
   * @param refusal why a limit cannot become so there, in one line; empty if it can
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

  /** The same with all of these, of which a later one replaces an earlier one of its id. */
  public LimitsInForce with(Collection<LimitRevision> more) {
    return having(index.with(more));
  }

  /** The same with this one, in place of the one of the same id. */
  public LimitsInForce with(LimitRevision revision) {
    return with(List.of(revision));
  }

  /** What a revision says here; nothing if it is about what others have. */
  public Optional<LimitRevision> adapted(LimitRevision revision) {
    return configured.adapted(revision);
  }

  /** The same without the revision of this id, if there is one. */
  public LimitsInForce without(String id) {
    return having(index.without(id));
  }

  private LimitsInForce having(RevisionIndex changed) {
    WholeLimits same = wholes.having(configured.limits(), changed);
    return new LimitsInForce(configured, changed, same);
  }

  /** The limits as wholes at an instant, in the order in which they are listed. */
  public Limits at(long ms) {
    return wholes.at(ms);
  }

  /**
   * All settings of a limit as a whole at an instant, by what follows its name in their keys; none
   * if there is no such limit then.
   */
  public Map<String, String> texts(String limit, long ms) {
    InForce found = index.history(limit).timeline().at(ms);
    return found.isEnabled() ? found.texts() : Map.of();
  }

  /**
   * The limits by which an event is metered that comes at an instant; each with the numbers of all
   * the time, since a bucket is judged by its own clock.
   */
  public Matching matching(Event event, long ms) {
    return matching(event, ms, LimitLookup.FORGETTING);
  }

  Matching matching(Event event, long ms, LimitLookup lookup) {
    Matching all = wholes.judgedAt(ms).matching(event);
    return index.areAllEqual() ? all : PersonalLimits.of(index, lookup, all, event, ms);
  }

  /**
   * What an event gets that comes at an instant if this limit is for it, and no other; nothing to
   * be metered by if the limit is not in force then.
   */
  public Matching matching(String limit, Event event, long ms) {
    Timeline whole = index.history(limit).timeline();
    Matching alone =
        whole.at(ms).isEnabled()
            ? Matching.alone(whole.judgedAt(ms, whole.judged()))
            : Matching.settled(Verdict.exempt());
    return index.areAllEqual()
        ? alone
        : PersonalLimits.of(index, LimitLookup.FORGETTING, alone, event, ms);
  }

  /** All limits that there ever are, for whoever must not miss one. */
  public Limits ever() {
    return wholes.ever();
  }

  /** The rule of those of a limit's buckets that have no numbers of their own. */
  public Optional<Rule> rule(String limit, Algorithm algorithm) {
    Timeline whole = index.history(limit).timeline();
    return whole.known().exists() ? whole.judged().rule(algorithm) : Optional.empty();
  }

  /**
   * The rule of a bucket, with the numbers of all the time.
   *
   * @param key what its limit's key makes of events
   * @return none if no limit ever counts so
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
   * What an event gets at an instant under a limit that is in force then.
   *
   * @throws IllegalArgumentException if there is no such limit at that instant
   */
  public Ruling ruling(String limit, Event event, long ms) {
    InForce found = index.history(limit).timeline(event).at(ms);
    if (!found.isEnabled())
      throw new IllegalArgumentException("not in force at " + ms + ": " + limit);
    if (!index.every().hasScopes() || found.saysVerdict()) return found.ruling();
    Ruling.Treatment all = index.every().timeline(event).at(ms).ruling().treatment();
    return all == Ruling.Treatment.METER ? found.ruling() : new Ruling(found.limit(), all);
  }

  /**
   * The numbers of a limit over time, as they are for an event. Equal ones are the same object.
   *
   * @return in order of their instants, the first from the beginning; empty if there never is such
   *     a limit
   */
  List<NumbersChange> numbers(String limit, Event event) {
    Timeline one = index.history(limit).timeline(event);
    return RevisionIndex.numbers(one, index.resetting(one, event));
  }

  /** The revisions that say what an event gets at an instant; if none, the configuration does. */
  public List<LimitRevision> sayingSo(String limit, Event event, long ms) {
    return Reasons.of(index, limit, event, ms);
  }

  /** All revisions and what becomes of them, in the order in which they hold. */
  public List<RevisionStatus> revisions(long nowMs) {
    Statuses statuses = new Statuses();
    index.every().forEachScope(each -> index.every().explain(each, statuses));
    index
        .histories()
        .forEach(history -> history.forEachScope(each -> history.explain(each, statuses)));
    List<RevisionStatus> all = new ArrayList<>();
    index
        .revisions()
        .forEach(
            each -> {
              statuses.accepts(each);
              all.add(statuses.of(each, nowMs));
            });
    all.sort((one, other) -> LimitRevision.ORDER.compare(one.revision(), other.revision()));
    return all;
  }

  /** What becomes of these; of ids that are none, nothing. Looks at their scopes, each once. */
  public List<RevisionStatus> revisions(Collection<String> ids, long nowMs) {
    Statuses statuses = new Statuses();
    Set<ScopeRevisions> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<LimitRevision> found =
        ids.stream().flatMap(id -> index.revisions().find(id).stream()).toList();
    for (LimitRevision each : found) {
      if (!statuses.accepts(each)) continue;
      History history = each.isForEveryLimit() ? index.every() : index.history(each.limit());
      ScopeRevisions scope = history.scopeOf(each);
      if (seen.add(scope)) history.explain(scope, statuses);
    }
    return found.stream().map(each -> statuses.of(each, nowMs)).toList();
  }

  /**
   * What becomes of one revision.
   *
   * @throws IllegalArgumentException if there is none with this id
   */
  public RevisionStatus revision(String id, long nowMs) {
    return revisions(List.of(id), nowMs).stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no revision has the id " + id));
  }

  /** How many revisions there are. */
  public int size() {
    return index.revisions().size();
  }

  /** A digest of what is in force at an instant, the same wherever the same is. */
  public String digest(long ms) {
    return new Digest(index, ms).text();
  }
}
