package io.sluice.topology.limit;

import io.sluice.limiter.Rule;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.Limit.Backend;
import io.sluice.topology.limit.Verdict.Duplicates;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The limits that are in force, as one value: which of them match an event, where they count, and
 * where their events must be metered. Immutable.
 */
public final class Limits {
  /*
   * Limits on the state store count inside a partition, so everything that one key of theirs counts
   * must be on one partition: a field that all their keys contain decides which, the home field.
   */
  private final List<Limit> all;
  private final List<Limit> resolved;
  private final List<Limit> stored;
  private final List<Limit> remote;
  private final List<Limit> ordered;
  private final List<Limit> homed;
  private final Field home;
  private final boolean retries;
  private final boolean rejectsUnmatched;
  private final Duplicates duplicates;
  private final Matching none;
  private final List<Alone> alone;
  private final Set<String> attributes;

  private Limits(
      List<Limit> all,
      List<Limit> resolved,
      Optional<Field> pinned,
      boolean rejectsUnmatched,
      Duplicates duplicates) {
    this.all = List.copyOf(all);
    this.resolved = List.copyOf(resolved);
    this.rejectsUnmatched = rejectsUnmatched;
    this.duplicates = duplicates;
    none = Matching.settled(Verdict.unmatched(rejectsUnmatched));
    stored = resolved.stream().filter(limit -> limit.backend() == Backend.STATE_STORE).toList();
    remote = resolved.stream().filter(limit -> limit.backend() == Backend.REDIS).toList();
    alone = resolved.stream().map(Alone::of).toList();
    retries = resolved.stream().anyMatch(Limit::retries);
    home = pinned.orElseGet(this::ownHome);
    ordered = resolved.stream().filter(limit -> isOrdered(limit, home)).toList();
    homed = resolved.stream().filter(limit -> isStored(limit) || isOrdered(limit, home)).toList();
    attributes =
        Stream.concat(Stream.of(home), all.stream().flatMap(Limits::countedFields))
            .filter(field -> field.kind() == Field.Kind.ATTRIBUTE)
            .map(Field::attribute)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Limits in the order in which they are listed.
   *
   * @param rejectsUnmatched whether an event that none of them matches is rejected
   */
  public static Limits of(List<Limit> all, boolean rejectsUnmatched, Duplicates duplicates) {
    List<Limit> resolved = Unless.resolved(all);
    return new Limits(all, resolved, Optional.empty(), rejectsUnmatched, duplicates);
  }

  /** Other limits under the same rules for all, with the same home field. */
  public Limits with(List<Limit> others) {
    return having(others, Unless.resolved(others));
  }

  /** The same of limits that are not in force together: each knows what it leaves to others. */
  public Limits withVariants(List<Limit> variants) {
    return having(variants, variants);
  }

  private Limits having(List<Limit> others, List<Limit> resolved) {
    return new Limits(others, resolved, Optional.of(home), rejectsUnmatched, duplicates);
  }

  /** The limits that match an event, in the order in which they are listed. */
  public Matching matching(Event event) {
    Alone one = null;
    for (Alone each : alone) {
      if (!each.limit.match().matches(event)) continue;
      if (one != null) return Matching.of(matching(stored, event), matching(remote, event));
      one = each;
    }
    return one == null ? none : one.matching;
  }

  private static List<Limit> matching(List<Limit> limits, Event event) {
    List<Limit> matching = new ArrayList<>(limits.size());
    for (Limit limit : limits) if (limit.match().matches(event)) matching.add(limit);
    return matching;
  }

  /** What there is if this limit alone matches, as for most events: made once. */
  private record Alone(Limit limit, Matching matching) {
    static Alone of(Limit limit) {
      List<Limit> one = List.of(limit);
      return new Alone(
          limit, isStored(limit) ? Matching.of(one, List.of()) : Matching.of(List.of(), one));
    }
  }

  public List<Limit> all() {
    return all;
  }

  /** The same, each without the events that it leaves to others of them. */
  public List<Limit> resolved() {
    return resolved;
  }

  /** The rules of all limits: those in Redis may count in the state store while Redis is down. */
  public List<Rule> rules() {
    return Stream.concat(stored.stream(), remote.stream()).map(Limit::rule).toList();
  }

  public Duplicates duplicates() {
    return duplicates;
  }

  public boolean useRedis() {
    return !remote.isEmpty();
  }

  /** The names of attributes that events are counted by, or brought home by. */
  public Set<String> attributes() {
    return attributes;
  }

  /** Whether any limit has events metered again. */
  public boolean retries() {
    return retries;
  }

  /** Whether anything may ever be counted in the state store. */
  public boolean keepState() {
    return !stored.isEmpty() || remote.stream().anyMatch(Limit::fallsBack);
  }

  /** Whether events are metered on the partition of their home field, wherever they come in. */
  public boolean repartition() {
    return keepState() || !homed.isEmpty();
  }

  /** Limits whose events must all be on their home partition. */
  public List<Limit> homed() {
    return homed;
  }

  /** Limits whose events leave in the order in which they came. */
  public List<Limit> ordered() {
    return ordered;
  }

  /** The field that decides on an event's home partition, whatever the limits are. */
  public Field home() {
    return home;
  }

  private Field ownHome() {
    Set<Field> shapedBy = shared(all.stream().filter(Limits::shapes).map(Limit::key).toList());
    Optional<Field> shaped =
        shapedBy.contains(Field.USER_ID) ? Optional.empty() : shapedBy.stream().findFirst();
    return storedHome().or(() -> shaped).orElse(Field.USER_ID);
  }

  /**
   * The home field of limits on the state store: the user if all of them count by users, else the
   * first field they share, in the order of the first one's key; empty if there are none.
   */
  public Optional<Field> storedHome() {
    Set<Field> shared = shared(all.stream().filter(Limits::isStored).map(Limit::key).toList());
    return shared.contains(Field.USER_ID)
        ? Optional.of(Field.USER_ID)
        : shared.stream().findFirst();
  }

  private static Stream<Field> countedFields(Limit limit) {
    return Stream.concat(limit.key().fields().stream(), limit.distinct().stream());
  }

  private static boolean isStored(Limit limit) {
    return limit.backend() == Backend.STATE_STORE;
  }

  private static boolean isOrdered(Limit limit, Field home) {
    return shapes(limit) && limit.key().fields().contains(home);
  }

  private static boolean shapes(Limit limit) {
    return limit.rule().shapes() && !limit.rule().shadow();
  }

  /** The fields that all the keys contain, in the order of the first. */
  public static Set<Field> shared(List<LimitKey> keys) {
    if (keys.isEmpty()) return Set.of();
    Set<Field> shared = new LinkedHashSet<>(keys.get(0).fields());
    for (LimitKey key : keys) shared.retainAll(key.fields());
    return shared;
  }
}
