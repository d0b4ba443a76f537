package io.sluice.limiter.redis;

import static java.lang.Math.max;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Measurement;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.StateReading;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.CallRules.Doubles;
import io.sluice.limiter.redis.CallRules.Lacking;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reader of the reply of the {@linkplain MeterScript script} that meters in Redis: the numbers for
 * one arrival after another.
 */
final class ScriptReply {
  // Codes in the script's replies; protocol.lua has the same numbers.
  static final long NEVER = -1;
  static final long LATER = -2;
  static final long SHUT = -3;
  static final long NOT_CHARGED = -1;
  static final int LACKS = -1;
  static final int FAILED = -2;
  static final int BEHIND = -3;
  static final int FENCED = -4;
  static final int BEGUN = -5;
  static final int CHANGED = 4;
  static final int BLOCKED = 8;

  private static final Outcome.Kind[] KINDS = Outcome.Kind.values();

  private final Iterator<?> answers;
  private final Consumer<String> grown;
  private final LongSupplier numbers = this::nextLong;
  private ByteBuffer doubles = ByteBuffer.allocate(0);

  /**
   * @param answers strings of doubles, each followed by one string for each of its arrivals that
   *     was not metered; several strings of doubles if the requests of a call were sent singly
   * @param grown called with the name of each limit whose Bloom filters have exceeded their
   *     capacity
   */
  ScriptReply(List<?> answers, Consumer<String> grown) {
    this.answers = answers.iterator();
    this.grown = grown;
  }

  /** Whether the reply to a call of a single request contains the request's answer. */
  static boolean isToOne(List<?> answers) {
    return new ScriptReply(answers, limit -> {}).hasNext();
  }

  /**
   * Whether the reply contains the answer to another request. If not, the script lacked changes of
   * a rule, or the end of a period: see {@link #lacking}.
   */
  boolean hasNext() {
    while (!doubles.hasRemaining() && answers.hasNext()) {
      doubles = ByteBuffer.wrap((byte[]) answers.next()).order(ByteOrder.LITTLE_ENDIAN);
    }
    return doubles.hasRemaining() && doubles.getDouble(doubles.position()) != LACKS;
  }

  /**
   * Returns the reason why the next arrival was not metered, and passes over its answer; empty if
   * the arrival was metered.
   */
  Optional<UnreadableKeyException> problem() {
    if (!hasNext() || doubles.getDouble(doubles.position()) != FAILED) return Optional.empty();
    nextLong();
    String text = new String((byte[]) answers.next(), UTF_8);
    int keyEnds = text.lastIndexOf('\n');
    String problem = Failures.inOneLine(text.substring(keyEnds + 1));
    return Optional.of(new UnreadableKeyException(text.substring(0, keyEnds), problem, null));
  }

  /**
   * Answer to the release of a queue that was not metered.
   *
   * @param code {@link #BEHIND}, {@link #FENCED} or {@link #BEGUN}
   * @param number with BEHIND, the instant until which the release is behind another queue, or 0;
   *     with BEGUN, the epoch that has begun
   * @param bucket with BEHIND, the number of the bucket at which it is, from 1 on, or 0
   */
  record Unmetered(int code, long number, int bucket) {}

  /**
   * Returns why the next release was not metered, and passes over its answer; empty if it was
   * metered.
   */
  Optional<Unmetered> unmetered() {
    if (!hasNext() || doubles.getDouble(doubles.position()) > BEHIND) return Optional.empty();
    int code = (int) nextLong();
    long number = code == FENCED ? 0 : nextLong();
    return Optional.of(new Unmetered(code, number, code == BEHIND ? (int) nextLong() : 0));
  }

  /** Returns the reply to a call of a single request that was not metered. */
  static List<byte[]> failed(String key, String problem) {
    return List.of(new Doubles().add(FAILED).toByteArray(), (key + "\n" + problem).getBytes(UTF_8));
  }

  /**
   * Returns the instant for which the script lacked the end of its period, if this is the reason
   * why the reply has no further answer; otherwise empty.
   */
  Optional<Lacking> lacking() {
    if (!doubles.hasRemaining()) return Optional.empty();
    nextLong();
    return Optional.of(new Lacking(nextLong(), nextLong()));
  }

  Outcome next(Request request) {
    if (!hasNext()) throw new NoSuchElementException();
    int kind = (int) nextLong();
    long slotMicros = nextLong();
    Judgement[] judgements = new Judgement[request.buckets().size()];
    for (int i = 0; i < judgements.length; i++) {
      judgements[i] = next(request.buckets().get(i), request.arrival(), kind);
    }
    return new Outcome(KINDS[kind % CHANGED], slotMicros, Arrays.asList(judgements));
  }

  private Judgement next(Bucket bucket, Arrival arrival, int kind) {
    Rule changing = bucket.rule();
    long nowMicros = nextLong();
    long conformsAt = nextLong();
    long chargedAt = nextLong();
    Rule rule = kind / CHANGED % 2 == 1 ? inForce(changing) : changing;
    long blockedUntil = kind >= BLOCKED ? nextLong() : 0;
    StateReading state = rule.algorithm().found(rule, numbers);
    if (state.hasGrown()) grown.accept(changing.name());
    if (conformsAt == LATER) conformsAt = state.conformsAt(nowMicros, arrival.cost());
    Measurement found =
        blockedUntil == 0
            ? measurement(conformsAt, chargedAt, state.remaining(nowMicros), state.newAt())
            : blocked(conformsAt, chargedAt, blockedUntil, max(state.newAt(), blockedUntil));
    return ofValues(bucket, found).judge(rule, arrival, nowMicros);
  }

  /** Returns the measurement, with the number of the arrival's values if these are too many. */
  private static Measurement ofValues(Bucket bucket, Measurement found) {
    boolean counts = bucket.rule().algorithm().countsDistinct();
    return counts && found instanceof Measurement.Oversized
        ? new Measurement.TooManyValues(bucket.valueCount(), found.remaining(), found.newAtMicros())
        : found;
  }

  /**
   * Returns the rule with the numbers by which the script has judged the bucket. They are read from
   * the reply, because the rule may have had other numbers than those that are known now.
   */
  private Rule inForce(Rule changing) {
    long period = nextLong();
    long permits = nextLong();
    long capacity = nextLong();
    long burst = changing.algorithm().hasBurst() ? capacity : permits;
    return changing.with(new Quota(permits, period, burst), nextLong(), 0);
  }

  /**
   * Returns the measurement of a bucket that was blocked before the arrival, or that the arrival
   * has blocked.
   */
  private static Measurement blocked(long conformsAt, long chargedAt, long until, long newAt) {
    return conformsAt == SHUT && chargedAt == NOT_CHARGED
        ? new Measurement.Blocked(until, newAt)
        : measurement(max(conformsAt, until), chargedAt, 0, newAt);
  }

  private static Measurement measurement(
      long conformsAt, long chargedAt, long remaining, long newAt) {
    if (chargedAt != NOT_CHARGED) {
      return new Measurement.ChargedBefore(chargedAt, remaining, newAt);
    }
    if (conformsAt == StateReading.NEVER_MICROS) return new Measurement.Known(newAt);
    return conformsAt == NEVER
        ? new Measurement.Oversized(remaining, newAt)
        : new Measurement.Conforms(conformsAt, remaining, newAt);
  }

  private long nextLong() {
    return (long) doubles.getDouble(); // each number in a reply is whole, and below 2^53
  }
}
