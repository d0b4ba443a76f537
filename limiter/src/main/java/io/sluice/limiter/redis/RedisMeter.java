package io.sluice.limiter.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.ScriptCall.AnonymousNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Meters arrivals against several limits at once, with the limits' state in Redis: one script
 * decides and charges, to every limit or to none. Many threads and processes may meter the same
 * keys; each arrival brings the time at which it is judged. Connects on first use.
 *
 * <p>Gives the answers that {@link io.sluice.limiter.RowMeter} gives for the same arrivals, and
 * remembers as many admitted arrivals: a log those of its window, other states the last 4 within
 * the period. In addition, an arrival with a {@link Position} gets the same outcome when it comes
 * again. The conditions are that it comes within five minutes and the grace, is among the last
 * 20,000 positions of its sequence, has the same rules, and gets the same result from its limits in
 * another backend.
 *
 * <p>Every method that asks Redis throws {@link LimiterUnavailableException} if there is no answer;
 * the arrivals may then be charged, and metering them again with the same positions is safe. If
 * Redis answers but a key cannot be used, such as one that holds another type, only arrivals with
 * that key fail, with an {@link UnreadableKeyException}.
 */
public final class RedisMeter implements AutoCloseable {
  private final RedisConnections redis;
  private final RedisKeys names;
  private final AnonymousNames anonymous = new AnonymousNames();
  private final long graceMillis;

  /**
   * @throws IllegalStateException if the Jedis on the class path is older than 8
   */
  public RedisMeter(RedisSettings settings) {
    this(settings, () -> {});
  }

  /**
   * Creates a meter that reports when it waits for a busy server.
   *
   * @param whenBusy task that runs, on any thread, whenever a server exceeds the timeout of an
   *     answer but still answers a PING. The meter then continues to wait, within the patience of
   *     the settings; without patience, the task never runs
   * @throws IllegalStateException if the Jedis on the class path is older than 8
   */
  public RedisMeter(RedisSettings settings, Runnable whenBusy) {
    redis = RedisConnections.of(new JedisConfig(settings, whenBusy));
    names = new RedisKeys(settings.keyPrefix());
    graceMillis = settings.grace().toMillis();
  }

  /**
   * Arrival to be metered, with its buckets.
   *
   * @param buckets buckets in Redis, at most one for each limit
   * @param elsewhere interim result of the arrival's limits in another backend
   * @param position position by which the same arrival is recognised when it comes again
   */
  public record Request(
      Arrival arrival, List<Bucket> buckets, Standing elsewhere, Position position) {
    public Request {
      buckets = List.copyOf(buckets);
    }

    Request asIfOnce() {
      if (position.isNone()) return this;
      return new Request(arrival, buckets, elsewhere, Position.NONE);
    }

    /**
     * Returns a request for an arrival that comes once and is judged by the limits of these buckets
     * alone.
     */
    public static Request of(Arrival arrival, List<Bucket> buckets) {
      return new Request(arrival, buckets, Standing.NONE, Position.NONE);
    }
  }

  /** Meters one arrival in one round trip. */
  public Outcome meter(Request request) {
    return meter(List.of(request)).get(0);
  }

  /** Receiver of the outcomes of requests, which is called as soon as each outcome is known. */
  @FunctionalInterface
  public interface Outcomes {
    /**
     * @param index index of the request that has this outcome
     */
    void answered(int index, Outcome outcome);

    /**
     * Called if a key of a request cannot be read or written: this request is not metered, the
     * other requests are. The default implementation throws the exception, which ends the call.
     *
     * @param index index of the request
     */
    default void failed(int index, UnreadableKeyException why) {
      throw why;
    }

    /**
     * Called when a limit's Bloom filters for a quarter of a period have more keys than their part
     * of the limit's capacity.
     */
    default void grown(String limit) {}
  }

