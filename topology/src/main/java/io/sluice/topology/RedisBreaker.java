package io.sluice.topology;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to Redis: once a call has failed or timed out, nobody else is made to wait for the same,
 * until a ping in the background is answered again. Safe for many threads.
 */
final class RedisBreaker implements AutoCloseable {
  /*
   * A circuit breaker (M. Nygard, "Release It!", 2007) whose half-open state is the ping: no event is
   * risked to find out. A timeout says nothing about whether the script ran; asking again is safe,
   * because Redis recognises the events.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RedisBreaker.class);
  private static final long PING_EVERY_MS = 100;

  private final Supplier<RedisMeter> redis;
  private final ScheduledExecutorService pings =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-redis-ping");
            thread.setDaemon(true);
            return thread;
          });
  private Consumption consumption = Consumption.UNSTOPPABLE;
  private ScheduledFuture<?> pinging;
  private volatile boolean gone;
  private volatile CountDownLatch back = new CountDownLatch(0);
  private boolean holding;

  RedisBreaker(Supplier<RedisMeter> redis) {
    this.redis = redis;
  }

  /** What is to be paused when events must wait for Redis. */
  synchronized void governs(Consumption stopped) {
    consumption = stopped;
  }

  /**
   * Meters in order.
   *
   * @throws LimiterUnavailableException at once if Redis is known to be gone, else after the
   *     timeout
   */
  List<Outcome> meter(List<Request> requests) {
    if (gone) throw new LimiterUnavailableException("Redis is gone", new IllegalStateException());
    try {
      return redis.get().meter(requests);
    } catch (LimiterUnavailableException e) {
      open(e);
      throw e;
    }
  }

  boolean isGone() {
    return gone;
  }

  /** Stops processing until Redis is back: called when events are at hand that need it. */
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

  private synchronized void open(LimiterUnavailableException failure) {
    if (gone) return;
    gone = true;
    back = new CountDownLatch(1);
    LOG.warn("Redis is gone: {}", failure.getMessage());
    pinging =
        pings.scheduleWithFixedDelay(
            this::ping, PING_EVERY_MS, PING_EVERY_MS, TimeUnit.MILLISECONDS);
  }

  private void ping() {
    try {
      redis.get().probe();
    } catch (LimiterUnavailableException e) {
      return; // still gone
    }
    closeAgain();
  }

  private synchronized void closeAgain() {
    if (!gone) return;
    gone = false;
    pinging.cancel(false);
    LOG.warn("Redis is back");
    if (holding) {
      holding = false;
      consumption.resume();
      LOG.warn("processing is resumed");
    }
    back.countDown();
  }

  @Override
  public void close() {
    pings.shutdownNow();
  }
}
