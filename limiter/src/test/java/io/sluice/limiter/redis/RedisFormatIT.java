package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.StoredTraffic;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.resps.Tuple;

/**
 * Compares keys with golden files of releases, which every later release must read, or leave alone:
 * a key's name has the version of its format. A line is a key's type, the key, the score of a
 * member or the id of an entry, and its bytes in hex. In snapshots before 0.2.0, a funnel's key has
 * no rate; both builds read each other's keys.
 */
class RedisFormatIT {
  private static final String GOLDEN = "redis.txt";
  private static final String ANSWERS = "redis-answers.txt";
  private static final long NOON = 1_790_000_000_000_000L;
  private static final HexFormat HEX = HexFormat.of();

  private static final Quota QUOTA = Quota.parse("7/60s");
  private static final Quota DAILY = Quota.of(5, CalendarUnit.DAY);
  private static final List<Rule> RULES =
      List.of(
          Rule.policing("funnel", QUOTA, Algorithm.GCRA),
          new Rule("delays", Quota.parse("1/2s"), Algorithm.GCRA, 600_000_000, false, false),
          Rule.policing("log", QUOTA, Algorithm.SLIDING_WINDOW_LOG),
          new Rule("slots", QUOTA, Algorithm.SLIDING_WINDOW_LOG, 600_000_000, false, false),
          Rule.policing("counter", QUOTA, Algorithm.SLIDING_WINDOW_COUNTER),
          Rule.policing("blocks1", QUOTA, Algorithm.GCRA).blocking(3_600_000_000L),
          Rule.policing("blocks2", QUOTA, Algorithm.SLIDING_WINDOW_LOG).blocking(3_600_000_000L),
          Rule.policing("blocks3", QUOTA, Algorithm.SLIDING_WINDOW_COUNTER)
              .blocking(3_600_000_000L),
          new Rule("days", DAILY, Algorithm.CALENDAR_WINDOW, 172_800_000_000L, false, false)
              .in(ZoneId.of("Europe/Berlin")),
          Rule.policing("blocks4", DAILY, Algorithm.CALENDAR_WINDOW).blocking(3_600_000_000L),
          Rule.policing("people", QUOTA, Algorithm.DISTINCT_LOG),
          Rule.policing("blocks5", Quota.parse("2/60s"), Algorithm.DISTINCT_LOG)
              .blocking(3_600_000_000L),
          Rule.policing("reach", QUOTA, Algorithm.HYPERLOGLOG));

