package io.sluice.rules.limit;

import io.sluice.rules.event.Event;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Limits by which an event is metered, or its verdict if no metering is needed.
 *
 * @param stored limits that count in the state store
 * @param remote limits that count in Redis
 * @param settled verdict, if the event is not metered
 */
public record Matching(List<Limit> stored, List<Limit> remote, Optional<Verdict> settled) {
  /** Returns the result for an event that is metered by these limits, at least one. */
  public static Matching of(List<Limit> stored, List<Limit> remote) {
    return new Matching(stored, remote, Optional.empty());
  }

  /** Returns the result for an event that is metered by this limit alone. */
  public static Matching alone(Limit limit) {
    return limit.backend() == Limit.Backend.REDIS
        ? of(List.of(), List.of(limit))
        : of(List.of(limit), List.of());
  }

  /** Returns the first limit; limits on the state store come before limits in Redis. */
  public Limit first() {
    return stored.isEmpty() ? remote.get(0) : stored.get(0);
  }

  /** Returns whether the event waits in line if it exceeds one of these limits. */
  public boolean queues() {
    return settled.isEmpty() && (queues(stored) || queues(remote));
  }

  private static boolean queues(List<Limit> limits) {
    for (int i = 0; i < limits.size(); i++) if (limits.get(i).queues()) return true;
    return false;
  }

  /** Returns all limits: those on the state store, then those in Redis. */
  public List<Limit> all() {
    if (remote.isEmpty()) return stored;
    if (stored.isEmpty()) return remote;
    return Stream.concat(stored.stream(), remote.stream()).toList();
  }

  /**
   * Returns the result for an event by limits with {@code key.missing=reject}: the rejection if the
   * event lacks a field of the key of one of them; without such limits if they are in shadow mode,
   * since they must not count the event.
   */
  public Matching rejectingMissingKeys(Event event) {
    if (settled.isPresent()) return this;
    boolean drops = false;
    for (List<Limit> limits : List.of(stored, remote)) {
      for (Limit limit : limits) {
        if (!rejects(limit, event)) continue;
        if (!limit.rule().shadow()) return settled(Verdict.missingKey(limit));
        drops = true;
      }
    }
    return drops ? without(limit -> rejects(limit, event)) : this;
  }

  private static boolean rejects(Limit limit, Event event) {
    return limit.keyMissing() == Limit.KeyMissing.REJECT && limit.lacksKey(event);
  }

  /**
   * Returns the result for an event with regard to the opening hours of its limits: the verdict if
   * an enforced limit is closed at an instant; without closed limits in shadow mode, since they
   * must not count the event.
   */
  public Matching openAt(long ms, Event event) {
    return settled.isPresent() ? this : HoursCheck.openAt(ms, event, this);
  }

  /** Returns whether the event is metered only when its limits open. */
  public boolean waitsForOpening() {
    return settled.isPresent() && settled.get().isToBeRetried();
  }

  /** Adds the results of the limits in shadow mode that are closed at an instant to a verdict. */
  public Verdict withClosedShadows(Verdict verdict, long ms, Event event) {
    Verdict whole = verdict;
    for (List<Limit> limits : List.of(stored, remote)) {
      for (Limit limit : limits) {
        if (!limit.rule().shadow() || !limit.isClosed(event, ms)) continue;
        long opensAtMs = limit.hours().spanAt(event, ms).untilMs();
        whole = whole.withShadow(LimitDecision.closed(limit, event, ms, opensAtMs));
      }
    }
    return whole;
  }

  Matching without(Predicate<Limit> dropped) {
    List<Limit> storedLeft = stored.stream().filter(dropped.negate()).toList();
    List<Limit> remoteLeft = remote.stream().filter(dropped.negate()).toList();
    boolean isEmpty = storedLeft.isEmpty() && remoteLeft.isEmpty();
    return isEmpty ? settled(Verdict.exempt()) : of(storedLeft, remoteLeft);
  }

  /** Returns a copy with a copy of each limit. */
  Matching with(UnaryOperator<Limit> copy) {
    return of(stored.stream().map(copy).toList(), remote.stream().map(copy).toList());
  }

  /** Returns the result for an event that gets this verdict without metering. */
  public static Matching settled(Verdict verdict) {
    return new Matching(List.of(), List.of(), Optional.of(verdict));
  }
}
