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
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.redis.RedisBreaker;
import java.util.ArrayList;
import java.util.List;

/** Meters one event against every limit that matches it, on both backends: all or nothing. */
final class EventMeter {
  private final LimitsInForce.Lookup lookup = LimitsInForce.lookup();
  private final Arrivals arrivals;
  private final RowMeter rows;
  private final RedisBreaker redis;
  private final RedisMetrics metrics;
  private final Instruments.Stopwatch stopwatch;

  EventMeter(
      Arrivals arrivals,
      RowMeter rows,
      RedisBreaker redis,
      RedisMetrics metrics,
      Instruments.Stopwatch stopwatch) {
    this.arrivals = arrivals;
    this.rows = rows;
    this.redis = redis;
    this.metrics = metrics;
    this.stopwatch = stopwatch;
  }

  /**
   * Meters an event. If Redis was asked ahead about it, that answer is used.
   *
   * @param limits limits to meter by, if Redis was not asked ahead
   * @param position position by which Redis knows the event, if it is asked only now
   * @throws UnreadableKeyException if Redis cannot use a key of the event, and a limit would wait
   */
  Verdict meter(
      EventRecord event, LimitsInForce limits, int partition, long comesAtMs, Position position) {
    return event.question().isPresent()
        ? answered(event, comesAtMs)
        : meterNow(
            event,
            lookup.matching(limits, event.event(), comesAtMs),
            partition,
            comesAtMs,
            position);
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
      return unanswered(e, event, comesAtMs, List.of(), remote);
    }
  }

  /**
   * Gets a question answered. If Redis cannot use one of its keys, asks again without the limits in
   * shadow mode.
   *
   * @return the question that has the answer
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
      EventRecord event, Matching matching, int partition, long comesAtMs, Position position) {
    if (matching.settled().isPresent()) return matching.settled().get();
    List<Limit> stored = matching.stored();
    List<Limit> remote = matching.remote();
    if (remote.isEmpty()) return meterStored(event, comesAtMs, stored);
    try {
      return meterBoth(event, partition, comesAtMs, stored, remote, position);
    } catch (LimiterUnavailableException e) {
      return unanswered(e, event, comesAtMs, stored, remote);
    }
  }

  private Verdict unanswered(
      LimiterUnavailableException why,
      EventRecord event,
      long comesAtMs,
      List<Limit> stored,
      List<Limit> remote) {
    if (!PendingVerdict.mustWait(remote)) return withoutRedis(event, comesAtMs, stored, remote);
    if (why instanceof UnreadableKeyException) throw why;
    return awaitingRedis(remote);
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
   * Probes the state store, which changes nothing, then lets Redis decide, and last charges the
   * state store. If Redis does not answer, nothing is charged in the state store. If this task dies
   * in between, Redis recognises the event when it comes again.
   */
  private Verdict meterBoth(
      EventRecord event,
      int partition,
      long comesAtMs,
      List<Limit> stored,
      List<Limit> remote,
      Position position) {
    Arrival arrival = arrivals.of(event, comesAtMs);
    List<Bucket> storedBuckets = Limit.buckets(stored, event.event());
    List<Bucket> remoteBuckets = Limit.buckets(remote, event.event());
    Metering probe = rows.probe(arrival, storedBuckets);
    Request request = new Request(arrival, remoteBuckets, probe.standing(), position);
    PendingVerdict question =
        answer(new PendingVerdict(partition, remote, request, arrivals.duplicates()));
    Outcome there = question.answer();
    Outcome both = probe.follow(there).and(there);
    return Verdict.of(
        both,
        joined(stored, question.limits()),
        joined(storedBuckets, question.buckets()),
        arrivals.duplicates());
  }

  /**
   * Does what the limits in Redis prescribe for an outage; none of them waits for Redis. Limits in
   * shadow mode are ignored.
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
