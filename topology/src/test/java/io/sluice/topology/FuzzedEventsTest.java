package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.VerdictField;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import io.sluice.testing.Mutator;
import io.sluice.testing.ProtobufBytes;
import io.sluice.testing.TestScale;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with random records on the input topic and the topic of delayed events: the stream
 * continues, and each record ends once, with its bytes unchanged. Seeds are new in each run and
 * appear in the names of the tests.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FuzzedEventsTest {
  private static final int ROUNDS = 3_000;
  private static final int HUGE = 100_000;
  private static final int MANY = 500;
  private static final String[] WORDS = {
    "null",
    "true",
    "-1",
    "0",
    "1e999",
    "9223372036854775807",
    "1700000000",
    "99999999999999999999",
    "{",
    "}",
    "[[[[",
    "\"\"",
    "\\u0000",
    "\\ud800",
    "\"userId\":",
    "\"action\":\"sms\"",
    "\"cost\":",
    "\"cost\":0,",
    "\"occurredAt\":",
    "\"attributes\":{\"a\":\"b\"}",
    "\"eventId\":\"e\"",
    "\u00e9\u6f22\ud83d\ude00",
    "\u0000"
  };
  private static final List<String> NAMES =
      Stream.concat(
              Stream.of(
                  "trace",
                  "",
                  "Trace",
                  "\u00e9\u6f22",
                  "sluice",
                  "sluice_verdict",
                  "x-sluice-verdict",
                  "__value_schema_id",
                  "apicurio.value.globalId"),
              Stream.concat(
                      Stream.of("sluice-", "sluice-error", "sluice-error-origin", "sluice-made-up"),
                      Stream.of(
                          VerdictField.VERDICT.header(),
                          VerdictField.LIMIT.header(),
                          VerdictField.REMAINING.header(),
                          VerdictField.RETRY_AFTER_MS.header(),
                          VerdictField.RESET_AFTER_MS.header(),
                          VerdictField.REASON.header(),
                          DelayHeaders.RELEASE_AT_MS,
                          DelayHeaders.RELEASE_TO,
                          DelayHeaders.ORIGIN,
                          VerdictField.ATTEMPT.header(),
                          VerdictHeaders.SHADOW))
                  .flatMap(
                      name ->
                          Stream.of(name, name.toUpperCase(Locale.ROOT), "S" + name.substring(1))))
          .toList();
  private static final List<byte[]> TEXTS =
      Stream.of(
              "meter",
              "allowed",
              "0",
              "1",
              "-1",
              "2147483647",
              "9223372036854775807",
              "user-actions-0-7",
              "keyed user-actions-0-7 1",
              Long.toString(Harness.NOON_MS + 500))
          .map(text -> text.getBytes(UTF_8))
          .toList();

  /** Timestamps of records, which are used if an event has no time. */
  private static final long[] TIMESTAMPS = {
    Long.MIN_VALUE,
    -Harness.NOON_MS,
    -2,
    -1,
    0,
    1,
    999_999_999L,
    1_000_000_000L,
    1_700_000_000L,
    9_999_999_999L,
    10_000_000_000L,
    Harness.NOON_MS - 86_400_000,
    Harness.NOON_MS + 60_000,
    Harness.NOON_MS + 600_000,
    Harness.NOON_MS * 1_000,
    7_289_654_399_999L,
    7_289_654_400_000L,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  @TempDir private static Path schemas;

  /** Lets the formats with a schema id be parsed beyond their first five bytes. */
  @BeforeAll
  static void writeSchema() throws IOException {
    Files.writeString(schemas.resolve("1.avsc"), UserAction.getClassSchema().toString());
    Files.writeString(schemas.resolve("2.json"), "{}");
    Files.writeString(
        schemas.resolve("3.proto"),
        """
        syntax = "proto3";
        import "google/protobuf/timestamp.proto";
        message Sent {
          string user_id = 1;
          string action = 2;
          google.protobuf.Timestamp occurred_at = 3;
          map<string, string> attributes = 4;
          int32 cost = 5;
        }
        """);
  }

  static LongStream seeds() {
    return TestScale.seeds(2, 20);
  }

  /** Valid events in every format; a new format needs another array. */
  private static List<byte[]> corpus() {
    byte[] avro =
        UserActionCodec.encode(
            UserAction.newBuilder()
                .setEventId("a1")
                .setUserId("ann")
                .setAction("sms")
                .setOccurredAt(Instant.ofEpochMilli(Harness.NOON_MS))
                .setTarget("bob")
                .setAttributes(Map.of("country", "nz", "é", "漢"))
                .build());
    String json =
        "{\"eventId\":\"j1\",\"userId\":\"ann\",\"action\":\"call\",\"occurredAt\":"
            + Harness.NOON_MS
            + ",\"cost\":1,\"target\":null,\"attributes\":{\"country\":\"nz\",\"n\":1},\"x\":[{}]}";
    byte[] body = new byte[avro.length - 10];
    System.arraycopy(avro, 10, body, 0, body.length);
    byte[] confluent =
        ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(1).put(body).array();
    ProtobufBytes protobuf =
        new ProtobufBytes()
            .raw(new byte[] {0, 0, 0, 0, 3, 0})
            .text(1, "ann")
            .text(2, "sms")
            .message(3, new ProtobufBytes().number(1, Harness.NOON_MS / 1_000))
            .entry(4, "country", "nz")
            .number(5, 1);
    return List.of(
        avro,
        json.getBytes(UTF_8),
        confluent,
        ("\0\0\0\0\2" + json).getBytes(UTF_8),
        protobuf.toBytes(),
        "{\"userId\":\"bob\",\"action\":\"post\"}".getBytes(UTF_8),
        " ".getBytes(UTF_8));
  }

  private static Harness harness() {
    return new Harness(
        "sluice.schemas.folder=" + schemas,
        "sluice.limits=post,sms,call",
        "sluice.limit.post.match.action=post",
        "sluice.limit.post.quota=5/60s",
        "sluice.limit.sms.match.attributes.country=nz",
        "sluice.limit.sms.quota=2/1s",
        "sluice.limit.sms.exceeded=delay",
        "sluice.limit.call.match.action=call",
        "sluice.limit.call.quota=1/1s",
        "sluice.limit.call.exceeded=retry",
        "sluice.limit.call.retry.attempts=3");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsPublishedEndsOnce(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Mutator values = new Mutator(random, corpus(), WORDS);
    try (Harness sluice = harness()) {
      Ends ends = new Ends(seed);
      for (int round = 0; round < ROUNDS; round++) {
        byte[] value = random.nextInt(50) == 0 ? null : values.next();
        Headers headers = headers(random, round, 3);
        ends.sent(
            new Ends.Sent(key(random), value, headers, timestampMs(random)),
            it -> sluice.send(it.key(), it.value(), it.headers(), it.timestampMs()));
        ends.read(sluice);
        if (random.nextInt(20) == 0) sluice.advanceWall(Duration.ofMillis(100));
      }
      ends.awaitAll(sluice);
      assertThat(ends.dead())
          .as("dead letters of seed " + seed)
          .isBetween(ROUNDS / 10, ROUNDS - 100);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsScheduledEndsOnce(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Mutator values = new Mutator(random, corpus(), WORDS);
    try (Harness sluice = harness()) {
      Ends ends = new Ends(seed);
      for (int round = 0; round < ROUNDS; round++) {
        byte[] value = random.nextInt(50) == 0 ? null : values.next();
        Headers headers = headers(random, round, 4);
        if (random.nextInt(3) > 0) schedule(headers, random);
        ends.sent(
            new Ends.Sent(key(random), value, headers, timestampMs(random)),
            it -> sluice.delay(it.key(), it.value(), it.headers(), it.timestampMs()));
        ends.read(sluice);
        if (random.nextInt(20) == 0) sluice.advanceWall(Duration.ofMillis(100));
      }
      ends.awaitAll(sluice);
      assertThat(ends.dead())
          .as("dead letters of seed " + seed)
          .isBetween(ROUNDS / 10, ROUNDS - 100);
    }
  }

  private static byte[] key(SplittableRandom random) {
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> null;
      case 3 -> new byte[0];
      case 4 -> noise(random, 1 + random.nextInt(40));
      case 5 -> random.nextInt(10) == 0 ? noise(random, HUGE) : noise(random, 4);
      default -> ("user" + random.nextInt(3)).getBytes(UTF_8);
    };
  }

  private static byte[] noise(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static long timestampMs(SplittableRandom random) {
    return random.nextBoolean()
        ? Harness.NOON_MS + random.nextInt(1_000)
        : TIMESTAMPS[random.nextInt(TIMESTAMPS.length)];
  }

  private static void schedule(Headers headers, SplittableRandom random) {
    long atMs = Harness.NOON_MS + random.nextInt(20_000);
    headers.add(DelayHeaders.RELEASE_AT_MS, Long.toString(atMs).getBytes(UTF_8));
    String to = random.nextBoolean() ? DelayHeaders.TO_METER : DelayHeaders.TO_ALLOWED;
    headers.add(DelayHeaders.RELEASE_TO, to.getBytes(UTF_8));
  }

  private static Headers headers(SplittableRandom random, int round, int most) {
    Mutator texts = new Mutator(random, TEXTS, "0", "-", "meter");
    Headers headers = new RecordHeaders();
    boolean many = random.nextInt(200) == 0;
    for (int left = many ? MANY : random.nextInt(most); left > 0; left--) {
      headers.add(NAMES.get(random.nextInt(NAMES.size())), text(random, texts));
    }
    return headers.add(Ends.NUMBER, Integer.toString(round).getBytes(UTF_8));
  }

  private static byte[] text(SplittableRandom random, Mutator texts) {
    return switch (random.nextInt(20)) {
      case 0, 1 -> null;
      case 2 -> noise(random, random.nextInt(9)); // hardly ever UTF-8
      case 3 -> random.nextInt(20) == 0 ? noise(random, HUGE) : new byte[0];
      default -> texts.next();
    };
  }
}
