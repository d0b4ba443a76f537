package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.CircuitBreaker;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.QueueOwner;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.limiter.redis.ReleaseAnswer;
import io.sluice.limiter.redis.Releases;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.redis.RedisCaller.RedisCalls;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to Redis behind a circuit breaker. After a call has failed or timed out, no further call
 * is made until a background task finds Redis available again. A background task also asks about
 * the events that must wait for Redis, and processing goes on when Redis has answered about all of
 * them. Safe for many threads.
 */
public final class RedisBreaker implements AutoCloseable {
  /*
   * While the circuit is open, the background thread sends probes. When Redis answers a probe, the
   * thread asks the waiting questions, and then closes the circuit. So when processing goes on, it
   * meets no event that still has to wait: on such an event it would block until the exactly-once
   * transaction is aborted. After a timeout it is unknown whether the script ran in Redis. Asking
   * again is safe, because Redis recognises the record, or at worst charges it once too often. The
   * waiting questions are asked in the order in which their events came, before later events.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RedisBreaker.class);
  private static final long STEADY_AFTER_MS = 2_000;

  private final JournalNames names;
  private final RedisCaller caller;
  private final BlockingCall patience;
  private final SerialScheduler background;
  private final Runnable disconnect;
  private final RedisMetrics metrics;

  // The lock of this object guards the fields below, except the open flag of the circuit.
  private final CircuitBreaker circuit = new CircuitBreaker();
  private final WaitingLine waiting;
  private Runnable pause = () -> {};
  private Runnable resume = () -> {};
  private boolean holding;

  /** Creates the access to the Redis that is configured for this instance. */
  public static RedisBreaker of(SluiceConfig config, RedisMetrics metrics) {
    SharedRedisMeter meter = new SharedRedisMeter(config, metrics);
    return new RedisBreaker(
        config.applicationId(),
        meter,
        metrics,
        SerialScheduler.onAThread("sluice-redis"),
        meter::close);
  }

  /**
   * Creates an access to Redis through the supplied meter. The supplier is called when the first
   * event needs Redis.
   */
  public static RedisBreaker of(
      String applicationId, Supplier<RedisMeter> meter, RedisMetrics metrics) {
    return new RedisBreaker(
        applicationId,
        () -> RedisCalls.of(meter.get()),
        metrics,
        SerialScheduler.onAThread("sluice-redis"),
        () -> {});
  }

  /**
   * Creates a meter with connections of its own for read-only queries, so that queries neither wait
   * for the metering of events nor delay it.
   */
  public static RedisMeter meterForQuestions(SluiceConfig config) {
    return new RedisMeter(SharedRedisMeter.settingsForQuestions(config));
  }

  /**
   * Checks whether Redis can be used for metering, if any limit is in Redis.
   *
   * @return warnings, one line each
   * @throws StartException if Redis can never be used as configured
   */
  public static List<String> warnings(SluiceConfig config) {
    return RedisCheck.warnings(config);
  }

  /**
   * @param applicationId distinguishes this application's partitions in Redis from those of others
   * @param background runs the attempts to reach Redis again
   * @param disconnect called when this access is closed
   */
  RedisBreaker(
      String applicationId,
      Supplier<RedisCalls> redis,
      RedisMetrics metrics,
      SerialScheduler background,
      Runnable disconnect) {
    names = new JournalNames(applicationId);
    this.disconnect = disconnect;
    caller = new RedisCaller(redis, metrics);
    patience = new BlockingCall(this, metrics);
    this.metrics = metrics;
    waiting = new WaitingLine(metrics);
    this.background = background;
  }

  /**
   * Sets the actions that pause and resume the processing of events when events must wait for
   * Redis. While processing is paused, polling and the membership in the consumer group must go on.
   */
  public synchronized void governs(Runnable pause, Runnable resume) {
    this.pause = pause;
    this.resume = resume;
  }

  /**
   * Returns the sequence name and offset by which Redis recognises a record that it is asked about
   * as soon as a poll returns the record.
   */
  public Position ahead(TopicPartition partition, long offset) {
    return names.ahead(partition, offset);
  }

  /**
   * Returns the sequence name and offset by which Redis recognises a record that it is asked about
   * only when the record is processed.
   */
  public Position atItsTurn(RecordMetadata record) {
    return names.atItsTurn(record);
  }

  /**
   * Returns the position that a record's header claims, if its sequence is one of this application
   * for the given partition number; else {@link Position#NONE}, since other programs may write such
   * headers.
   */
  public Position askedBefore(Position claimed, int partition) {
    return names.isOwn(claimed.sequence(), partition) ? claimed : Position.NONE;
  }

  public boolean isGone() {
    return circuit.isOpen();
  }

  /** Returns the number of events in memory that wait until Redis is available. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Asks Redis about one event, without a second attempt.
   *
   * @throws LimiterUnavailableException at once if the circuit is open, else if the call fails or
   *     times out
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event
   */
  void ask(PendingVerdict question) {
    unlessGone(
        () -> {
          caller.answer(question);
          return question;
        });
  }

  /**
   * Asks Redis whether the heads of a queue's lines may leave, without a second attempt. Processing
   * is not paused if Redis does not answer, since these events wait in a store.
   *
   * @throws LimiterUnavailableException at once if the circuit is open, else if the call fails
   */
  public List<ReleaseAnswer> release(Releases questions) {
    return unlessGone(() -> caller.release(questions));
  }

