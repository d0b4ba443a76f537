package io.sluice.limiter.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A meter of arrivals against several limits at once, their state in Redis: one script decides and
 * charges, to every limit or to none. Many threads and many processes may meter the same keys; each
 * arrival is judged by the clock it brings. Connects when first used.
 *
 * <p>Says what {@link io.sluice.limiter.RowMeter} would, from the same arrivals: what is remembered
 * of those it has admitted is the same, a log's for its window, otherwise the last 4 within the
 * period. But an arrival that comes from a {@link Position} gets the same outcome again, whatever
 * has happened since, if it comes within five minutes and the grace, among the last 20,000
 * positions of its sequence, and limits elsewhere say the same.
 *
 * <p>Every method that asks Redis throws {@link LimiterUnavailableException} if there is no answer;
 * what was asked may have been charged then, and asking again from the same positions is safe. If
 * Redis answers but cannot use a key, such as one that holds another type, only arrivals with that
 * key fail, by an {@link UnreadableKeyException}.
 */
public final class RedisMeter implements AutoCloseable {
  private final RedisConnections redis;
  private final RedisKeys names;
  private final AnonymousNames anonymous = new AnonymousNames();
  private final long graceMillis;

  /**
   * @throws IllegalStateException if the class path has a Jedis before 8
   */
  public RedisMeter(RedisSettings settings) {
    this(settings, () -> {});
  }

  /**
   * A meter that says when it has to wait.
   *
   * @param whenBusy told, by any thread, of every answer that takes longer than the timeout from a
   *     server that is well
   * @throws IllegalStateException if the class path has a Jedis before 8
   */
  public RedisMeter(RedisSettings settings, Runnable whenBusy) {
    redis = RedisConnections.of(new JedisConfig(settings, whenBusy));
    names = new RedisKeys(settings.keyPrefix());
    graceMillis = settings.grace().toMillis();
  }

  /**
   * An arrival to be metered.
   *
   * @param buckets at most one for each limit
   * @param elsewhere what limits elsewhere say of it
   * @param position tells whether it is the same arrival that comes again
   */
  public record Request(
      Arrival arrival, List<Bucket> buckets, Standing elsewhere, Position position) {
    public Request {
      buckets = List.copyOf(buckets);
    }

    Request asIfOnce() {
      return new Request(arrival, buckets, elsewhere, Position.NONE);
    }

    /** An arrival that comes once and that only these limits judge. */
    public static Request of(Arrival arrival, List<Bucket> buckets) {
      return new Request(arrival, buckets, Standing.NONE, Position.NONE);
    }
  }

  /** Meters one arrival in one round trip. */
  public Outcome meter(Request request) {
    return meter(List.of(request)).get(0);
  }

  /** The receiver of outcomes as they come. */
  @FunctionalInterface
  public interface Outcomes {
    /**
     * @param index which of the requests this is the outcome of
     */
    void answered(int index, Outcome outcome);

    /**
     * A key of a request cannot be read or written; the request is not metered, and the others are.
     * Unless this is overridden, it ends the call.
     *
     * @param index which of the requests it is
     */
    default void failed(int index, UnreadableKeyException why) {
      throw why;
    }

    /** A filter of a limit has come to have more keys than its part of the capacity. */
    default void grown(String limit) {}
  }

  /**
   * Meters arrivals in order, as one by one but in a round trip for every hundred.
   *
   * @throws UnreadableKeyException if keys of some cannot be used: the first of these; all others
   *     are metered then
   */
  public List<Outcome> meter(List<Request> requests) {
    List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(requests.size(), null));
    List<UnreadableKeyException> failures = new ArrayList<>();
    meter(
        requests.iterator(),
        new Outcomes() {
          @Override
          public void answered(int index, Outcome outcome) {
            outcomes.set(index, outcome);
          }

          @Override
          public void failed(int index, UnreadableKeyException why) {
            failures.add(why);
          }
        });
    if (!failures.isEmpty()) throw failures.get(0);
    return outcomes;
  }

  /**
   * Meters arrivals in order, as one by one but in a round trip for every hundred, or on a Cluster
   * for every few hundred. Requests are taken, and outcomes handed over, while Redis works on
   * others. If it throws, what was handed over stands; of the rest the next 500 at most may have
   * been charged. If one node of a Cluster does not answer, the outcomes of all others are handed
   * over first, and of the rest the first 125 at most of each slot may have been charged.
   *
   * @return how many round trips it took
   * @throws IllegalArgumentException if the keys of an arrival are scattered over a Cluster
   */
  public int meter(Iterator<Request> requests, Outcomes outcomes) {
    Batches batches = new Batches(requests, this::placeOf, this::newCall, outcomes);
    redis.run(MeterScript.SCRIPT, batches);
    return batches.answered();
  }

  /** What an arrival would be told if it came now, with what is left before it. Changes nothing. */
  public Outcome ask(Arrival arrival, List<Bucket> buckets) {
    Outcome[] outcomes = new Outcome[1];
    Iterator<Request> requests = List.of(Request.of(arrival, buckets)).iterator();
    IntFunction<ScriptCall> asking =
        place -> ScriptCall.asking(names, anonymous, graceMillis, place);
    Batches batches =
        new Batches(requests, this::placeOf, asking, (index, outcome) -> outcomes[index] = outcome);
    redis.run(MeterScript.SCRIPT, batches);
    return outcomes[0];
  }

  private ScriptCall newCall(int place) {
    return new ScriptCall(names, anonymous, graceMillis, place);
  }

  /**
   * The way of a request.
   *
   * @param place of its keys. Requests for the same place are to be asked one call after another,
   *     or their order is lost; those for different places have no keys in common
   * @param server that has the place as far as is known; empty if it is not known, or the only one.
   *     Requests for one server are best asked together, and calls to different servers do not wait
   *     for each other
   */
  public record Route(int place, String server) {}

  /**
   * Finds the way of a request, and asks nobody: on a Cluster another node may have its keys by
   * now, which changes nothing but how long it takes.
   *
   * @throws IllegalArgumentException if its keys are scattered over a Cluster
   */
  public Route routeOf(Request request) {
    int place = placeOf(request);
    return new Route(place, redis.serverOf(place));
  }

  private int placeOf(Request request) {
    List<Bucket> buckets = request.buckets();
    if (buckets.isEmpty() || !redis.hasPlaces()) return 0;
    String tag = buckets.get(0).tag();
    for (Bucket bucket : buckets) {
      if (bucket.tag().equals(tag)) continue;
      throw new IllegalArgumentException(
          "on a Cluster the buckets of an arrival share a tag, and these do not: " + buckets);
    }
    return redis.placeOf(names.of(buckets.get(0)));
  }

  /** Returns if Redis answers and takes writes, as a replica or a full server does not. */
  public void probe() {
    redis.atEach(names, (connection, key) -> connection.executeCommand(Probe.of(key)));
  }

  /**
   * Finds out what Redis would say to a meter, without metering anything.
   *
   * @throws LimiterUnavailableException if a server does not answer or takes no writes; {@link
   *     RedisTrouble} tells why
   */
  public RedisReport inspect() {
    Inspection inspection = new Inspection(names);
    redis.atEach(names, inspection);
    return inspection.report();
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
