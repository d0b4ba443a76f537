package io.sluice.server.ask;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Match;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Pause;
import io.sluice.rules.revision.TreatedLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Query about a key of a limit at an instant, with the settings in force for the key, but not yet
 * its usage.
 *
 * @param event has the values of the key, and nothing else
 * @param because the revisions that decide the settings of the key; empty if the configuration file
 *     does
 * @param bucket of the key, with the limit's quotas and waits over all time
 * @param deniedUntilMs end of the rejection of the key's events by revisions, in epoch
 *     milliseconds; empty if they are not rejected, or without an end
 * @param pauses pauses of the limit for the key; empty if it is not paused
 * @param applies whether the limit matches events with this key: all of them, some, or none
 */
record KeyQuery(
    TreatedLimit treatedLimit,
    Event event,
    List<LimitRevision> because,
    Bucket bucket,
    OptionalLong deniedUntilMs,
    List<Pause> pauses,
    Match.Share applies,
    long nowMs) {
  static KeyQuery of(LimitsInForce limits, Limit limit, List<String> values, long nowMs) {
    Event event = limit.key().event(values);
    TreatedLimit treatedLimit = limits.treatedLimit(limit.name(), event, nowMs);
    Limit own = treatedLimit.limit();
    Rule judged =
        limits.rule(limit.name(), own.rule().algorithm(), own.key().of(event)).orElseGet(own::rule);
    Bucket bucket = Limit.buckets(List.of(own.with(judged)), event).get(0);
    List<LimitRevision> because = limits.sayingSo(limit.name(), event, nowMs);
    OptionalLong deniedUntilMs = deniedUntilMs(limits, limit.name(), event, nowMs);
    Match.Share applies = applies(limits, limit, event, nowMs);
    List<Pause> pauses = limits.pauses(limit.name(), event, nowMs);
    return new KeyQuery(
        treatedLimit, event, because, bucket, deniedUntilMs, pauses, applies, nowMs);
  }

  /** When the revision that rejects the events ends, another one may reject them still. */
  private static OptionalLong deniedUntilMs(
      LimitsInForce limits, String limit, Event event, long nowMs) {
    long ms = nowMs;
    while (rejects(limits, limit, event, ms)) {
      ms =
          limits.sayingSo(limit, event, ms).stream()
              .filter(each -> each.set().texts().containsKey(Settings.VERDICT))
              .mapToLong(LimitRevision::untilMs)
              .min()
              .orElse(LimitRevision.FOR_GOOD);
      if (ms == LimitRevision.FOR_GOOD) return OptionalLong.empty();
    }
    return ms == nowMs ? OptionalLong.empty() : OptionalLong.of(ms);
  }

  private static boolean rejects(LimitsInForce limits, String limit, Event event, long ms) {
    boolean isInForce = limits.at(ms).all().stream().anyMatch(each -> each.name().equals(limit));
    return isInForce
        && limits.treatedLimit(limit, event, ms).treatment() == TreatedLimit.Treatment.REJECT;
  }

  /**
   * Tells whether the limit applies to all, some or none of the key's events. It respects the
   * events that the limit leaves to other limits.
   */
  private static Match.Share applies(LimitsInForce limits, Limit limit, Event event, long nowMs) {
    return limits.at(nowMs).resolved().stream()
        .filter(each -> each.name().equals(limit.name()))
        .map(each -> each.match().shareOf(event, limit.key().fields()))
        .findFirst()
        .orElse(Match.Share.NONE);
  }

  /**
   * Returns the instant until which the limit is closed, in epoch milliseconds; empty if it is
   * open. If the time zone is in a field outside of the key, this is for events without the field.
   */
  OptionalLong closedUntilMs() {
    return limit().hours().closedUntilMs(event, nowMs);
  }

  /** Returns whether the key is paused, and the end of the pause is not known. */
  boolean isPausedForGood() {
    return pauses.stream().anyMatch(each -> !each.hasEnd());
  }

  /**
   * Returns the judgement of a new event, with regard to the opening hours and the pauses of the
   * limit.
   */
  Judgement withHours(Judgement judgement) {
    Decision open = withHours(judgement.decision());
    return new Judgement(judgement.nowMicros(), pauses.isEmpty() ? open : withPauses(open));
  }

  private Decision withPauses(Decision open) {
    long untilMs =
        pauses.stream().filter(Pause::hasEnd).mapToLong(Pause::untilMs).max().orElse(nowMs);
    long waitMicros = (untilMs - nowMs) * 1_000;
    if (open instanceof Decision.NonConforming refused)
      waitMicros = Math.max(waitMicros, refused.retryAfterMicros());
    long resetMicros = Math.max(waitMicros, open.resetAfterMicros());
    return new Decision.NonConforming(open.remaining(), waitMicros, resetMicros);
  }

  private Decision withHours(Decision decision) {
    OptionalLong untilMs = closedUntilMs();
    if (untilMs.isEmpty()) return decision;
    long waitMicros = (untilMs.getAsLong() - nowMs) * 1_000;
    long resetMicros = Math.max(waitMicros, decision.resetAfterMicros());
    if (decision instanceof Decision.NonConforming over) {
      long longerMicros = Math.max(waitMicros, over.retryAfterMicros());
      return new Decision.NonConforming(over.remaining(), longerMicros, resetMicros);
    }
    if (decision instanceof Decision.Waiting waiting) {
      waitMicros = Math.max(waitMicros, waiting.waitMicros());
    } else if (!(decision instanceof Decision.Conforming)) {
      return decision;
    }
    return waitMicros <= rule().patienceMicros()
        ? new Decision.Waiting(decision.remaining(), waitMicros, resetMicros)
        : new Decision.NonConforming(decision.remaining(), waitMicros, resetMicros);
  }

  /** Arrival of a new event of cost 1 at the instant of the query, which is no duplicate. */
  Arrival arrival() {
    return new Arrival(Identity.NONE, 1, nowMs * 1_000);
  }

  Limit limit() {
    return treatedLimit.limit();
  }

  /** Rule with the quota that is in force at the instant of the query. */
  Rule rule() {
    return bucket.rule().at(nowMs * 1_000);
  }

  /** Names and values of the key's fields, in order. */
  Map<String, String> key() {
    Map<String, String> key = new LinkedHashMap<>();
    for (Field field : limit().key().fields()) key.put(field.toString(), field.of(event));
    return key;
  }
}
