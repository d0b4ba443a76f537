package io.sluice.limiter.registry;

import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.RateLimiter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.async.AsyncRateLimiter;
import io.sluice.limiter.async.AsyncRedisMeter;
import io.sluice.limiter.async.SystemTimer;
import io.sluice.limiter.async.WaitingLimiter;
import io.sluice.limiter.redis.RedisLimiter;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import java.time.InstantSource;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Limiters of a program, by their names in its configuration. The settings are those of a stream's
 * limit ({@code sluice.limit.N.quota} and so on) that apply to a call with a key: {@code quota},
 * {@code burst}, {@code algorithm}, {@code zone}, {@code block} and {@code backend}, where {@code
 * state-store} is the memory of this process. A limit on Redis has the Redis keys of a stream's
 * limit with the same name, so a program and a stream can share a count.
 *
 * <p>All limiters on Redis share a connection pool, and all asynchronous ones an {@link
 * AsyncRedisMeter}; one thread wakes all waiters. Thread-safe.
 */
public final class Limiters implements AutoCloseable {
  private final Map<String, Named> limiters = new TreeMap<>();
  private final SystemTimer timer = new SystemTimer();
  private final Runnable atEnd;

  /** Synchronous, asynchronous and waiting form of one limiter, which share its count. */
  private record Named(RateLimiter plain, AsyncRateLimiter async, WaitingLimiter waiting) {}

  private Limiters(LimiterSettings settings, InstantSource clock) {
    atEnd =
        settings
            .redis()
            .filter(redis -> settings.limits().values().stream().anyMatch(each -> each.onRedis()))
            .map(redis -> addRemote(settings, redis, clock))
            .orElse(() -> {});
    settings
        .limits()
        .forEach(
            (name, limit) -> {
              if (limit.onRedis()) return;
              RateLimiter plain = new InProcessLimiter(limit.rule(), clock);
              add(name, plain, AsyncRateLimiter.of(plain));
            });
  }

  private Runnable addRemote(LimiterSettings settings, RedisSettings redis, InstantSource clock) {
    RedisMeter meter = new RedisMeter(redis);
    AsyncRedisMeter async = new AsyncRedisMeter(redis);
    settings
        .limits()
        .forEach(
            (name, limit) -> {
              if (!limit.onRedis()) return;
              Rule rule = limit.rule();
              RateLimiter plain = new RedisLimiter(meter, rule, clock);
              add(name, plain, async.limiter(rule, clock));
            });
    return () -> {
      async.close();
      meter.close();
    };
  }

  private void add(String name, RateLimiter plain, AsyncRateLimiter async) {
    limiters.put(name, new Named(plain, async, new WaitingLimiter(async, timer)));
  }

  /**
   * Creates the limiters of a configuration.
   *
   * @param settings texts of the settings by their keys; keys that do not begin with {@code
   *     sluice.} are ignored
   * @throws IllegalArgumentException if there are mistakes; the message has one line for each: the
   *     key, the value, and the accepted values
   */
  public static Limiters of(Map<String, String> settings) {
    return of(settings, InstantSource.system());
  }

  /** Creates the limiters of a configuration, which take the time of arrivals from this clock. */
  public static Limiters of(Map<String, String> settings, InstantSource clock) {
    return new Limiters(LimiterSettings.read(settings), clock);
  }

  /** Creates the limiters of a properties file. */
  public static Limiters of(Properties settings) {
    return of(
        settings.stringPropertyNames().stream()
            .collect(Collectors.toMap(key -> key, settings::getProperty)));
  }

  /** Returns the names of all limiters. */
  public Set<String> names() {
    return new TreeSet<>(limiters.keySet());
  }

  /**
   * Returns the limiter with this name in its synchronous form.
   *
   * @throws IllegalArgumentException if no limiter has this name; the message has the existing
   *     names
   */
  public RateLimiter get(String name) {
    return named(name).plain;
  }

  /**
   * Returns the limiter with this name in its asynchronous form: see {@link AsyncRedisMeter}. A
   * limiter in process decides on the calling thread.
   *
   * @throws IllegalArgumentException if no limiter has this name; the message has the existing
   *     names
   */
  public AsyncRateLimiter async(String name) {
    return named(name).async;
  }

  /**
   * Returns the limiter with this name in its waiting form: always the same object, so that all
   * waiters for a key are in one queue. It is closed together with these limiters.
   *
   * @throws IllegalArgumentException if no limiter has this name; the message has the existing
   *     names
   */
  public WaitingLimiter waiting(String name) {
    return named(name).waiting;
  }

  private Named named(String name) {
    Named named = limiters.get(name);
    if (named != null) return named;
    throw new IllegalArgumentException(
        "no limit has the name " + name + "; there are " + String.join(", ", limiters.keySet()));
  }

  /** Closes all limiters: the calls of waiters fail, and connections to Redis are closed. */
  @Override
  public void close() {
    limiters.values().forEach(each -> each.waiting.close());
    timer.close();
    atEnd.run();
  }
}
