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
 * A connection to Redis for limiters that hold no thread. One thread of its own asks, for all of
 * them, or one for each node of a Cluster: calls that come while Redis is answering go together
 * with the next ones, up to 500 at once, in the order in which they come. The decisions are those
 * of {@link io.sluice.limiter.redis.RedisLimiter}, under the same keys. Connects when first used.
 *
 * <p>A stage fails with {@link io.sluice.limiter.LimiterUnavailableException} if the server that
 * has its key did not answer; later calls are tried anew. It fails alone, with {@link
 * io.sluice.limiter.UnreadableKeyException}, if its key cannot be used. Nodes of a Cluster do not
 * wait for each other. It fails with {@link java.util.concurrent.RejectedExecutionException}, and
 * nothing is charged, if there are too many calls already, or if the meter is closed before Redis
 * is asked. A future that is cancelled before Redis is asked charges nothing; later, cancelling
 * changes nothing but the future.
 */
public final class AsyncRedisMeter implements AutoCloseable {
  private static final int MOST_CALLS = 10_000;

  private final RedisMeter redis;
  private final Gatherer gatherer;

  /** With room for 10,000 calls, and callbacks on the common pool. */
  public AsyncRedisMeter(RedisSettings settings) {
    this(settings, Callbacks.COMMON, MOST_CALLS);
  }

  /**
   * @param callbacks completes the stages, and so runs what callers hang on them; the common pool
   *     does if it refuses. Give one of your own to callbacks that block, and shut it down after
   *     this is closed: stages whose tasks it has taken and drops never end. With {@code
   *     Runnable::run}, a callback holds up all calls for the same server, and those for several
   *     nodes of a Cluster run at the same time, on a thread for each
   * @param mostCalls how many there may be at a time, from the call until its callbacks have run:
   *     at least 1. If Redis is silent, a call waits for as many timeouts as there are 500s before
   *     it; on a Cluster also while the nodes are asked who has its key now, which takes up to two
   *     timeouts for each node, and at most half of the time
   */
  public AsyncRedisMeter(RedisSettings settings, Executor callbacks, int mostCalls) {
    redis = new RedisMeter(settings);
    gatherer = new Gatherer(Gatherer.Meter.of(redis), new Callbacks(callbacks), mostCalls);
  }

  /** A limiter by the system's clock. */
  public AsyncRateLimiter limiter(Rule rule) {
    return limiter(rule, InstantSource.system());
  }

  /**
   * A limiter by a rule that refuses what does not conform, with its own clock. It needs no
   * closing; the meter does.
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
   * Ends. Calls that wait fail; those that Redis is answering are waited for, so this may take as
   * long as Redis' timeout and patience; if nodes of a Cluster are silent, up to two timeouts more
   * for each node.
   *
   * <p>On a thread that asks Redis, in a callback by {@code Runnable::run}, it waits for nobody:
   * stages of calls to other nodes of a Cluster then fail, although some may be charged.
   */
  @Override
  public void close() {
    gatherer.close();
    redis.close();
  }
}
