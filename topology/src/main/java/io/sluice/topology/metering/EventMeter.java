package io.sluice.topology.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.redis.RedisBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Meter of single events. It meters an event against all limits that match the event, in the state
 * store and in Redis, and charges all of these limits or none.
 */
final class EventMeter {
  private final int partition;
  private final Arrivals arrivals;
  private final RowMeter rows;
  private final RedisBreaker redis;
  private final RedisMetrics metrics;
  private final Instruments.Stopwatch stopwatch;

  /**
   * @param partition partition number of the task
   */
  EventMeter(MeteringServices services, RowMeter rows, int partition) {
    this.rows = rows;
    this.partition = partition;
    arrivals = services.arrivals();
    redis = services.breaker();
    metrics = services.instruments().redis();
    stopwatch = services.instruments().stopwatch();
  }

  /**
   * Meters an event. If Redis was asked about the event when a poll returned it, that answer is
   * used.
   *
   * @param limits limits to meter by, if Redis was not asked about the event before
   * @param comesAtMs time at which the event is metered, epoch milliseconds
   * @param position sequence and offset by which Redis recognises the event, if Redis is asked only
   *     now
   * @throws UnreadableKeyException if Redis cannot use a key of the event, and events must wait for
   *     one of its limits while Redis is unavailable
   */
  Verdict meter(EventRecord event, LimitsInForce limits, long comesAtMs, Position position) {
    if (event.question().isPresent()) return answered(event, comesAtMs);
    Matching matching = limits.matching(event.event(), comesAtMs);
    return meterNow(event, matching, comesAtMs, position);
  }

  /**
   * Returns the verdict of an event that must wait because earlier events wait for Redis; empty if
   * the event may pass without Redis, or if Redis has been asked about it and was available.
   */
  Optional<Verdict> behindOthers(EventRecord event, LimitsInForce limits, long comesAtMs) {
    Optional<PendingVerdict> question = event.question();
    if (question.isPresent() && !question.get().isStuck()) return Optional.empty();
    List<Limit> remote =
        question
            .map(PendingVerdict::limits)
            .orElseGet(() -> limits.matching(event.event(), comesAtMs).remote());
    if (!PendingVerdict.mustWait(remote)) return Optional.empty();
    metrics.fellBack(RedisUnavailable.WAIT);
    if (redis.isGone()) {
      redis.holdBack();
      redis.setAside(partition);
    }
    return Optional.of(awaitingRedis(remote));
  }

  private Verdict answered(EventRecord event, long comesAtMs) {
    PendingVerdict question = event.question().orElseThrow();
    if (question.isAnswered()) return question.verdict();
    List<Limit> remote = question.limits();
    boolean failsByShadow = question.failures() > 0 && question.withoutShadows().isPresent();
    if (!question.mustWait() && !failsByShadow)
      return withoutRedis(event, comesAtMs, List.of(), remote);
    try {
      return answer(question).verdict();
    } catch (LimiterUnavailableException e) {
      return unanswered(e, remote)
          .orElseGet(() -> withoutRedis(event, comesAtMs, List.of(), remote));
    }
  }

  /**
   * Asks Redis about an event, and waits for the answer. If Redis cannot use one of the event's
   * keys, asks again without the limits in shadow mode.
   *
   * @return the question that was answered: the given one, or that without limits in shadow mode
   */
  private PendingVerdict answer(PendingVerdict question) {
    try {
      redis.answer(question);
      return question;
    } catch (UnreadableKeyException e) {
      PendingVerdict acting = question.withoutShadows().orElseThrow(() -> e);
      redis.answer(acting);
      return acting;
    }
  }

  private Verdict meterNow(
      EventRecord event, Matching matching, long comesAtMs, Position position) {
    if (matching.settled().isPresent()) return matching.settled().get();
    List<Limit> stored = matching.stored();
    List<Limit> remote = matching.remote();
    if (remote.isEmpty()) return meterStored(event, comesAtMs, stored);
    try {
      return meterBoth(event, matching, comesAtMs, position);
    } catch (LimiterUnavailableException e) {
      return unanswered(e, remote).orElseGet(() -> withoutRedis(event, comesAtMs, stored, remote));
    }
  }

  /** Returns the verdict of an event that must wait for Redis; empty if it may pass without. */
  private static Optional<Verdict> unanswered(LimiterUnavailableException why, List<Limit> remote) {
    if (!PendingVerdict.mustWait(remote)) return Optional.empty();
    if (why instanceof UnreadableKeyException) throw why;
    return Optional.of(awaitingRedis(remote));
  }

