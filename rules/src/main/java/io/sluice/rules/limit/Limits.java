package io.sluice.rules.limit;

import io.sluice.limiter.Rule;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.limit.Verdict.Duplicates;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Snapshot of the limits that are in force. Tells which of them match an event, where they count,
 * and on which partition their events are metered. Immutable.
 */
public final class Limits {
  /*
   * Limits on the state store count inside a partition, so all events with the same key under such
   * a limit must be on the same partition. The home field, which the keys of all these limits
   * contain, decides on the partition.
   */
  private final List<Limit> all;
  private final List<Limit> resolved;
  private final List<Limit> stored;
  private final List<Limit> remote;
  private final List<Limit> ordered;
  private final List<Limit> homed;
  private final Field home;
  private final boolean hasHours;
  private final boolean retries;
  private final boolean queues;
  private final boolean rejectsUnmatched;
  private final Duplicates duplicates;
  private final Matching none;
  private final List<Alone> alone;
  private final Set<String> counted;
  private final Set<String> used;
  private final List<OptionalKey> optionalKeys;
  private final boolean rejectsMissingKeys;

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
    hasHours = resolved.stream().anyMatch(limit -> !limit.hours().areAlways());
    retries =
        resolved.stream().anyMatch(Limit::retries)
            || (hasHours && resolved.stream().anyMatch(limit -> limit.rule().shapes()));
    queues = resolved.stream().anyMatch(Limit::queues);
    home = pinned.orElseGet(this::ownHome);
    ordered = resolved.stream().filter(limit -> isOrdered(limit, home)).toList();
    // An event that no limit counts needs no home, so it is not sent to another partition.
    homed =
        resolved.stream()
            .filter(limit -> isStored(limit) || isInOrder(limit, home))
            .map(Limit::counting)
            .toList();
    optionalKeys = OptionalKey.among(all, resolved);
    rejectsMissingKeys =
        optionalKeys.stream().anyMatch(each -> each.limit().keyMissing() == KeyMissing.REJECT);
    counted =
        attributes(Stream.concat(Stream.of(home), all.stream().flatMap(Limits::countedFields)));
    used =
        attributes(
            Stream.concat(Stream.of(home), all.stream().flatMap(limit -> limit.fields().stream())));
  }

  private static Set<String> attributes(Stream<Field> fields) {
    return fields
        .filter(field -> field.kind() == Field.Kind.ATTRIBUTE)
        .map(Field::attribute)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Creates limits in the order in which they are listed.
   *
   * @param rejectsUnmatched whether an event that no limit matches is rejected
   */
  public static Limits of(List<Limit> all, boolean rejectsUnmatched, Duplicates duplicates) {
    return new Limits(all, resolved(all), Optional.empty(), rejectsUnmatched, duplicates);
  }

  /**
   * Returns a copy with other limits. The home field, which decides on the partition of an event,
   * stays the same, and so do the settings common to all limits.
   */
  public Limits with(List<Limit> others) {
    return having(others, resolved(others));
  }

  /**
   * Returns the limits, each without the events to which it does not apply. An event without the
   * key of a limit with {@code key.missing=skip} is not left to that limit by {@code unless}, or no
   * limit would apply to it.
   */
  public static List<Limit> resolved(List<Limit> all) {
    return Unless.resolved(all.stream().map(Limit::applying).toList());
  }

  /**
   * Returns a copy with limits that need not be in force at the same time. Each limit must already
   * exclude the events to which it does not apply.
   */
  public Limits withVariants(List<Limit> variants) {
    return having(variants, variants);
  }

  private Limits having(List<Limit> others, List<Limit> resolved) {
    return new Limits(others, resolved, Optional.of(home), rejectsUnmatched, duplicates);
  }

  /**
   * Returns the limits that match an event: limits on the state store, and limits in Redis, each in
   * the order in which they are listed. The result may contain limits that reject the event because
   * it lacks a field of their keys; see {@link Matching#rejectingMissingKeys}.
   */
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

  /**
   * Limit, and the result for an event that only this limit matches. The result is created once,
   * because most events match one limit.
   */
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

  /**
   * Returns the limits that events may match without a field by which the limit counts; empty in
   * most applications.
   */
  public List<OptionalKey> optionalKeys() {
    return optionalKeys;
  }

  /** Returns whether a limit rejects events without a field of its key. */
  public boolean rejectsMissingKeys() {
    return rejectsMissingKeys;
  }

  /**
   * Returns the limits, each without the events to which it does not apply: those that it leaves to
   * other limits by {@code unless}, and those to which {@code key.missing=skip} applies.
   */
  public List<Limit> resolved() {
    return resolved;
  }

  /**
   * Returns the rules of all limits, also of those in Redis, which may count in the state store
   * during an outage.
   */
  public List<Rule> rules() {
    return Stream.concat(stored.stream(), remote.stream()).map(Limit::rule).toList();
  }

  /** Returns whether an event that no limit matches is rejected. */
  public boolean rejectsUnmatched() {
    return rejectsUnmatched;
  }

  public Duplicates duplicates() {
    return duplicates;
  }

  public boolean useRedis() {
    return !remote.isEmpty();
  }

  /**
   * Returns whether an event must not be metered because of the fault of an attribute: limits count
   * by the attribute or events are partitioned by it; if it occurs twice, also if limits match on
   * it, since two readers would see two values.
   */
  public boolean areHarmedBy(FaultKind fault, String attribute) {
    return (fault == FaultKind.DUPLICATE_FIELD ? used : counted).contains(attribute);
  }

  /** Returns whether any limit has opening hours. */
  public boolean haveHours() {
    return hasHours;
  }

  /**
   * Returns whether any limit has its refused events metered again later, or delays events until a
   * limit opens, which meters them again then.
   */
  public boolean retries() {
    return retries;
  }

  /** Returns whether events that exceed any of the limits wait in line. */
  public boolean queues() {
    return queues;
  }

  /** Returns whether any limit may ever count in the state store. */
  public boolean keepState() {
    return !stored.isEmpty() || remote.stream().anyMatch(Limit::fallsBack);
  }

  /**
   * Returns whether events are metered on the partition that their home field decides on, instead
   * of the partition of their input record.
   */
  public boolean repartition() {
    return keepState() || !homed.isEmpty();
  }

  /**
   * Returns the limits whose events must all be metered on the partition that the home field
   * decides on.
   */
  public List<Limit> homed() {
    return homed;
  }

  /** Returns the limits that delay events and release them in the order in which they arrived. */
  public List<Limit> ordered() {
    return ordered;
  }

  /**
   * Returns the field that decides on the partition on which an event is metered. It stays the same
   * when limits change.
   */
  public Field home() {
    return home;
  }

  private Field ownHome() {
    Set<Field> shapedBy = shared(all.stream().filter(Limits::keepsOrder).map(Limit::key).toList());
    Optional<Field> shaped =
        shapedBy.contains(Field.USER_ID) ? Optional.empty() : shapedBy.stream().findFirst();
    return storedHome().or(() -> shaped).orElse(Field.USER_ID);
  }

  /**
   * Returns the home field, which decides on the partition of an event, that the limits on the
   * state store need: the user if all their keys contain it, else the first field that all keys
   * share, in the order of the first key; empty if there is none.
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

  /** Returns whether the events of a key leave in the order in which they came. */
  private static boolean isInOrder(Limit limit, Field home) {
    return keepsOrder(limit) && limit.key().fields().contains(home);
  }

  private static boolean keepsOrder(Limit limit) {
    return shapes(limit) || limit.queues();
  }

  private static boolean shapes(Limit limit) {
    return limit.rule().shapes() && !limit.rule().shadow();
  }

  /** Returns the fields that all of these keys contain, in the order of the first key. */
  public static Set<Field> shared(List<LimitKey> keys) {
    if (keys.isEmpty()) return Set.of();
    Set<Field> shared = new LinkedHashSet<>(keys.get(0).fields());
    for (LimitKey key : keys) shared.retainAll(key.fields());
    return shared;
  }
}
