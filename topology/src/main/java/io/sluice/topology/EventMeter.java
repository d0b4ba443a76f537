package io.sluice.topology;

import static io.sluice.topology.Metered.buckets;
import static io.sluice.topology.Metered.matching;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * Meters one event against every limit that matches it, wherever the limit counts: all or nothing.
 */
final class EventMeter {
  private final Metered metered;
  private final RowMeter rows;
  private final PatientRedis redis;
  private final MeteringTimes.Stopwatch stopwatch;

  EventMeter(Metered metered, RowMeter rows) {
    this.metered = metered;
    this.rows = rows;
    redis = new PatientRedis(metered.breaker(), metered.instruments().redis());
    stopwatch = metered.instruments().stopwatch();
  }

  /**
   * Meters an event, whose question to Redis is answered by now, if the poll that brought it asked.
   *
   * @param position by which Redis knows it if it is asked only now
   */
  Verdict meter(Event event, int partition, long comesAtMs, Position position) {
    return event.question().isPresent()
        ? answered(event, comesAtMs)
        : meterNow(event, partition, comesAtMs, position);
  }

  private Verdict answered(Event event, long comesAtMs) {
    Question question = event.question().orElseThrow();
    if (!question.isAnswered()) {
      if (!question.mustWait()) {
        return withoutRedis(event, comesAtMs, List.of(), question.limits());
      }
      redis.answer(question);
    }
    return question.verdict();
  }

  private Verdict meterNow(Event event, int partition, long comesAtMs, Position position) {
    List<Limit> stored = matching(metered.stored(), event.view());
    List<Limit> remote = matching(metered.remote(), event.view());
    if (stored.isEmpty() && remote.isEmpty()) return Verdict.unmatched(metered.rejectsUnmatched());
    if (remote.isEmpty()) return meterStored(event, comesAtMs, stored);
    try {
      return meterBoth(event, partition, comesAtMs, stored, remote, position);
    } catch (LimiterUnavailableException e) {
      return withoutRedis(event, comesAtMs, stored, remote);
    }
  }

  private Verdict meterStored(Event event, long comesAtMs, List<Limit> stored) {
    stopwatch.start();
    List<Bucket> buckets = buckets(stored, event.view());
    Outcome outcome = rows.meter(metered.arrival(event, comesAtMs), buckets);
    stopwatch.stop();
    return Verdict.of(outcome, stored, buckets, metered.duplicates());
  }

  /**
   * First the state store is asked, which changes nothing, then Redis decides, and last the state
   * store follows. If Redis does not answer, nothing is charged here; if this task dies in between,
   * Redis recognises the event when it comes again.
   */
  private Verdict meterBoth(
      Event event,
      int partition,
      long comesAtMs,
      List<Limit> stored,
      List<Limit> remote,
      Position position) {
    Arrival arrival = metered.arrival(event, comesAtMs);
    List<Bucket> storedBuckets = buckets(stored, event.view());
    List<Bucket> remoteBuckets = buckets(remote, event.view());
    Metering probe = rows.probe(arrival, storedBuckets);
    Request request = new Request(arrival, remoteBuckets, probe.standing(), position);
    Question question = new Question(partition, remote, request, metered.duplicates());
    redis.answer(question);
    Outcome there = question.answer();
    Outcome both = probe.follow(there).and(there);
    return Verdict.of(
        both, joined(stored, remote), joined(storedBuckets, remoteBuckets), metered.duplicates());
  }

  /**
   * What the limits in Redis want done while it is gone; none of these wants to wait for it. Those
   * that only watch have no say.
   */
  private Verdict withoutRedis(
      Event event, long comesAtMs, List<Limit> stored, List<Limit> remote) {
    List<Limit> acting = remote.stream().filter(limit -> !limit.rule().shadow()).toList();
    for (Limit limit : acting) {
      if (limit.redisUnavailable() != RedisUnavailable.REJECT) continue;
      fellBack(RedisUnavailable.REJECT);
      return Verdict.unavailable(limit);
    }
    List<Limit> falling = remote.stream().filter(Metered::fallsBack).toList();
    fellBack(falling.isEmpty() ? RedisUnavailable.ALLOW : RedisUnavailable.STATE_STORE);
    List<Limit> left = joined(stored, falling);
    if (left.isEmpty()) {
      return acting.isEmpty() ? Verdict.unmatched(false) : Verdict.passed(acting.get(0));
    }
    Verdict verdict = meterStored(event, comesAtMs, left);
    return acting.isEmpty() ? verdict : verdict.withoutRedis();
  }

  private void fellBack(RedisUnavailable policy) {
    metered.instruments().redis().fellBack(policy);
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first.size() + second.size());
    all.addAll(first);
    all.addAll(second);
    return all;
  }
}
