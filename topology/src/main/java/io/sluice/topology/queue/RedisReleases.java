package io.sluice.topology.queue;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.QueueOwner;
import io.sluice.limiter.redis.QueueTakenOverException;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ReleaseAnswer;
import io.sluice.limiter.redis.Releases;
import io.sluice.limiter.redis.Releases.Waits;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.queue.HeadMeter.Head;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Questions of one task's queue to Redis. Redis remembers which events it has let go until their
 * release is committed, so that an event that is asked again after a crash is not charged again.
 */
final class RedisReleases {
  /*
   * Streams tells no processor that it has committed. It commits when the interval has passed, but
   * not during a rebalance, so what happened much longer ago is taken for committed. If it is not,
   * because a rebalance took longer and then an instance died, an event is charged twice, and leaves
   * once.
   *
   * If a call fails, Redis may have let its heads go. They must be asked again, and are recognised
   * only as long as no call says that their numbers are committed.
   */
  private static final long MARGIN_MS = 15_000;

  /** How long the numbers of a call that failed are kept at most, since its heads may have left. */
  private static final long MOST_UNANSWERED_MS = 600_000;

  private final MeteringServices services;
  private final Supplier<String> queue;
  private final long commitIntervalMs;
  private final ArrayDeque<Mark> uncommitted = new ArrayDeque<>();
  private Optional<QueueOwner> owner = Optional.empty();
  private long committed;
  private long nextNumber = 1;
  private long lastTickMs;

  /** Identities of the heads of calls that were not answered, since the first of these calls. */
  private final Set<Long> unanswered = new HashSet<>();

  private long unansweredNumber;
  private long unansweredSinceMs;

  /** Last number that was used at an instant. */
  private record Mark(long atMs, long number) {}

  /**
   * @param queue returns the name of the task's queue, unique among the users of the same Redis
   *     keys
   */
  RedisReleases(MeteringServices services, Supplier<String> queue, ProcessorContext<?, ?> context) {
    this.services = services;
    this.queue = queue;
    Object given = context.appConfigs().get(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG);
    long byDefault = services.config().isExactlyOnce() ? 100 : 30_000;
    commitIntervalMs = given == null ? byDefault : Long.parseLong(given.toString());
  }

  /** Notes a punctuation of the task. */
  void tick(long nowMs) {
    if (nowMs - unansweredSinceMs > MOST_UNANSWERED_MS) unanswered.clear();
    long committedMs = lastTickMs - commitIntervalMs - MARGIN_MS;
    long most = unanswered.isEmpty() ? Long.MAX_VALUE : unansweredNumber - 1;
    while (!uncommitted.isEmpty()
        && uncommitted.peek().atMs() < committedMs
        && uncommitted.peek().number() <= most) {
      committed = uncommitted.poll().number();
    }
    lastTickMs = nowMs;
  }

  /**
   * Returns the question whether an event may leave.
   *
   * @param release arrival of the event, as a release
   * @param standing interim result of the event's limits on the state store
   */
  Releases.Head head(Head head, Arrival release, Standing standing) {
    Request request = new Request(release, head.remote(), standing, Position.NONE);
    Field home = services.limits().known().ever().home();
    List<Waits> waits = head.matching().remote().stream().map(limit -> waits(limit, home)).toList();
    return new Releases.Head(request, head.level(), head.sinceMs() * 1_000, waits);
  }

  private static Waits waits(Limit limit, Field home) {
    if (!limit.queues()) return Waits.NONE;
    return limit.key().fields().contains(home) ? Waits.OWN : Waits.SHARED;
  }

  /** Returns whether the queues of several partitions wait for a limit. */
  boolean isShared(Limit limit) {
    Field home = services.limits().known().ever().home();
    return limit.backend() == Limit.Backend.REDIS && waits(limit, home) == Waits.SHARED;
  }

  /**
   * Asks Redis whether the heads of lines may leave, in order.
   *
   * @throws LimiterUnavailableException if Redis does not answer; the heads can be asked again
   * @throws TaskMigratedException if the task has another owner by now
   */
  List<ReleaseAnswer> ask(List<Releases.Head> heads, long nowMs) {
    try {
      if (owner.isEmpty())
        owner = Optional.of(services.breaker().takeOver(queue.get(), nowMs * 1_000));
      Releases questions = new Releases(owner.get(), committed, nextNumber, heads);
      nextNumber += heads.size();
      uncommitted.add(new Mark(nowMs, nextNumber - 1));
      noteUnanswered(questions, nowMs);
      List<ReleaseAnswer> answers = services.breaker().release(questions);
      for (Releases.Head head : heads) unanswered.remove(identity(head));
      return answers;
    } catch (QueueTakenOverException e) {
      throw new TaskMigratedException(e.getMessage(), e);
    }
  }

  private void noteUnanswered(Releases questions, long nowMs) {
    if (unanswered.isEmpty()) {
      unansweredNumber = questions.firstNumber();
      unansweredSinceMs = nowMs;
    }
    for (Releases.Head head : questions.heads()) unanswered.add(identity(head));
  }

  private static long identity(Releases.Head head) {
    return head.request().arrival().identity().event();
  }
}
