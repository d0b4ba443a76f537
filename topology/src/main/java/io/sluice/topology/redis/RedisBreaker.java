package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to Redis behind a circuit breaker. After a call has failed or timed out, no other caller
 * waits for Redis until a background task finds it back. Events that must wait for Redis are asked
 * about in the background, and processing goes on when all of them are answered. Safe for many
 * threads.
 */
public final class RedisBreaker implements AutoCloseable {
  /*
   * In the half-open state of the circuit the background thread sends a probe, and then the
   * questions that wait. So processing never meets an event that has to wait, with which it could
   * only block until the transaction is aborted. After a timeout it is unknown whether the script
   * ran. To ask again is safe, because Redis recognises the records, or charges them once too
   * often. Questions are asked in the order in which their events came, before any later ones.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RedisBreaker.class);
  private static final long STEADY_AFTER_MS = 2_000;

  private final JournalNames names;
  private final RedisCaller caller;
  private final BlockingCall patience;
  private final SerialScheduler background;
  private final Runnable disconnect;

  // Guarded by this, except whether the circuit is open:
  private final Circuit circuit;
  private final WaitingLine waiting;
  private Runnable pause = () -> {};
  private Runnable resume = () -> {};
  private boolean holding;

  /** Creates the access of an instance to the Redis in its configuration. */
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
   * Creates an access through the caller's meter, which is asked for when the first event needs it.
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
   * Creates a separate meter for read-only queries, which neither wait for metering nor delay it.
   */
  public static RedisMeter meterForQuestions(SluiceConfig config) {
    return new RedisMeter(SharedRedisMeter.settingsForQuestions(config));
  }

  /**
   * Checks whether Redis can be used for metering, if a limit is in Redis.
   *
   * @return warnings, one line each
   * @throws StartException if Redis can never be used as configured
   */
  public static List<String> warnings(SluiceConfig config) {
    return RedisCheck.warnings(config);
  }

  /**
   * @param applicationId tells this application's partitions in Redis from those of others
   * @param background runs the attempts to reach Redis again
   * @param disconnect is run at the end
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
    circuit = new Circuit(metrics);
    waiting = new WaitingLine(metrics);
    this.background = background;
  }

  /**
   * Sets the actions that pause and resume the processing of events, for when some must wait for
   * Redis. Polling and membership in the group must go on while it is paused.
   */
  public synchronized void governs(Runnable pause, Runnable resume) {
    this.pause = pause;
    this.resume = resume;
  }

  /**
   * Returns the position by which Redis recognises a record that it is asked about when a poll
   * brings it.
   */
  public Position ahead(TopicPartition partition, long offset) {
    return names.ahead(partition, offset);
  }

  /** Returns the position by which Redis recognises a record that it is asked about at its turn. */
  public Position atItsTurn(RecordMetadata record) {
    return names.atItsTurn(record);
  }

  /**
   * Returns the position that a header names, if the task of this partition may have asked by it;
   * else none. Other programs may write such headers.
   */
  public Position askedBefore(Position claimed, int partition) {
    return names.isOwn(claimed.sequence(), partition) ? claimed : Position.NONE;
  }

  public boolean isGone() {
    return circuit.isOpen();
  }

  /** Returns the number of questions that wait for Redis. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Asks about one event, now.
   *
   * @throws LimiterUnavailableException at once if Redis is known to be unavailable, else after the
   *     timeout
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event
   */
  void ask(PendingVerdict question) {
    if (isGone()) {
      throw new LimiterUnavailableException("Redis is unavailable", new IllegalStateException());
    }
    try {
      caller.answer(question);
    } catch (UnreadableKeyException e) {
      throw e; // of this event alone
    } catch (LimiterUnavailableException e) {
      goneBecause(e);
      throw e;
    }
  }

  /**
   * Gets a question answered while its event is processed.
   *
   * @throws LimiterUnavailableException if Redis is unavailable. If the question must wait for it,
   *     processing is paused until Redis is back, and the event is to be metered then
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event, also when
   *     asked again
   */
  public void answer(PendingVerdict question) {
    patience.answer(question);
  }

  /** Returns the route of a question, without a call to Redis. */
  public Route routeOf(PendingVerdict question) {
    return caller.routeOf(question);
  }

  /**
   * Asks about events that are not processed yet, in order. If Redis does not answer, processing is
   * paused until the questions that must wait are answered; the others stay unanswered.
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
   * Pauses processing until Redis is back, because events have come that need it.
   *
   * @return whether this call has paused it
   */
  public synchronized boolean holdBack() {
    if (!isGone() || holding) return false;
    holding = true;
    pause.run();
    LOG.warn("events wait for Redis: processing is paused");
    return true;
  }

  /** Counts an event of a partition that is stored elsewhere and metered when Redis is back. */
  public synchronized void setAside(int partition) {
    waiting.setAside(partition);
  }

  /** Waits until Redis is back, at most this long. */
  void awaitBack(long mostMs) throws InterruptedException {
    circuit.awaitClosed(mostMs);
  }

  /** Drops the waiting questions of a partition that the instance has given up. */
  public synchronized void forget(int partition) {
    waiting.forget(partition);
  }

  private synchronized void goneBecause(LimiterUnavailableException failure) {
    if (!isGone()) open(failure.getMessage(), circuit.nextRetryMs());
  }

  private void open(String why, long firstRetryMs) {
    circuit.open(why);
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
      background.afterMs(Circuit.FIRST_RETRY_MS, this::retry);
    } catch (RuntimeException e) {
      LOG.error("the check whether Redis is back failed", e);
      background.afterMs(Circuit.LAST_RETRY_MS, this::retry);
    }
  }

  private synchronized List<PendingVerdict> nextWaiting() {
    return waiting.next();
  }

  /** Closes the circuit and resumes processing if no question waits; returns whether it did. */
  private synchronized boolean isBack() {
    if (waiting.size() > 0) return false;
    long times = circuit.close();
    LOG.warn("Redis is available again{}", holding ? ": processing continues" : "");
    if (holding) resume.run();
    holding = false;
    waiting.takeUp();
    background.afterMs(STEADY_AFTER_MS, () -> steadySince(times));
    return true;
  }

  private synchronized void steadySince(long times) {
    circuit.steadySince(times);
  }

  @Override
  public void close() {
    background.close();
    disconnect.run();
  }
}