  private static Verdict awaitingRedis(List<Limit> remote) {
    return Verdict.awaitingRedis(
        remote.stream().filter(PendingVerdict::mustWait).findFirst().orElseThrow());
  }

  private Verdict meterStored(EventRecord event, long comesAtMs, List<Limit> stored) {
    stopwatch.start();
    List<Bucket> buckets = Limit.buckets(stored, event.event());
    Outcome outcome = rows.meter(arrivals.of(event, comesAtMs), buckets);
    stopwatch.stop();
    return Verdict.of(outcome, stored, buckets, arrivals.duplicates());
  }

  /**
   * Meters an event with limits on both backends: first asks the state store without changing it,
   * then lets Redis decide and charge, and last charges the state store. If Redis does not answer,
   * nothing is charged in the state store. If the task dies after Redis has charged the event,
   * Redis recognises the event when it is processed again.
   */
  private Verdict meterBoth(
      EventRecord event, Matching matching, long comesAtMs, Position position) {
    Metered both = meterBoth(event, matching, arrivals.of(event, comesAtMs), position);
    return Verdict.of(both.outcome(), both.limits(), both.buckets(), arrivals.duplicates());
  }

  /** Outcome of metering, with the limits and buckets that it is about. */
  private record Metered(List<Limit> limits, List<Bucket> buckets, Outcome outcome) {}

  private Metered meterBoth(
      EventRecord event, Matching matching, Arrival arrival, Position position) {
    List<Limit> stored = matching.stored();
    List<Limit> remote = matching.remote();
    List<Bucket> storedBuckets = Limit.buckets(stored, event.event());
    List<Bucket> remoteBuckets = Limit.buckets(remote, event.event());
    Metering probe = rows.probe(arrival, storedBuckets);
    Request request = new Request(arrival, remoteBuckets, probe.standing(), position);
    PendingVerdict question =
        answer(new PendingVerdict(partition, remote, request, arrivals.duplicates()));
    Outcome there = question.answer();
    return new Metered(
        joined(stored, question.limits()),
        joined(storedBuckets, question.buckets()),
        probe.follow(there).and(there));
  }

  /**
   * Meters an event that a limit lets wait in line. Policies for an outage of Redis do not apply:
   * the event waits.
   *
   * @throws LimiterUnavailableException if Redis does not answer
   */
  Outcome meterQueued(EventRecord event, Matching matching, Arrival arrival, Position position) {
    if (!matching.remote().isEmpty())
      return meterBoth(event, matching, arrival, position).outcome();
    stopwatch.start();
    Outcome outcome = rows.meter(arrival, Limit.buckets(matching.stored(), event.event()));
    stopwatch.stop();
    return outcome;
  }

  /** Judges an event by buckets on the state store, without a charge yet. */
  Metering probe(Arrival arrival, List<Bucket> stored) {
    return rows.probe(arrival, stored);
  }

  /**
   * Meters an event without Redis, by the policies of its limits in Redis for an outage: rejects
   * the event, counts it in the state store instead, or leaves the limits out. Called only if no
   * limit makes the event wait for Redis. Policies of limits in shadow mode do not apply, except
   * that a limit may count in the state store.
   */
  private Verdict withoutRedis(
      EventRecord event, long comesAtMs, List<Limit> stored, List<Limit> remote) {
    List<Limit> acting = remote.stream().filter(limit -> !limit.rule().shadow()).toList();
    for (Limit limit : acting) {
      if (limit.redisUnavailable() != RedisUnavailable.REJECT) continue;
      fellBack(RedisUnavailable.REJECT);
      return Verdict.unavailable(limit);
    }
    List<Limit> falling = remote.stream().filter(Limit::fallsBack).toList();
    fellBack(falling.isEmpty() ? RedisUnavailable.ALLOW : RedisUnavailable.STATE_STORE);
    List<Limit> left = joined(stored, falling);
    if (left.isEmpty()) {
      return acting.isEmpty() ? Verdict.unmatched(false) : Verdict.passed(acting.get(0));
    }
    Verdict verdict = meterStored(event, comesAtMs, left);
    return acting.isEmpty() ? verdict : verdict.withoutRedis();
  }

  private void fellBack(RedisUnavailable policy) {
    metrics.fellBack(policy);
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first.size() + second.size());
    all.addAll(first);
    all.addAll(second);
    return all;
  }
}
