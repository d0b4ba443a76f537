package io.sluice.spring.metering;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.async.CallBatcher;
import io.sluice.limiter.redis.CircuitBreaker;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.settings.RedisConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Meters calls in Redis, behind a circuit breaker: after a failure, calls are metered without Redis
 * immediately, until a probe in the background succeeds. One thread sends the asynchronous calls in
 * batches. Limits in this process judge each call before Redis answers any of its batch, so if this
 * process has one permit left, all calls of a batch that have such limits may be charged in Redis:
 * few of them are in one batch. Thread-safe.
 */
public final class RedisGate implements RedisCallMeter, AutoCloseable {
  /**
   * Additional time to wait for a Redis that is late but answers a PING. If a busy server counted
   * as unavailable, the processes would count separately.
   */
  private static final Duration MOST_BUSY = Duration.ofSeconds(2);

  private static final int CONNECTIONS = 16;
  private static final long PROBE_EVERY_NANOS = 500_000_000;
  private static final long BETWEEN_WARNINGS_NANOS = 10_000_000_000L;
  private static final Logger LOG = LoggerFactory.getLogger(RedisGate.class);

  private final Supplier<RedisMeter> meter;
  private final CallBatcher<LateCall> batcher = batcher(this::ask);
  private final CircuitBreaker circuit = new CircuitBreaker();
  private final Duration mostInLine;
  private final AtomicLong lastWarnedNanos =
      new AtomicLong(System.nanoTime() - BETWEEN_WARNINGS_NANOS);
  private volatile boolean asked;
  private volatile boolean ended;

  /**
   * @param redis settings, with a URI if any limit is in Redis; otherwise Redis is never asked
   */
  public RedisGate(RedisConfig redis) {
    meter = SingletonSupplier.of(() -> new RedisMeter(settings(redis)));
    // A queued call waits at most as long as a blocking call waits for a pooled connection.
    mostInLine = redis.timeout().plus(MOST_BUSY);
  }

  private static RedisSettings settings(RedisConfig redis) {
    return new RedisSettings(
        redis.uri(), redis.keyPrefix(), redis.timeout(), MOST_BUSY, CONNECTIONS, redis.grace());
  }

  static CallBatcher<LateCall> batcher(Consumer<List<LateCall>> sending) {
    return new CallBatcher<>(
        "sluice-redis-line",
        calls -> {
          try {
            sending.accept(calls);
          } catch (Throwable e) { // Errors too, because each call must complete
            for (LateCall call : calls) call.fail(e);
          }
        },
        LateCall::asksHereToo);
  }

  /** Whether calls use Redis now; false while Redis is unavailable. */
  public boolean isOpen() {
    return !circuit.isOpen();
  }

  @Override
  public Optional<Outcome> meter(Request request) {
    if (!isOpen()) return Optional.empty();
    asked = true;
    try {
      return Optional.of(meter.get().meter(request));
    } catch (UnreadableKeyException e) {
      warn(e);
      throw e;
    } catch (LimiterUnavailableException e) {
      close(e);
      return Optional.empty();
    }
  }

  @Override
  public void meter(LateCall call) {
    if (!isOpen() || !batcher.take(call)) call.answerWithoutRedis();
  }

  /**
   * Sends a batch of queued calls to Redis, and completes each with its answer, or without Redis if
   * there is no answer. A call whose shadow limit has a key that Redis cannot use is queued again
   * without its shadow limits.
   */
  private void ask(List<LateCall> together) {
    if (together.get(0).hasWaitedFor(mostInLine)) close(tooLate());
    List<LateCall> again = new ArrayList<>(0);
    List<LateCall> calls = new ArrayList<>(together.size());
    List<Request> requests = new ArrayList<>(together.size());
    if (isOpen()) {
      asked = true;
      for (LateCall call : together) if (!call.isDone()) prepare(call, calls, requests);
      meter(calls, requests, again);
    }
    for (LateCall call : together) if (!again.contains(call)) call.answerWithoutRedis();
    again.forEach(this::meter);
  }

  private LimiterUnavailableException tooLate() {
    return new LimiterUnavailableException(
        "a call waited %d ms for earlier calls to Redis".formatted(mostInLine.toMillis()), null);
  }

  /**
   * Adds a call and its request to the batch. If this fails for one call, only that call fails, not
   * the batch.
   */
  private void prepare(LateCall call, List<LateCall> calls, List<Request> requests) {
    try {
      Request request = call.request();
      // Throws if the keys are in several slots of a Redis Cluster.
      RedisMeter.Route unused = meter.get().routeOf(request);
      calls.add(call);
      requests.add(request);
    } catch (RuntimeException e) {
      call.fail(e);
    }
  }

  private void meter(List<LateCall> calls, List<Request> requests, List<LateCall> again) {
    if (requests.isEmpty()) return;
    try {
      int unused = meter.get().meter(requests.iterator(), new Answers(calls, again));
    } catch (LimiterUnavailableException e) {
      close(e);
    }
  }

  /** Logs that Redis could not use a key, at most once in ten seconds. */
  private void warn(UnreadableKeyException why) {
    long now = System.nanoTime();
    long last = lastWarnedNanos.get();
    if (now - last < BETWEEN_WARNINGS_NANOS || !lastWarnedNanos.compareAndSet(last, now)) return;
    LOG.warn(
        "Redis cannot meter calls with one key; their limit does what redis.unavailable says: {}",
        why.getMessage());
  }

  private final class Answers implements Outcomes {
    private final List<LateCall> calls;
    private final List<LateCall> again;

    /**
     * @param again receives the calls to send to Redis again without their shadow limits
     */
    Answers(List<LateCall> calls, List<LateCall> again) {
      this.calls = calls;
      this.again = again;
    }

    @Override
    public void answered(int index, Outcome outcome) {
      calls.get(index).answer(outcome);
    }

    @Override
    public void failed(int index, UnreadableKeyException why) {
      warn(why);
      LateCall call = calls.get(index);
      if (call.leaveOutShadows()) again.add(call);
      else call.answerWithout(why);
    }
  }

  /**
   * Stops the use of Redis until a probe succeeds. Completes the queued calls without Redis
   * immediately, because the thread that sends them may be blocked for seconds.
   */
  private void close(LimiterUnavailableException why) {
    if (!circuit.open()) return;
    LOG.warn(
        "Redis is unavailable; its limits do what redis.unavailable says: {}", why.getMessage());
    Thread probing = new Thread(this::probeUntilBack, "sluice-redis-probe");
    probing.setDaemon(true);
    probing.start();
    batcher.drain().forEach(LateCall::answerWithoutRedis);
  }

  private void probeUntilBack() {
    while (circuit.isOpen() && !ended) {
      LockSupport.parkNanos(PROBE_EVERY_NANOS);
      try {
        meter.get().probe();
        circuit.close();
        LOG.info("Redis is available again");
      } catch (RuntimeException e) { // any failure must not end the probes
        LOG.debug("Redis is still unavailable", e);
      }
    }
  }

  @Override
  public void close() {
    ended = true;
    batcher.close().forEach(LateCall::answerWithoutRedis);
    if (asked) meter.get().close();
  }
}
