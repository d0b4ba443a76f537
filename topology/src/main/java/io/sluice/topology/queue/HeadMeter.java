package io.sluice.topology.queue;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.ReleaseAnswer;
import io.sluice.limiter.redis.Releases;
import io.sluice.limiter.redis.Releases.Waits;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Meters events that may have to wait in line: on the state store one after another, and with Redis
 * several heads of lines in one call.
 */
final class HeadMeter {
  private static final long RENEWED_MS = 4_000;

  private final QueueMeter meter;
  private final RedisReleases redis;

  HeadMeter(QueueMeter meter, RedisReleases redis) {
    this.meter = meter;
    this.redis = redis;
  }

  /**
   * Event to be metered.
   *
   * @param level class in which the event competes
   * @param sinceMs instant since which the event waits, epoch milliseconds
   */
  record Head(EventRecord event, Matching matching, Arrival arrival, int level, long sinceMs) {
    boolean asksRedis() {
      return !matching.remote().isEmpty();
    }

    /** Returns this event without the limits in Redis that are in shadow mode, if it has others. */
    private Head withoutShadows() {
      List<Limit> enforced =
          matching.remote().stream().filter(limit -> !limit.rule().shadow()).toList();
      boolean none = enforced.isEmpty() && matching.stored().isEmpty();
      return none
          ? this
          : new Head(event, Matching.of(matching.stored(), enforced), arrival, level, sinceMs);
    }

    private List<Bucket> stored() {
      return Limit.buckets(matching.stored(), event.event());
    }

    List<Bucket> remote() {
      return Limit.buckets(matching.remote(), event.event());
    }
  }

  /** Answer to the question whether an event may leave. */
  sealed interface Answer {
    /** The event was metered. */
    record Decided(Metered metered) implements Answer {}

    /**
     * The event was not metered, because another one is before it at these buckets.
     *
     * @param untilMicros instant from which it may be asked again, epoch microseconds
     */
    record Behind(List<Refusal> refusals, long untilMicros) implements Answer {}

    /** The event was not metered, because a key of it cannot be used. */
    record Unusable(UnreadableKeyException why) implements Answer {}
  }

  /** Outcome of metering, with the limits and buckets that it is about, in the same order. */
  record Metered(List<Limit> limits, List<Bucket> buckets, Outcome outcome) {
    Verdict verdict(Duplicates duplicates) {
      return Verdict.of(outcome, limits, buckets, duplicates);
    }

    private List<Refusal> refusals(RedisReleases redis, long nowMs) {
      List<Refusal> refusals = new ArrayList<>();
      for (int i = 0; i < limits.size(); i++) {
        Judgement judged = outcome.judgements().get(i);
        if (limits.get(i).queues() && judged.decision() instanceof Decision.NonConforming refused) {
          long opensMicros = judged.nowMicros() + refused.retryAfterMicros();
          boolean isShared = redis.isShared(limits.get(i));
          refusals.add(
              new Refusal(
                  Place.bucket(buckets.get(i)),
                  isShared ? renewed(opensMicros, nowMs) : opensMicros));
        }
      }
      return refusals;
    }

    /**
     * Returns the instant at which an admitted event leaves, epoch milliseconds: now or, if another
     * instance has moved the clock of a bucket on while the event was asked about, that clock,
     * since the bucket is charged then.
     */
    long leavesAtMs(long nowMs) {
      long latestMicros = nowMs * 1_000;
      for (int i = 0; i < limits.size(); i++) {
        if (limits.get(i).queues())
          latestMicros = Math.max(latestMicros, outcome.judgements().get(i).nowMicros());
      }
      return (latestMicros + 999) / 1_000;
    }

    /**
     * Returns the outcome of a release whose slot has passed as that of an event without a wait.
     */
    private Metered withoutPastSlot(Arrival arrival) {
      // A duplicate has the slot of its first record.
      long latestMicros = Math.max(arrival.nowMicros(), arrival.latestMicros());
      boolean isPast = outcome.waits() && outcome.slotMicros() <= latestMicros;
      return isPast
          ? new Metered(limits, buckets, new Outcome(outcome.kind(), 0, outcome.judgements()))
          : this;
    }
  }

  /**
   * Returns the instant at which a head that waits for other partitions, or that they wait for, is
   * asked again at the latest: Redis takes it for gone if it does not ask for long.
   */
  private static long renewed(long opensMicros, long nowMs) {
    return Math.min(opensMicros, (nowMs + RENEWED_MS) * 1_000);
  }

  /**
   * Meters a new event.
   *
   * @throws LimiterUnavailableException if Redis does not answer
   */
  Answer first(Head head, long nowMs) {
    // A release leaves no trace if it is refused, and the first try of an event may have to.
    boolean isPlain =
        head.matching().all().stream()
            .noneMatch(limit -> limit.rule().countsAttempts() || limit.rule().blocks());
    return head.asksRedis() && isPlain ? again(List.of(head), nowMs).get(0) : alone(head);
  }

