package io.sluice.limiter.async;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Asynchronous meter in Redis for any number of limiters, whose callers hold no thread while they
 * wait. One thread sends the calls of all limiters; with a Cluster, one thread for each node. Calls
 * that come while Redis is answering are sent together next, up to 500 at once, in the order in
 * which they come. Decisions and keys are those of {@link io.sluice.limiter.redis.RedisLimiter}.
 * Connects on first use.
 *
 * <p>A stage fails with {@link io.sluice.limiter.LimiterUnavailableException} if the server of its
 * key did not answer; later calls try again. A stage fails alone, with {@link
 * io.sluice.limiter.UnreadableKeyException}, if its key's value cannot be used. Calls to one node
 * of a Cluster do not wait for other nodes. A stage fails with {@link
 * java.util.concurrent.RejectedExecutionException}, and nothing is charged, if there are too many
 * open calls, or if the meter is closed before Redis is asked. A future that is cancelled before
 * Redis is asked charges nothing; a later cancellation changes only the future.
 */
public final class AsyncRedisMeter implements AutoCloseable {
  private static final int MOST_CALLS = 10_000;

  private final RedisMeter redis;
  private final Gatherer gatherer;

  /** Creates a meter for at most 10,000 open calls, which runs callbacks on the common pool. */
  public AsyncRedisMeter(RedisSettings settings) {
    this(settings, Callbacks.COMMON, MOST_CALLS);
  }

  /**
   * Creates a meter.
   *
   * @param callbacks completes the stages, and so runs the callers' callbacks; if it refuses a
   *     task, the common pool runs the task. For callbacks that block, pass an executor of your
   *     own, and shut the executor down after this meter is closed: stages whose tasks it accepts
   *     and then drops never complete. With {@code Runnable::run}, a callback holds up all calls to
   *     the same server, and callbacks for several nodes of a Cluster run at the same time, on one
   *     thread for each node
   * @param mostCalls largest number of open calls, at least 1. A call is open from its start until
   *     its callbacks have run. If Redis is silent, a call waits one timeout for each 500 calls
   *     before it. With a Cluster, it also waits while the nodes are asked which node has its key
   *     now. That takes up to two timeouts for each node, and at most half of the time
   */
  public AsyncRedisMeter(RedisSettings settings, Executor callbacks, int mostCalls) {
    redis = new RedisMeter(settings);
    gatherer = new Gatherer(Gatherer.Meter.of(redis), new Callbacks(callbacks), mostCalls);
  }

  /** Returns a limiter for this rule that takes the time of arrivals from the system's clock. */
  public AsyncRateLimiter limiter(Rule rule) {
    return limiter(rule, InstantSource.system());
  }

  /**
   * Returns a limiter for a rule that refuses non-conforming arrivals, with the time of arrivals
   * from this clock. Only the meter needs to be closed, not the limiter.
   *
   * @throws IllegalArgumentException if the rule delays, only watches or counts distinct values
   */
  public AsyncRateLimiter limiter(Rule rule, InstantSource clock) {
    return new Limiter(rule.requirePolicing(), clock);
  }

  private final class Limiter implements AsyncRateLimiter {
    private final Rule rule;
    private final InstantSource clock;

    private Limiter(Rule rule, InstantSource clock) {
      this.rule = rule;
      this.clock = clock;
    }

    @Override
    public CompletionStage<Decision> meter(String key, long cost) {
      Instant now = clock.instant();
      return meter(
          key, new Arrival("", cost, now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000));
    }

    @Override
    public CompletionStage<Decision> meter(String key, Arrival arrival) {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(arrival, "arrival");
      return gatherer.meter(Request.of(arrival, List.of(new Bucket(rule, key))));
    }
  }

  /**
   * Closes the meter. Calls that were not sent to Redis fail. This method waits for calls that
   * Redis is answering, so it can take as long as the timeout and the patience for Redis, and up to
   * two timeouts more for each node if nodes of a Cluster are silent.
   *
   * <p>On a thread that sends calls to Redis (in a callback run by {@code Runnable::run}), this
   * method does not wait: calls to other nodes of a Cluster then fail, although some of them may be
   * charged.
   */
  @Override
  public void close() {
    gatherer.close();
    redis.close();
  }
}
