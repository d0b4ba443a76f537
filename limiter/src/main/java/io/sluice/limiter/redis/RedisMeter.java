package io.sluice.limiter.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Claim;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Meters arrivals against several limits at once, their state in Redis: one script decides and
 * charges, to every limit or to none. Many threads and many processes may meter the same keys; each
 * arrival is judged by the clock it brings. Connects when first used.
 *
 * <p>Says what {@link io.sluice.limiter.RowMeter} would, from the same arrivals. An event metered
 * again gets its first verdict again and is not charged: under a sliding window log within the
 * window, otherwise within the period if it is among the key's last 256.
 *
 * <p>Every method that asks Redis throws {@link LimiterUnavailableException} if there is no answer;
 * what was asked may have been charged then, and asking again with the same event ids is safe.
 */
public final class RedisMeter implements AutoCloseable {
  private static final RedisScript SCRIPT = RedisScript.ofResource("meter.lua");

  private final RedisConnections redis;
  private final RedisKeys names;
  private final LogMembers members = new LogMembers();
  private final long graceMillis;

  public RedisMeter(RedisSettings settings) {
    redis = new RedisConnections(settings);
    names = new RedisKeys(settings.keyPrefix());
    graceMillis = settings.grace().toMillis();
  }

  /**
   * An arrival to be metered.
   *
   * @param claims at most one for each limit
   * @param notBeforeMicros the earliest instant it may be charged at, because limits elsewhere make
   *     it wait; 0 if none do
   * @param refusedElsewhere whether a limit elsewhere refused it: then nothing is charged here, but
   *     to limits that count attempts
   */
  public record Request(
      Arrival arrival, List<Claim> claims, long notBeforeMicros, boolean refusedElsewhere) {
    /** One century past the last clock, and still exact in a script. */
    private static final long LATEST_MICROS = 8_000_000_000_000_000L;

    public Request {
      claims = List.copyOf(claims);
      if (notBeforeMicros < 0 || notBeforeMicros > LATEST_MICROS) {
        throw new IllegalArgumentException("not an instant to wait for: " + notBeforeMicros);
      }
    }

    /** An arrival that only these limits judge. */
    public static Request of(Arrival arrival, List<Claim> claims) {
      return new Request(arrival, claims, 0, false);
    }
  }

  /** Meters one arrival in one round trip. */
  public Outcome meter(Request request) {
    return meter(List.of(request)).get(0);
  }

  /**
   * Meters arrivals in order, as one by one but in a round trip for every few hundred. If it
   * throws, those before the failing round trip have been charged.
   */
  public List<Outcome> meter(List<Request> requests) {
    List<Outcome> outcomes = new ArrayList<>(requests.size());
    ScriptCall call = new ScriptCall(names, members);
    for (Request request : requests) {
      if (call.take(request)) continue;
      run(call, outcomes);
      call = new ScriptCall(names, members);
      call.take(request);
    }
    run(call, outcomes);
    return outcomes;
  }

  private void run(ScriptCall call, List<Outcome> outcomes) {
    if (call.requests().isEmpty()) return;
    Object answer = redis.run(SCRIPT, call.keys(), call.args(graceMillis));
    ScriptReply reply = new ScriptReply((List<?>) answer);
    for (Request request : call.requests()) outcomes.add(reply.next(request));
  }

  /** Returns if Redis answers. */
  public void ping() {
    redis.ping();
  }

  /** Deletes every key under the prefix, in passes: what is metered meanwhile may be left. */
  public void removeAll() {
    redis.removeAll(names.pattern());
  }

  @Override
  public void close() {
    redis.close();
  }
}