  private Answer alone(Head head) {
    Outcome outcome = meter.meter(head.event(), head.matching(), head.arrival());
    // Limits in shadow mode are left out if Redis cannot use their keys.
    boolean isWhole = outcome.judgements().size() == head.matching().all().size();
    Head of = isWhole ? head : head.withoutShadows();
    List<Bucket> buckets = new ArrayList<>(of.stored());
    if (of.asksRedis()) buckets.addAll(of.remote());
    Metered metered = new Metered(of.matching().all(), buckets, outcome);
    return new Answer.Decided(metered.withoutPastSlot(head.arrival()));
  }

  /**
   * Returns how many of these heads can be metered in one call to Redis: those with different
   * buckets on the state store, which is asked before.
   */
  static int together(List<Head> heads) {
    Set<Long> buckets = new HashSet<>();
    for (int i = 0; i < heads.size(); i++) {
      if (!heads.get(i).asksRedis()) return Math.max(1, i);
      for (Bucket bucket : heads.get(i).stored()) {
        if (!buckets.add(Place.bucket(bucket))) return i;
      }
    }
    return heads.size();
  }

  /** Returns the buckets of limits with a queue that refused an event for now. */
  List<Refusal> refusals(Metered metered, long nowMs) {
    return metered.refusals(redis, nowMs);
  }

  /**
   * Meters heads of lines, in order. Several only if they are {@link #together}.
   *
   * @throws LimiterUnavailableException if Redis does not answer; then all can be metered again
   */
  List<Answer> again(List<Head> heads, long nowMs) {
    if (!heads.get(0).asksRedis()) return List.of(alone(heads.get(0)));
    List<Metering> probes = new ArrayList<>();
    List<Releases.Head> questions = new ArrayList<>();
    for (Head head : heads) {
      Arrival release = released(head.arrival());
      Metering probe = meter.probe(release, head.stored());
      probes.add(probe);
      questions.add(redis.head(head, release, probe.standing()));
    }
    List<ReleaseAnswer> answers = redis.ask(questions, nowMs);
    List<Answer> all = new ArrayList<>();
    for (int i = 0; i < heads.size(); i++) {
      Answer answer = answer(heads.get(i), probes.get(i), questions.get(i), answers.get(i));
      if (answer instanceof Answer.Behind behind) answer = renewed(behind, nowMs);
      all.add(
          answer instanceof Answer.Unusable ? withoutShadows(heads.get(i), answer, nowMs) : answer);
    }
    return all;
  }

  private static Answer renewed(Answer.Behind behind, long nowMs) {
    long untilMicros = renewed(behind.untilMicros(), nowMs);
    return new Answer.Behind(
        behind.refusals().stream().map(each -> new Refusal(each.bucket(), untilMicros)).toList(),
        untilMicros);
  }

  /**
   * Meters an event again without its limits in shadow mode, since unusable keys of such limits
   * must not decide about it. Returns the given answer if there are none.
   */
  private Answer withoutShadows(Head head, Answer unusable, long nowMs) {
    Head less = head.withoutShadows();
    boolean same = less.matching().remote().size() == head.matching().remote().size();
    return same ? unusable : again(List.of(less), nowMs).get(0);
  }

  /** Returns the question of a new event as a release at the instant of its arrival. */
  private static Arrival released(Arrival arrival) {
    long nowMicros = arrival.nowMicros();
    return arrival.isRelease()
        ? arrival
        : Arrival.release(arrival.identity(), arrival.cost(), nowMicros, nowMicros);
  }

  private Answer answer(Head head, Metering probe, Releases.Head question, ReleaseAnswer answer) {
    if (answer instanceof ReleaseAnswer.Unusable unusable)
      return new Answer.Unusable(unusable.why());
    if (answer instanceof ReleaseAnswer.Behind behind) {
      return new Answer.Behind(
          behind.buckets().stream()
              .map(bucket -> new Refusal(Place.bucket(bucket), behind.untilMicros()))
              .toList(),
          behind.untilMicros());
    }
    Outcome there = ((ReleaseAnswer.Decided) answer).outcome();
    List<Bucket> buckets = new ArrayList<>(head.stored());
    buckets.addAll(question.request().buckets());
    Outcome here = atTheClockOf(there, head, probe, question).follow(there);
    Metered metered = new Metered(head.matching().all(), buckets, here.and(there));
    return new Answer.Decided(metered.withoutPastSlot(question.request().arrival()));
  }

  /**
   * Judges an admitted event again on the state store if other instances have moved the clock of a
   * bucket in Redis on while Redis was asked: the event leaves at that clock, so both are charged
   * then. What conforms at an instant conforms later, too.
   */
  private Metering atTheClockOf(Outcome there, Head head, Metering probe, Releases.Head question) {
    Arrival asked = question.request().arrival();
    long clockMicros = 0;
    for (int i = 0; i < question.waits().size(); i++) {
      if (question.waits().get(i) != Waits.NONE)
        clockMicros = Math.max(clockMicros, there.judgements().get(i).nowMicros());
    }
    boolean isLater = there.admitted() && clockMicros > asked.latestMicros();
    if (!isLater || head.stored().isEmpty()) return probe;
    Arrival later = Arrival.release(asked.identity(), asked.cost(), clockMicros, clockMicros);
    return meter.probe(later, head.stored());
  }
}