  /**
   * Makes the caller the owner of a queue, so that no earlier owner can release anything.
   *
   * @throws LimiterUnavailableException at once if the circuit is open, else if the call fails
   */
  public QueueOwner takeOver(String queue, long nowMicros) {
    return unlessGone(() -> caller.takeOver(queue, nowMicros));
  }

  private <T> T unlessGone(Supplier<T> call) {
    if (isGone()) {
      throw new LimiterUnavailableException("Redis is unavailable", new IllegalStateException());
    }
    try {
      return call.get();
    } catch (UnreadableKeyException e) {
      // An unusable key concerns only this event: Redis answers, so the circuit stays closed.
      throw e;
    } catch (LimiterUnavailableException e) {
      goneBecause(e);
      throw e;
    }
  }

  /**
   * Asks Redis about an event that is being processed, and waits for the answer.
   *
   * @throws LimiterUnavailableException if Redis is unavailable. If the event may not pass without
   *     an answer, processing is paused until Redis is back, and the caller must store the event
   *     and meter it then
   * @throws UnreadableKeyException if Redis answers but cannot use a key of the event, and repeated
   *     calls, if any, did not help
   */
  public void answer(PendingVerdict question) {
    patience.answer(question);
  }

  /** Returns the hash slot and the Redis server of a question, without a call to Redis. */
  public Route routeOf(PendingVerdict question) {
    return caller.routeOf(question);
  }

  /**
   * Asks Redis about events that are not processed yet, in order. If Redis does not answer,
   * processing is paused until Redis has answered about the events that may not pass without an
   * answer; the questions about other events stay unanswered.
   */
  public void askAhead(Iterator<PendingVerdict> questions) {
    List<PendingVerdict> asked = new ArrayList<>();
    try {
      if (!isGone()) caller.answer(questions, asked);
    } catch (LimiterUnavailableException e) {
      goneBecause(e);
    }
    questions.forEachRemaining(asked::add);
    List<PendingVerdict> mustWait = new ArrayList<>();
    for (PendingVerdict question : asked) {
      if (question.isStuck()) mustWait.add(question);
    }
    if (!mustWait.isEmpty()) holdBackFor(mustWait);
  }

  private synchronized void holdBackFor(List<PendingVerdict> mustWait) {
    waiting.add(mustWait);
    if (!isGone()) open("it answered, but not every request", 0);
    holdBack();
  }

  /**
   * Pauses the processing of events until Redis is back, because events have come that may not pass
   * without an answer. Does nothing if Redis is available or processing is already paused.
   *
   * @return whether this call has paused processing
   */
  public synchronized boolean holdBack() {
    if (!isGone() || holding) return false;
    holding = true;
    pause.run();
    LOG.warn("events wait for Redis: processing is paused");
    return true;
  }

  /**
   * Counts an event of a partition that waits in a state store, and not in memory, until Redis is
   * back. Does nothing if Redis is available: the event then leaves the store at once.
   */
  public synchronized void setAside(int partition) {
    if (isGone()) waiting.setAside(partition);
  }

  /** Waits until Redis is back, for at most the given milliseconds. */
  void awaitBack(long mostMs) throws InterruptedException {
    circuit.awaitClosed(mostMs);
  }

  /**
   * Drops all waiting questions to Redis about events of a partition whose task is closed, and what
   * is known of its earlier questions.
   */
  public synchronized void forget(int partition) {
    names.forget(partition);
    waiting.forget(partition);
  }

  private synchronized void goneBecause(LimiterUnavailableException failure) {
    if (!isGone()) open(failure.getMessage(), circuit.nextRetryMs());
  }

  private void open(String why, long firstRetryMs) {
    if (!circuit.open()) return;
    metrics.isAvailable(false);
    LOG.warn("Redis is unavailable: {}", why);
    background.afterMs(firstRetryMs, this::retry);
  }

  private void retry() {
    try {
      caller.probe();
      List<PendingVerdict> next = nextWaiting();
      while (!next.isEmpty() || !isBack()) {
        caller.answer(next);
        next = nextWaiting();
      }
    } catch (LimiterUnavailableException e) {
      background.afterMs(CircuitBreaker.FIRST_RETRY_MS, this::retry);
    } catch (RuntimeException e) {
      LOG.error("the check whether Redis is back failed", e);
      background.afterMs(CircuitBreaker.LAST_RETRY_MS, this::retry);
    }
  }

  private synchronized List<PendingVerdict> nextWaiting() {
    return waiting.next();
  }

  /**
   * Closes the circuit and resumes processing, unless a question still waits.
   *
   * @return whether the circuit is closed
   */
  private synchronized boolean isBack() {
    if (waiting.size() > 0) return false;
    metrics.isAvailable(true);
    long times = circuit.close();
    LOG.warn("Redis is available again{}", holding ? ": processing continues" : "");
    if (holding) resume.run();
    holding = false;
    waiting.takeUp();
    background.afterMs(STEADY_AFTER_MS, () -> circuit.steadySince(times));
    return true;
  }

  @Override
  public void close() {
    background.close();
    disconnect.run();
  }
}