  /**
   * Meters arrivals in order, with the result of metering them one by one; about a hundred arrivals
   * take one round trip.
   *
   * @throws UnreadableKeyException if keys of some arrivals cannot be used: the first of these
   *     failures; all other arrivals are metered then
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
   * Meters arrivals in order, with the result of metering them one by one; about a hundred arrivals
   * take one round trip, or a few hundred on a Cluster. Requests are taken and outcomes passed on
   * while Redis works on other requests. If this method throws, the outcomes passed on are valid;
   * of the other requests, the next 500 at most may have been charged. If one node of a Cluster is
   * silent, the outcomes of all other nodes are passed on first; of the silent node's requests, the
   * first 125 at most of each slot may have been charged.
   *
   * @return the number of round trips
   * @throws IllegalArgumentException if the keys of an arrival are in several slots of a Cluster
   */
  public int meter(Iterator<Request> requests, Outcomes outcomes) {
    Batches batches = new Batches(requests, this::placeOf, this::newCall, outcomes);
    redis.run(MeterScript.SCRIPT, batches);
    return batches.answered();
  }

  /**
   * Returns the outcome that an arrival would have now, with the permits that remain before its
   * charge. Changes nothing.
   */
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

  /**
   * Makes the caller the owner of a queue: earlier owners of it can release nothing any more. To be
   * called once when the partition of the queue is assigned, before its first release.
   *
   * @param queue name of the queue, which no other queue with the same Redis keys has
   * @param nowMicros present time in epoch microseconds
   */
  public QueueOwner takeOver(String queue, long nowMicros) {
    ReleaseRun run = ReleaseRun.takingOver(queue);
    run(List.of(Request.of(new Arrival("", 0, nowMicros), List.of())), run);
    return run.owner();
  }

  /**
   * Meters the heads of a queue's lines in order, each unless it is behind another head. An event
   * that was admitted is known until it is committed: if it comes again, from this owner or a later
   * one, it is admitted again and not charged. So if this method throws, the same heads can be
   * asked again.
   *
   * @return an answer for each head
   * @throws QueueTakenOverException if the queue has a later owner, see {@link #takeOver}; nothing
   *     was charged at servers that know the later owner
   * @throws LimiterUnavailableException if there is no answer. On a Cluster, some heads may have
   *     been admitted
   */
  public List<ReleaseAnswer> release(Releases questions) {
    ReleaseRun run = ReleaseRun.of(questions);
    while (run.hasNext()) run(run.next(), run);
    return run.answers();
  }

  private void run(List<Request> requests, ReleaseRun run) {
    IntFunction<ScriptCall> releasing =
        place -> ScriptCall.releasing(names, anonymous, graceMillis, place, run);
    redis.run(
        MeterScript.RELEASES, new Batches(requests.iterator(), this::placeOf, releasing, run));
  }

  private ScriptCall newCall(int place) {
    return new ScriptCall(names, anonymous, graceMillis, place);
  }

  /**
   * Place and server of a request.
   *
   * @param place place (hash slot) of the request's keys. Requests for the same place must be sent
   *     one call after another, to keep their order; requests for different places have no keys in
   *     common
   * @param server server that is known to have the place; empty if it is unknown, or if there is
   *     only one server. Requests for one server are best sent together; calls to different servers
   *     do not wait for each other
   */
  public record Route(int place, String server) {}

  /**
   * Returns the place and server of a request, without asking Redis. On a Cluster, another node may
   * have the request's keys by now; then the request only takes longer.
   *
   * @throws IllegalArgumentException if the request's keys are in several slots of a Cluster
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
          "on a Cluster, all buckets of an arrival must have the same tag: " + buckets);
    }
    return redis.placeOf(names.of(buckets.get(0)));
  }

  /**
   * Checks that Redis answers and accepts writes, which a replica or a server without free memory
   * does not.
   *
   * @throws LimiterUnavailableException if a server does not answer, or accepts no writes
   */
  public void probe() {
    redis.atEach(
        names, (connection, key) -> connection.executeCommand(RedisConnections.probe(key)));
  }

  /**
   * Checks the user's rights and the servers' settings that metering needs, without metering
   * anything.
   *
   * @throws LimiterUnavailableException if a server does not answer or accepts no writes; {@link
   *     RedisTrouble} tells why
   */
  public RedisReport inspect() {
    Inspection inspection = new Inspection(names);
    redis.atEach(names, inspection);
    return inspection.report();
  }

  /**
   * Deletes every key with the meter's prefix, page by page: keys that are metered meanwhile may be
   * left.
   */
  public void removeAll() {
    redis.removeAll(names.pattern());
  }

  @Override
  public void close() {
    redis.close();
  }
}
