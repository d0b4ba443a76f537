package io.sluice.limiter.redis;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.CallRules.Besides;
import io.sluice.limiter.redis.CallRules.Doubles;
import io.sluice.limiter.redis.CallRules.Lacking;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ScriptPipeline.Link;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One call of the {@linkplain MeterScript script} that meters in Redis, with the requests that
 * {@link #take} accepted.
 */
final class ScriptCall {
  /**
   * Largest number of requests in a call, which occupy Redis' one thread for a millisecond. Larger
   * calls would save no time.
   */
  private static final int MOST_REQUESTS = 125;

  private static final int MOST_KEYS = 1_000;

  /** Largest number of values in a call, of requests with several values each. */
  private static final int MOST_VALUES = Bucket.MOST_VALUES;

  // Flags of an arrival in a call; protocol.lua has the same numbers.
  static final int REFUSED_ELSEWHERE = 1;
  static final int ANONYMOUS = 2;
  static final int CLAIMED = 4;
  static final int MAY_BE_DUPLICATE = 8;
  static final int ENFORCED_ELSEWHERE = 16;
  static final int ONLY_ASKS = 32;
  static final int SEVERAL_VALUES = 64;
  static final int TWO_JOURNALS = 128;

  /**
   * Upper bound of a cost that is sent to the script: exact as a double, and far above any
   * capacity.
   */
  private static final long MOST_COST = 1L << 52;

  private final RedisKeys names;
  private final AnonymousNames anonymous;
  private final long graceMillis;
  private final int place;

  /** Flags that are added to the flags of each arrival in the call. */
  private final int flagsOfAll;

  /** Adds the script's arguments about a queue; empty if the requests are not those of a queue. */
  private final Optional<ReleaseRun> queue;

  private final Doubles turns = new Doubles();

  private final List<Request> requests = new ArrayList<>();
  private final Map<ByteBuffer, Integer> keyIndex = new HashMap<>();
  private final List<byte[]> keys = new ArrayList<>();
  private final Map<String, Journal> journals = new HashMap<>();
  private final List<Lacking> lacking;
  private final CallRules rules;
  private final Doubles arrivals = new Doubles();
  private final Besides besides = new Besides();
  private int values;

  /**
   * Creates a call without requests.
   *
   * @param place place (hash slot) of all the keys that the call will have
   */
  ScriptCall(RedisKeys names, AnonymousNames anonymous, long graceMillis, int place) {
    this(names, anonymous, graceMillis, place, 0, Optional.empty(), false, List.of());
  }

  /** Creates a call without requests. Its requests will be releases of a queue. */
  static ScriptCall releasing(
      RedisKeys names, AnonymousNames anonymous, long graceMillis, int place, ReleaseRun queue) {
    return new ScriptCall(
        names, anonymous, graceMillis, place, 0, Optional.of(queue), false, List.of());
  }

  /**
   * Creates a call without requests. The arrivals of its requests are only judged: the call changes
   * nothing.
   */
  static ScriptCall asking(RedisKeys names, AnonymousNames anonymous, long graceMillis, int place) {
    return new ScriptCall(
        names, anonymous, graceMillis, place, ONLY_ASKS, Optional.empty(), false, List.of());
  }

  private ScriptCall(
      RedisKeys names,
      AnonymousNames anonymous,
      long graceMillis,
      int place,
      int flagsOfAll,
      Optional<ReleaseRun> queue,
      boolean complete,
      List<Lacking> lacking) {
    this.names = names;
    this.anonymous = anonymous;
    this.graceMillis = graceMillis;
    this.place = place;
    this.flagsOfAll = flagsOfAll;
    this.queue = queue;
    this.lacking = lacking;
    rules = new CallRules(graceMillis, complete, lacking);
    queue.ifPresent(
        run -> {
          keys.add(names.queue(run.queue(), place));
          run.addTo(turns, keys.size());
        });
  }

  /**
   * Adds a request; returns false if the call has no room. An empty call has room for any request.
   */
  boolean take(Request request) {
    boolean full =
        requests.size() == MOST_REQUESTS || keys.size() + request.buckets().size() >= MOST_KEYS;
    int more = moreValues(request);
    if ((full || values + more > MOST_VALUES) && !requests.isEmpty()) return false;
    values += more;
    requests.add(request);
    add(request);
    return true;
  }

  /** Returns the number of values in the buckets beside the first value of each bucket. */
  private static int moreValues(Request request) {
    int more = 0;
    for (Bucket each : request.buckets()) more += each.more().size();
    return more;
  }

  private void add(Request request) {
    Arrival arrival = request.arrival();
    Identity identity =
        arrival.identity().equals(Identity.NONE) ? anonymous.next() : arrival.identity();
    Journal journal = journal(request.position());
    arrivals
        .add(arrival.nowMicros())
        .add(arrival.latestMicros())
        .add(request.elsewhere().slotMicros())
        .add(Math.min(arrival.cost(), MOST_COST))
        .add(flagsOfAll + flags(request) + (journal.isTwo ? TWO_JOURNALS : 0))
        .addBits(identity.event())
        .add(identity.record())
        .add(journal.index)
        .add(request.position().offset() + 1)
        .add(request.position().keptFrom() + 1)
        .add(request.buckets().size());
    for (Bucket bucket : request.buckets()) add(request, bucket);
    queue.ifPresent(run -> run.addTo(turns, request, this::waitingIndex));
  }

  /** Returns the index of the key with the queues that wait at a bucket. */
  private int waitingIndex(Bucket bucket) {
    byte[] key = names.waitingAt(bucket);
    int next = keys.size() + 1;
    Integer index = keyIndex.putIfAbsent(ByteBuffer.wrap(key), next);
    if (index == null) keys.add(key);
    return index == null ? next : index;
  }

  private static int flags(Request request) {
    Identity identity = request.arrival().identity();
    Standing elsewhere = request.elsewhere();
    return (elsewhere.conforms() ? 0 : REFUSED_ELSEWHERE)
        + (identity.equals(Identity.NONE) ? ANONYMOUS : 0)
        + (identity.claimed() ? CLAIMED : 0)
        + (elsewhere.duplicate() ? MAY_BE_DUPLICATE : 0)
        + (elsewhere.enforced() ? ENFORCED_ELSEWHERE : 0)
        + (moreValues(request) > 0 ? SEVERAL_VALUES : 0);
  }

  /**
   * Index of the key of a sequence's journal.
   *
   * @param isTwo whether the next key is that of the other sequence of its positions
   */
  private record Journal(int index, boolean isTwo) {
    private static final Journal NONE = new Journal(0, false);
  }

  private Journal journal(Position position) {
    if (position.isNone()) return Journal.NONE;
    return journals.computeIfAbsent(
        position.sequence(),
        sequence -> {
          keys.add(names.journal(sequence, place));
          int index = keys.size();
          boolean isTwo = !position.other().isEmpty();
          if (isTwo) keys.add(names.journal(position.other(), place));
          return new Journal(index, isTwo);
        });
  }

  private void add(Request request, Bucket bucket) {
    long nowMicros = request.arrival().nowMicros();
    CallRules.Entry rule = rules.of(bucket.rule(), nowMicros);
    byte[] key = names.of(bucket);
    int next = keys.size() + 1;
    Integer index = keyIndex.putIfAbsent(ByteBuffer.wrap(key), next);
    if (index == null) {
      keys.add(key);
      if (bucket.rule().algorithm() == Algorithm.HYPERLOGLOG) keys.addAll(names.ofSketch(bucket));
    }
    arrivals.add(rule.number()).add(index == null ? next : index);
    Algorithm algorithm = bucket.rule().algorithm();
    if (algorithm.hasBurst()) {
      long cost = Math.min(request.arrival().cost(), bucket.rule().capacity());
      arrivals.add(rule.gcra().spanMicros(cost)).add(rule.gcra().spanFraction(cost));
    } else if (algorithm.countsCalendarPeriods()) {
      Rule inForce = bucket.rule().at(nowMicros);
      long end = inForce.periodEndMicros(nowMicros);
      arrivals.add(end).add(inForce.periodEndMicros(end));
    } else if (algorithm.admitsOnce()) {
      arrivals.add(besides.addPlaces(bucket.key()));
      // Filters have no clock, and judge a release at the end of its span.
      long judgedMicros = Math.max(nowMicros, request.arrival().latestMicros());
      arrivals.add(bucket.rule().schedule().begunAnewAt(judgedMicros));
    } else if (algorithm.countsDistinct() && moreValues(request) > 0) {
      arrivals.add(besides.addValues(bucket)).add(bucket.valueCount());
    } else {
      // Both halves of the value's hash are 0 if the rule counts no distinct values.
      arrivals.addHash(bucket.value());
    }
  }

  List<Request> requests() {
    return requests;
  }

  int place() {
    return place;
  }

  /**
   * Returns one call for each request, without the request's position, so that the call has no keys
   * but those of the request's buckets. A request with one bucket can then be answered while its
   * slot is being moved.
   */
  List<ScriptCall> split() {
    return requests.stream()
        .map(request -> anew(List.of(request.asIfOnce()), true, lacking))
        .toList();
  }

  /** Returns the reply to a call of a single request whose keys cannot be used. */
  List<?> failed(JedisDataException error) {
    String theirs =
        requests.get(0).buckets().stream()
            .map(bucket -> new String(names.of(bucket), StandardCharsets.UTF_8))
            .collect(Collectors.joining(", "));
    return ScriptReply.failed(theirs, Failures.reason(error));
  }

  /**
   * Returns a call for the requests from index {@code first} on, together with the facts that the
   * script lacked: all changes of the rules, or the end of a period.
   *
   * @param lacked instant for which the script lacked the end of its period; empty if it lacked
   *     changes of a rule
   * @throws IllegalStateException if this call already had these facts
   */
  ScriptCall from(int first, Optional<Lacking> lacked) {
    boolean told = lacked.map(lacking::contains).orElse(rules.areComplete());
    if (told) throw new IllegalStateException("the script did not answer request " + first);
    List<Request> theirs = requests.subList(first, requests.size());
    if (lacked.isEmpty()) return anew(theirs, true, lacking);
    // Ends of periods that were sent for an earlier request are not sent again.
    List<Lacking> all = new ArrayList<>(first == 0 ? lacking : List.of());
    all.add(lacked.get());
    return anew(theirs, rules.areComplete(), all);
  }

  private ScriptCall anew(List<Request> theirs, boolean complete, List<Lacking> lacked) {
    ScriptCall call =
        new ScriptCall(names, anonymous, graceMillis, place, flagsOfAll, queue, complete, lacked);
    theirs.forEach(call::take);
    return call;
  }

  /** Returns the Redis command that runs the script with the requests of this call. */
  CommandArguments command(Command eval, byte[] script, Link link) {
    boolean linked = !link.key().isEmpty();
    CommandArguments command =
        new CommandArguments(eval).add(script).add(keys.size() + (linked ? 1 : 0));
    keys.forEach(command::add);
    if (linked) command.add(link.key());
    command.add(graceMillis).add(rules.toByteArray()).add(arrivals.toByteArray());
    command.add(link.after()).add(link.number()).add(anonymous.ofCall());
    if (queue.isEmpty()) return rules.addTo(command, besides);
    return rules.addAllTo(command, besides).add(turns.toByteArray()).add(queue.get().queue());
  }

  /**
   * Generator of unique names: for arrivals without an identity, because the members of a log in
   * Redis must differ, and for calls of the script. Thread-safe.
   */
  static final class AnonymousNames {
    private final long origin = new SecureRandom().nextLong();
    private final AtomicLong count = new AtomicLong();

    Identity next() {
      return Identity.ofRecord(origin + "/" + count.getAndIncrement());
    }

    byte[] ofCall() {
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(origin)
          .putLong(count.getAndIncrement())
          .array();
    }
  }
}
