package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ScriptCall.AnonymousNames;
import io.sluice.limiter.redis.ScriptPipeline.Link;
import io.sluice.testing.TestScale;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;

/**
 * Compares the script with its fast path and without: the same answers and the same keys, to the
 * byte.
 */
class ShortWayIT {
  /** The events' clock runs for years, and no key may expire meanwhile. */
  private static final long GRACE_MILLIS = Duration.ofDays(10).toMillis();

  private static final int REQUESTS = 400;
  private static final RedisKeys NAMES = new RedisKeys("sluice");

  private static RedisTestServer redis;
  private static ScriptSide whole;
  private static ScriptSide kernelOnly;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
    whole = new ScriptSide(redis.connect(), 0, MeterScript.text(true).toByteArray());
    kernelOnly = new ScriptSide(redis.connect(), 1, MeterScript.text(false).toByteArray());
  }

  @AfterAll
  static void stop() {
    whole.close();
    kernelOnly.close();
    redis.close();
  }

  /**
   * Returns the arguments after the script's text. Created once for both scripts, because each call
   * names its attempts differently.
   */
  private static List<byte[]> call(List<Request> requests) {
    ScriptCall call = new ScriptCall(NAMES, new AnonymousNames(), GRACE_MILLIS, 0);
    for (Request each : requests) assertThat(call.take(each)).isTrue();
    List<byte[]> all = new ArrayList<>();
    for (Rawable each : call.command(Command.EVAL, new byte[0], Link.NONE)) all.add(each.getRaw());
    return all.subList(2, all.size());
  }

  private static void agree(ScriptSide side, List<Request> requests, String what) {
    List<byte[]> call = call(requests);
    assertThat(doubles(side.answerTo(call))).as(what).isEqualTo(doubles(kernelOnly.answerTo(call)));
    assertThat(side.stored()).as(what).isEqualTo(kernelOnly.stored());
  }

  private static List<Double> doubles(byte[] answer) {
    ByteBuffer numbers = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
    List<Double> all = new ArrayList<>();
    while (numbers.hasRemaining()) all.add(numbers.getDouble());
    return all;
  }

  static LongStream seeds() {
    return TestScale.seeds(10, 24);
  }

  /**
   * Runs with 10 seeds, or 24 at full scale. Some arrivals have a position, and some of those come
   * again; every other seed has one limit.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void bothAnswerAndStoreTheSame(long seed) {
    whole.ask(Command.FLUSHALL);
    long begun = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    List<Request> requests = RedisTraffic.ofShortWay(seed, REQUESTS).requests();
    long offset = 0;
    for (int from = 0; from < requests.size(); ) {
      int to = Math.min(requests.size(), from + 1 + random.nextInt(60));
      Position last = Position.NONE;
      List<Request> batch = new ArrayList<>();
      boolean positioned = random.nextInt(4) > 0;
      if (random.nextInt(6) == 0) offset = Math.max(0, offset - random.nextInt(30));
      for (Request each : requests.subList(from, to)) {
        last = positioned ? new Position("topic-" + random.nextInt(2), offset++) : Position.NONE;
        List<Bucket> buckets = seed % 2 == 0 ? each.buckets().subList(0, 1) : each.buckets();
        batch.add(new Request(each.arrival(), buckets, each.elsewhere(), last));
      }
      agree(whole, batch, "seed %d, from %d".formatted(seed, from));
      if (random.nextInt(4) == 0)
        agree(whole, batch, "seed %d, from %d again".formatted(seed, from));
      from = to;
    }
    livesAsLong(whole, begun);
  }

  /**
   * Compares times to live, which can differ by the time since then, because the sides ran one
   * after the other.
   */
  private static void livesAsLong(ScriptSide side, long begunNanos) {
    Map<String, Long> found = side.timesToLive();
    Map<String, Long> expected = kernelOnly.timesToLive();
    long apart = Duration.ofNanos(System.nanoTime() - begunNanos).toMillis() + 1;
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    found.forEach((key, ttl) -> assertThat(Math.abs(ttl - expected.get(key))).isLessThan(apart));
  }

  /**
   * Each user's events exceed the quota. The log with few permits is read entry by entry, the other
   * one is not.
   */
  @ParameterizedTest
  @CsvSource({"GCRA, 3", "GCRA, 40", "SLIDING_WINDOW_LOG, 3", "SLIDING_WINDOW_LOG, 40"})
  void plainArrivalsDoWithoutTheKernel(Algorithm algorithm, long permits) {
    String text = new String(MeterScript.text(true).toByteArray(), UTF_8);
    String begins = "local function kernel(gate)\n";
    assertThat(text).contains(begins);
    String none = text.replace(begins, begins + "error('the kernel is asked')\n");
    Rule rule = Rule.policing("reply", Quota.of(permits, Duration.ofMinutes(1)), algorithm);
    whole.ask(Command.FLUSHALL);
    long begun = System.nanoTime();
    SplittableRandom random = new SplittableRandom(permits);
    try (ScriptSide shortOnly = new ScriptSide(redis.connect(), 2, none.getBytes(UTF_8))) {
      long offset = 0;
      for (int i = 0; i < 20; i++) {
        List<Request> batch = new ArrayList<>();
        for (int j = 0; j < 100; j++, offset++) {
          long now = 1_790_000_000_000_000L + offset * 1_000_000L / permits / 2;
          Identity identity = new Identity(offset + 1, random.nextInt(), random.nextBoolean());
          Bucket bucket = new Bucket(rule, "user" + random.nextInt(3));
          Request request = Request.of(new Arrival(identity, 1, now), List.of(bucket));
          batch.add(RedisTraffic.at(new Position("topic-0", offset), request));
        }
        agree(shortOnly, batch, "batch " + i);
      }
      livesAsLong(shortOnly, begun);
    }
  }
}
