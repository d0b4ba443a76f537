package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.metrics.StartException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to Redis: once a call has failed or timed out, nobody else is made to wait for the same,
 * until Redis is found to be back in the background. Events that must wait for it are asked about
 * there, and processing goes on when all of them are answered. Safe for many threads.
 */
public final class RedisBreaker implements AutoCloseable {
  /*
   * The half-open state of its circuit is a probe, and then the questions of those who wait, asked by
   * the background thread: so processing never meets an event that has to wait, where it could only be
   * waited with until the transaction is aborted. A timeout says nothing about whether the script ran;
   * asking again is safe, because Redis recognises the records, or charges them once too often. They
   * are asked about in the order in which they came, before any that come later.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RedisBreaker.class);
  private static final long STEADY_AFTER_MS = 2_000;

  private final JournalNames names;
  private final RedisCaller caller;
  private final BlockingCall patience;
  private final Later background;
  private final Runnable disconnect;

  // Guarded by this, but for whether it is open:
  private final Circuit circuit;
  private final WaitingLine waiting;
  private Runnable pause = () -> {};
  private Runnable resume = () -> {};
  private boolean holding;

  /** The way of an instance, to where its configuration says. */
  public static RedisBreaker of(SluiceConfig config, RedisMetrics metrics) {
    SharedRedisMeter meter = new SharedRedisMeter(config, metrics);
    return new RedisBreaker(
        config.applicationId(), meter, metrics, Later.onAThread("sluice-redis"), meter::close);
  }

  /** The way to a meter of the caller's, which is asked for when the first event needs it. */
  public static RedisBreaker of(
      String applicationId, Supplier<RedisMeter> meter, RedisMetrics metrics) {
    return new RedisBreaker(
        applicationId,
        () -> RedisCalls.of(meter.get()),
        metrics,
        Later.onAThread("sluice-redis"),
        () -> {});
  }

  /** A meter apart from all this, for questions that wait for nobody and keep nobody waiting. */
  public static RedisMeter meterForQuestions(SluiceConfig config) {
    return new RedisMeter(SharedRedisMeter.settingsForQuestions(config));
  }

  /**
   * Asks Redis, if a limit is there, whether it would meter.
   *
   * @return what is worth a warning, one line each
   * @throws StartException if Redis will never do
   */
  public static List<String> warnings(SluiceConfig config) {
    return RedisCheck.warnings(config);
  }

  /**
   * @param applicationId by which Redis tells this application's partitions from those of others
   * @param background runs what is tried again
   * @param disconnect is run at the end
   */
  RedisBreaker(
      String applicationId,
      Supplier<RedisCalls> redis,
      RedisMetrics metrics,
      Later background,
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
   * Gives it the processing of events, to be paused while some must wait for Redis. Polling and
   * membership in the group are to go on meanwhile.
   */
  public synchronized void governs(Runnable pause, Runnable resume) {
    this.pause = pause;
    this.resume = resume;
  }

  /** By what Redis knows a record again that it is asked about when a poll brings it. */
  public Position ahead(TopicPartition partition, long offset) {
    return names.ahead(partition, offset);
  }

  /** The same of a record that it is asked about when it is its turn. */
  public Position atItsTurn(RecordMetadata record) {
    return names.atItsTurn(record);
  }

  /**
   * The position that a header names, if it may be of an event that the task of this partition has
   * asked about; else none. Other programs may write such headers.
   */
  public Position askedBefore(Position claimed, int partition) {
    return names.isOwn(claimed.sequence(), partition) ? claimed : Position.NONE;
  }

  public boolean isGone() {
    return circuit.isOpen();
  }

  /** How many questions wait for Redis here. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Asks about one event, now.
   *
   * @throws LimiterUnavailableException at once if Redis is known to be gone, else after the
   *     timeout
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event
   */
  void ask(PendingVerdict question) {
    if (isGone()) {
      throw new LimiterUnavailableException("Redis is gone", new IllegalStateException());
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
   * Has a question answered from within processing.
   *
   * @throws LimiterUnavailableException if Redis is gone. If the question must wait for it,
   *     processing is paused until Redis is back, and the event is to be metered then
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event, also when
   *     asked again
   */
  public void answer(PendingVerdict question) {
    patience.answer(question);
  }

  /** The way of a question, found without asking anybody. */
  public Route routeOf(PendingVerdict question) {
    return caller.routeOf(question);
  }

  /**
   * Asks about events that are not processed yet, in order. If Redis does not answer, processing
   * stops until those that must wait are answered; the others stay as they are.
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
    if (!isGone()) open("it answered, but left questions unanswered", 0);
    holdBack();
  }

  /**
   * Stops processing until Redis is back: events are at hand that cannot do without it.
   *
   * @return whether it did not stop before
   */
  public synchronized boolean holdBack() {
    if (!isGone() || holding) return false;
    holding = true;
    pause.run();
    LOG.warn("events wait for Redis: processing is paused");
    return true;
  }

  /**
   * Counts an event of a partition that is metered when Redis is back, and of which nothing is kept
   * here.
   */
  public synchronized void setAside(int partition) {
    waiting.setAside(partition);
  }

  /** Waits at most this long for Redis to be back. */
  void awaitBack(long mostMs) throws InterruptedException {
    circuit.awaitClosed(mostMs);
  }

  /** Those who wait on a partition that is somebody else's now are not asked about any more. */
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

  /** Goes on if nobody waits any more. */
  private synchronized boolean isBack() {
    if (waiting.size() > 0) return false;
    long times = circuit.close();
    LOG.warn("Redis is back{}", holding ? ": processing goes on" : "");
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