  private static RedisTestServer redis;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.client.flushAll();
  }

  private static Request request(Rule rule, int i) {
    Identity identity =
        Identity.of(
            "ann",
            "reply",
            "id-" + i,
            new Identity.Source("actions-0-" + i, "ann", NOON / 1_000 + i, 1));
    Arrival arrival = new Arrival(identity, 1 + i % 3 / 2, NOON + 100_000L * i);
    ValueHash value = ValueHash.of(List.of("value-" + i / 2));
    List<Bucket> buckets = List.of(new Bucket(rule, "ann", "ann", value));
    return new Request(arrival, buckets, Standing.NONE, new Position(rule.name(), i));
  }

  private static List<Request> requests(int from, int to) {
    List<Request> requests = new ArrayList<>();
    for (Rule rule : RULES) {
      for (int i = from; i < to; i++) requests.add(request(rule, i));
    }
    return requests;
  }

  private static List<Outcome> meter(int from, int to) {
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      List<Outcome> outcomes = new ArrayList<>();
      for (Request request : requests(from, to)) outcomes.add(meter.meter(request));
      return outcomes;
    }
  }

  /** Uses of the traffic whose arrivals the journal knows by their records. */
  private static final Set<String> JOURNALED = Set.of("plain", "waiting", "blocking");

  private static List<String> meterTraffic(Function<Rule, List<StoredTraffic.Event>> events) {
    List<String> answers = new ArrayList<>();
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      for (Rule rule : StoredTraffic.rules()) {
        for (StoredTraffic.Event each : events.apply(rule)) {
          Outcome outcome = meter.meter(request(rule, each));
          answers.add(StoredTraffic.text(each, outcome));
        }
      }
    }
    return answers;
  }

  private static Request request(Rule rule, StoredTraffic.Event event) {
    String use = rule.name().substring(rule.name().indexOf('.') + 1);
    Position position =
        JOURNALED.contains(use) ? new Position(rule.name(), event.offset()) : Position.NONE;
    return new Request(event.arrival(), event.buckets(), Standing.NONE, position);
  }

  /** A refused attempt that counts has a name of its own, which begins at random. */
  private static final Pattern RANDOM =
      Pattern.compile("\\.attempts:l2:ann \\S+ (?:0301000000)?01([0-9a-f]{16})");

  /** Returns a line for each key, member and entry, in order. */
  private static String content() {
    List<String> lines = new ArrayList<>();
    for (String key : new TreeSet<>(redis.client.keys("*"))) {
      switch (redis.client.type(key)) {
        case "string" ->
            lines.add("string " + key + " " + hex(redis.client.get(key.getBytes(UTF_8))));
        case "zset" -> {
          for (Tuple each : redis.client.zrangeWithScores(key.getBytes(UTF_8), 0, -1)) {
            String score = new BigDecimal(each.getScore()).stripTrailingZeros().toPlainString();
            lines.add("zset " + key + " " + score + " " + hex(each.getBinaryElement()));
          }
        }
        case "stream" -> {
          for (Object each :
              redis.client.xrange(key.getBytes(UTF_8), "-".getBytes(UTF_8), "+".getBytes(UTF_8))) {
            List<?> entry = (List<?>) each;
            byte[] value = (byte[]) ((List<?>) entry.get(1)).get(1);
            lines.add(
                "stream "
                    + key
                    + " "
                    + new String((byte[]) entry.get(0), UTF_8)
                    + " "
                    + hex(value));
          }
        }
        case "list" -> {
          for (byte[] each : redis.client.lrange(key.getBytes(UTF_8), 0, -1)) {
            lines.add("list " + key + " " + hex(each));
          }
        }
        default -> throw new AssertionError("a key of no known type: " + key);
      }
    }
    return RANDOM
        .matcher(lines(lines))
        .replaceAll(found -> found.group().replace(found.group(1), "a".repeat(16)));
  }

  private static String hex(byte[] bytes) {
    return HEX.formatHex(bytes);
  }

  private static void restore(String golden) {
    for (String line : golden.split("\n")) {
      String[] words = line.split(" ");
      byte[] key = words[1].getBytes(UTF_8);
      byte[] last = HEX.parseHex(words[words.length - 1]);
      switch (words[0]) {
        case "string" -> redis.client.set(key, last);
        case "zset" -> redis.client.zadd(key, Double.parseDouble(words[2]), last);
        case "list" -> redis.client.rpush(key, last);
        default ->
            redis.client.xadd(key, XAddParams.xAddParams().id(words[2]), Map.of(new byte[0], last));
      }
    }
  }

  @Test
  void theBytesAreThoseOfTheGoldenFile() {
    meter(0, 6);
    meterTraffic(StoredTraffic::before);
    StoredTraffic.assertGolden(GOLDEN, content());
    StoredTraffic.assertGolden(ANSWERS, lines(meterTraffic(StoredTraffic::after)));
  }

  private static String lines(List<String> answers) {
    return String.join("\n", answers) + "\n";
  }

  /** Each of these is a release that a running system may be upgraded from. */
  @ParameterizedTest
  @ValueSource(strings = {"0.2.0", "0.3.0"})
  void keysOfAReleaseGetTheAnswersThatItGave(String release) {
    restore(StoredTraffic.golden(release, GOLDEN));
    assertThat(meterTraffic(StoredTraffic::after))
        .isEqualTo(StoredTraffic.golden(release, ANSWERS).lines().toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"before-0.2.0", "0.2.0", "0.3.0"})
  void goldenKeysAreReadAndGoneOnWith(String release) {
    List<Outcome> first = meter(0, 6);
    List<Outcome> then = meter(6, 12);
    redis.client.flushAll();
    restore(StoredTraffic.golden(release, GOLDEN));
    assertThat(meter(0, 6)).as("the journal's answers").isEqualTo(first);
    assertThat(meter(6, 12)).as("judged by what was counted").isEqualTo(then);
  }
}
