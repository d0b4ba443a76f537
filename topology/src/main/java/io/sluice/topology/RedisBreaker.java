package io.sluice.topology;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to Redis: once a call has failed or timed out, nobody else is made to wait for the same,
 * until Redis is found to be back in the background. Events that must wait for it are asked about
 * there, and processing goes on when all of them are answered. Safe for many threads.
 */
final class RedisBreaker implements AutoCloseable {
  /*
   * A circuit breaker (M. Nygard, "Release It!", 2007). Its half-open state is a probe, and then the
   * questions of those who wait, asked by the background thread: so processing never meets an event
   * that has to wait, where it could only be waited with until the transaction is aborted. A timeout
   * says nothing about whether the script ran; asking again is safe, because Redis recognises the
   * records, or charges them once too often. They are asked about in the order in which they came, before any that come later.
   *
   * Redis that comes back only to go again, such as one that answers the probe but is too slow for
   * the questions, is tried less and less often.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RedisBreaker.class);
  private static final long FIRST_RETRY_MS = 100;
  private static final long LAST_RETRY_MS = 2_000;
  private static final long STEADY_AFTER_MS = 2_000;
  private static final int MOST_AT_ONCE = 1_000;

  private final Supplier<RedisMeter> redis;
  private final RedisMetrics metrics;
  private final ScheduledThreadPoolExecutor background =
      new ScheduledThreadPoolExecutor(1, RedisBreaker::thread);

  private volatile boolean gone;
  private volatile CountDownLatch back = new CountDownLatch(0);

  // Guarded by this:
  private final Deque<Question> waiting = new ArrayDeque<>();
  private Consumption consumption = Consumption.UNSTOPPABLE;
  private boolean holding;
  private long retryMs = FIRST_RETRY_MS;
  private long timesBack;

  RedisBreaker(Supplier<RedisMeter> redis, RedisMetrics metrics) {
    this.redis = redis;
    this.metrics = metrics;
    background.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // closed
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-redis");
    thread.setDaemon(true);
    return thread;
  }

  /** What is to be paused when events must wait for Redis. */
  synchronized void governs(Consumption stopped) {
    consumption = stopped;
  }

  boolean isGone() {
    return gone;
  }

  /** How many events wait for Redis. */
  synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Asks about one event, now.
   *
   * @throws LimiterUnavailableException at once if Redis is known to be gone, else after the
   *     timeout
   */
  void ask(Question question) {
    if (gone) throw new LimiterUnavailableException("Redis is gone", new IllegalStateException());
    try {
      answer(List.of(question).iterator(), new ArrayList<>());
    } catch (LimiterUnavailableException e) {
      goneBecause(e);
      throw e;
    }
  }

  private void answer(Iterator<Question> questions, List<Question> asked) {
    if (!questions.hasNext()) return;
    Iterator<Request> requests =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return questions.hasNext();
          }

          @Override
          public Request next() {
            Question question = questions.next();
            asked.add(question);
            return question.request();
          }
        };
    MeteringTimes.Stopwatch stopwatch = metrics.asks();
    try {
      int roundTrips =
          redis.get().meter(requests, (index, outcome) -> asked.get(index).answered(outcome));
      metrics.asked(asked.size(), roundTrips);
    } finally {
      stopwatch.stop();
    }
  }

  /**
   * Asks about events that are not processed yet, in order. If Redis does not answer, processing
   * stops until those that must wait are answered; the others stay as they are.
   */
  void askAhead(Iterator<Question> questions) {
    List<Question> asked = new ArrayList<>();
    try {
      if (!gone) answer(questions, asked);
    } catch (LimiterUnavailableException e) {
      goneBecause(e);
    }
    questions.forEachRemaining(asked::add);
    holdBack(asked);
  }

  private void holdBack(List<Question> asked) {
    List<Question> mustWait = new ArrayList<>();
    for (Question question : asked) {
      if (!question.isAnswered() && question.mustWait()) mustWait.add(question);
    }
    if (!mustWait.isEmpty()) holdBackFor(mustWait);
  }

  private synchronized void holdBackFor(List<Question> mustWait) {
    waiting.addAll(mustWait);
    for (int i = 0; i < mustWait.size(); i++) metrics.fellBack(RedisUnavailable.WAIT);
    metrics.waiting(waiting.size());
    if (!gone) becomeGone("it answered, but left questions unanswered", 0);
    holdBack();
  }

  /** Stops processing until Redis is back: events are at hand that cannot do without it. */
  synchronized void holdBack() {
    if (!gone || holding) return;
    holding = true;
    consumption.pause();
    LOG.warn("events wait for Redis: processing is paused");
  }

  /** Waits at most this long for Redis to be back. */
  void awaitBack(long mostMs) throws InterruptedException {
    back.await(mostMs, TimeUnit.MILLISECONDS);
  }

  /** Those who wait on a partition that is somebody else's now are not asked about any more. */
  synchronized void forget(int partition) {
    if (waiting.isEmpty()) return;
    waiting.removeIf(question -> question.partition() == partition);
    metrics.waiting(waiting.size());
  }

  private synchronized void goneBecause(LimiterUnavailableException failure) {
    if (gone) return;
    becomeGone(failure.getMessage(), retryMs);
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
  }

  private void becomeGone(String why, long firstRetryMs) {
    gone = true;
    back = new CountDownLatch(1);
    metrics.isAvailable(false);
    LOG.warn("Redis is gone: {}", why);
    afterMs(firstRetryMs, this::retry);
  }

  private void afterMs(long delayMs, Runnable task) {
    var unused = background.schedule(task, delayMs, TimeUnit.MILLISECONDS);
  }

  private void retry() {
    try {
      redis.get().probe();
      List<Question> next = nextWaiting();
      while (!next.isEmpty() || !isBack()) {
        answer(next.iterator(), new ArrayList<>());
        next = nextWaiting();
      }
    } catch (LimiterUnavailableException e) {
      afterMs(FIRST_RETRY_MS, this::retry);
    } catch (RuntimeException e) {
      LOG.error("the check whether Redis is back failed", e);
      afterMs(LAST_RETRY_MS, this::retry);
    }
  }

  private synchronized List<Question> nextWaiting() {
    waiting.removeIf(Question::isAnswered);
    metrics.waiting(waiting.size());
    return waiting.stream().limit(MOST_AT_ONCE).toList();
  }

  /** Goes on if nobody waits any more. */
  private synchronized boolean isBack() {
    if (!waiting.isEmpty()) return false;
    gone = false;
    metrics.isAvailable(true);
    LOG.warn("Redis is back{}", holding ? ": processing goes on" : "");
    if (holding) consumption.resume();
    holding = false;
    long times = ++timesBack;
    afterMs(STEADY_AFTER_MS, () -> steadySince(times));
    back.countDown();
    return true;
  }

  private synchronized void steadySince(long times) {
    if (!gone && times == timesBack) retryMs = FIRST_RETRY_MS;
  }

  @Override
  public void close() {
    background.shutdownNow();
  }
}
