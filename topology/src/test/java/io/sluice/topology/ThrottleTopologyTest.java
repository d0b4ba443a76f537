package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import io.sluice.topology.intake.Nodes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottleTopologyTest {
  private static final String[] POSTS = {
    "sluice.limits=post", "sluice.limit.post.match.action=post", "sluice.limit.post.quota=5/60s"
  };

  private static String[] with(String[] settings, String... more) {
    String[] all = Arrays.copyOf(settings, settings.length + more.length);
    System.arraycopy(more, 0, all, settings.length, more.length);
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "funnel, 60s",
    "sliding-window-log, 60s",
    "sliding-window-counter, 60s",
    "calendar-window, hour"
  })
  void twentyEventsAtOnceGiveExactlyTheQuota(String algorithm, String period) {
    try (Harness sluice =
        new Harness(
            with(
                POSTS,
                "sluice.limit.post.quota=5/" + period,
                "sluice.limit.post.algorithm=" + algorithm))) {
      for (int i = 0; i < 20; i++) sluice.send("ann", "post", 0);
      assertThat(sluice.allowed()).hasSize(5);
      assertThat(sluice.rejected()).hasSize(15);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void bothStoresKeepWhatWasCounted(String store) {
    try (Harness sluice = new Harness(with(POSTS, "sluice.state.store=" + store))) {
      for (int i = 0; i < 7; i++) sluice.send("ann", "post", 0);
      sluice.send("bea", "post", 0);
      assertThat(sluice.allowed()).hasSize(6);
    }
  }

  @Test
  void headersExplainTheVerdict() {
    try (Harness sluice =
        new Harness(with(POSTS, "sluice.limit.post.algorithm=sliding-window-log"))) {
      for (int i = 0; i < 6; i++) sluice.send("ann", "post", 1_000 * i);
      Map<String, String> first = sluice.allowed().get(0).headers();
      assertThat(first)
          .containsEntry("sluice-verdict", "allowed")
          .containsEntry("sluice-limit", "post")
          .containsEntry("sluice-remaining", "4")
          .containsEntry("sluice-reset-after-ms", "60000")
          .containsEntry("sluice-attempt", "1")
          .doesNotContainKeys("sluice-retry-after-ms", "sluice-reason");
      assertThat(sluice.rejected().get(0).headers())
          .containsEntry("sluice-verdict", "rejected")
          .containsEntry("sluice-limit", "post")
          .containsEntry("sluice-remaining", "0")
          .containsEntry("sluice-reason", "over-limit")
          .containsEntry("sluice-retry-after-ms", "55000")
          .containsEntry("sluice-reset-after-ms", "59000");
    }
  }

  @Test
  void oversizedEventsAreHopeless() {
    try (Harness sluice = new Harness(POSTS)) {
      sluice.send("ann", "post", 0, "\"cost\":6");
      assertThat(sluice.rejected().get(0).headers())
          .containsEntry("sluice-reason", "oversized")
          .doesNotContainKey("sluice-retry-after-ms");
      sluice.send("ann", "post", 0, "\"cost\":5");
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void anEventThatCostsTooLittleIsADeadLetter() {
    try (Harness sluice = new Harness(POSTS)) {
      sluice.send("ann", "post", 0, "\"cost\":0");
      sluice.send("ann", "post", 0, "\"cost\":1");
      sluice.send("ann", "post", 0);
      assertThat(sluice.allowed()).hasSize(2);
      assertThat(sluice.deadLetters())
          .extracting(dead -> dead.header("sluice-error"))
          .containsExactly("cost must be at least 1 (sluice.event.cost.min): 0");
    }
    try (Harness sluice = new Harness(with(POSTS, "sluice.event.cost.min=3"))) {
      sluice.send("ann", "post", 0, "\"cost\":2");
      sluice.send("ann", "post", 0, "\"cost\":3");
      sluice.send("ann", "post", 0);
      assertThat(sluice.allowed()).hasSize(1);
      assertThat(sluice.deadLetters())
          .extracting(dead -> dead.header("sluice-error"))
          .containsExactly(
              "cost must be at least 3 (sluice.event.cost.min): 2",
              "cost must be at least 3 (sluice.event.cost.min): 1");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000L, 1_700_000_000L, 9_999_999_999L})
  void aTimeInSecondsIsADeadLetter(long seconds) {
    try (Harness sluice = new Harness(POSTS)) {
      String event = "{\"userId\":\"ann\",\"action\":\"post\"";
      dead(
          sluice,
          event + ",\"occurredAt\":" + seconds + "}",
          "occurredAt looks like seconds and must be epoch milliseconds: " + seconds);
      byte[] timeless = (event + "}").getBytes(StandardCharsets.UTF_8);
      sluice.send(timeless, new RecordHeaders(), seconds);
      assertThat(sluice.deadLetters().get(0).header("sluice-error"))
          .isEqualTo(
              "occurredAt, or the record's timestamp in its place, looks like seconds and must be epoch"
                  + " milliseconds: "
                  + seconds);
      sluice.send("ann", "post", 0);
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999_999L, 10_000_000_000L})
  void anyOtherTimeOf1970IsOne(long millis) {
    try (Harness sluice = new Harness(POSTS)) {
      String event = "{\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":" + millis + "}";
      sluice.send(event.getBytes(StandardCharsets.UTF_8), new RecordHeaders());
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void noHeaderOfOursComesFromOutside() {
    try (Harness sluice = new Harness(with(POSTS, "sluice.limit.post.quota=1/60s"))) {
      byte[] post = "{\"userId\":\"ann\",\"action\":\"post\"}".getBytes(StandardCharsets.UTF_8);
      for (byte[] value : List.of(post, post, new byte[] {1})) {
        RecordHeaders headers = new RecordHeaders();
        for (String name :
            List.of(
                "error", "error-origin", "verdict", "release-to", "origin", "reason", "made-up")) {
          headers.add("sluice-" + name, "forged".getBytes(StandardCharsets.UTF_8));
          headers.add("Sluice-" + name.toUpperCase(Locale.ROOT), null);
        }
        headers.add("sluice-", new byte[0]).add("sluice", new byte[] {1}).add("trace", null);
        sluice.send(value, headers);
      }
      assertThat(sluice.allowed().get(0).headers().keySet())
          .containsExactlyInAnyOrder(
              "sluice",
              "trace",
              "sluice-verdict",
              "sluice-limit",
              "sluice-remaining",
              "sluice-reset-after-ms",
              "sluice-attempt");
      assertThat(sluice.rejected().get(0).headers())
          .containsEntry("sluice-reason", "over-limit")
          .doesNotContainKeys("sluice-made-up", "sluice-error", "Sluice-ERROR", "sluice-");
      assertThat(sluice.deadLetters().get(0).headers())
          .containsOnlyKeys(
              "sluice", "trace", "sluice-error", "sluice-error-reason", "sluice-error-origin")
          .doesNotContainValue("forged");
    }
  }

  @Test
  void costZeroAsksWithoutConsumingWhereItMay() {
    try (Harness sluice = new Harness(with(POSTS, "sluice.event.cost.min=0"))) {
      for (int i = 0; i < 9; i++) sluice.send("ann", "post", 0, "\"cost\":0");
      sluice.send("ann", "post", 0, "\"cost\":5");
      assertThat(sluice.allowed())
          .hasSize(10)
          .last()
          .matches(out -> out.header("sluice-remaining").equals("0"));
    }
  }

  @Test
  void whatNoLimitMatchesIsAllowedWithoutALimitOrRejectedIfSoConfigured() {
    try (Harness sluice = new Harness(POSTS)) {
      sluice.send("ann", "like", 0);
      assertThat(sluice.allowed().get(0).headers())
          .containsEntry("sluice-verdict", "allowed")
          .doesNotContainKey("sluice-limit");
    }
    try (Harness sluice = new Harness(with(POSTS, "sluice.unmatched=reject"))) {
      sluice.send("ann", "like", 0);
      assertThat(sluice.rejected().get(0).headers()).containsEntry("sluice-reason", "unmatched");
    }
  }

  @Test
  void severalLimitsAreChargedTogetherOrNotAtAll() {
    try (Harness sluice =
        new Harness(
            "sluice.limits=few,many",
            "sluice.limit.few.match.action=post",
            "sluice.limit.few.quota=2/60s",
            "sluice.limit.many.quota=4/60s")) {
      for (int i = 0; i < 9; i++)
        sluice.send("ann", "post", 0); // two pass, and are charged to both limits
      for (int i = 0; i < 3; i++) sluice.send("ann", "like", 0); // two more fit into many
      assertThat(sluice.allowed()).hasSize(4);
      assertThat(sluice.rejected().get(0).headers()).containsEntry("sluice-limit", "few");
    }
  }

  @Test
  void aShadowLimitOnlyWatches() {
    try (Harness sluice = new Harness(with(POSTS, "sluice.limit.post.mode=shadow"))) {
      for (int i = 0; i < 6; i++) sluice.send("ann", "post", 0);
      List<Harness.Out> allowed = sluice.allowed();
      assertThat(allowed).hasSize(6);
      assertThat(allowed.get(5).header("sluice-shadow"))
          .startsWith("limit=post;verdict=rejected;reason=over-limit;remaining=0;retry-after-ms=");
      assertThat(allowed.get(5).headers()).doesNotContainKey("sluice-limit");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait", "allow", "reject", "state-store"})
  void aShadowLimitHasNoSayWhileRedisIsGone(String policy) {
    try (RedisMeter gone = new RedisMeter(RedisSettings.of("redis://127.0.0.1:1"));
        Harness sluice =
            new Harness(
                () -> gone,
                "sluice.redis.uri=redis://127.0.0.1:1",
                "sluice.limits=watched",
                "sluice.limit.watched.quota=1/60s",
                "sluice.limit.watched.backend=redis",
                "sluice.limit.watched.mode=shadow",
                "sluice.limit.watched.redis.unavailable=" + policy)) {
      for (int i = 0; i < 3; i++) sluice.send("ann", "post", 0);
      assertThat(sluice.allowed())
          .hasSize(3)
          .allSatisfy(
              out -> assertThat(out.headers()).doesNotContainKeys("sluice-limit", "sluice-reason"));
    }
  }

  @Test
  void recordsGoOnAsTheyCame() {
    try (Harness sluice = new Harness(POSTS)) {
      byte[] value =
          "{ \"userId\" : \"ann\",\n\"action\":\"post\", \"x\":[1,{}]}"
              .getBytes(StandardCharsets.UTF_8);
      RecordHeaders headers = new RecordHeaders();
      headers.add("trace", new byte[] {1, 2});
      headers.add("sluice-verdict", "forged".getBytes(StandardCharsets.UTF_8));
      sluice.send(value, headers);
      Harness.Out out = sluice.allowed().get(0);
      assertThat(out.value()).isEqualTo(value);
      assertThat(new String(out.key(), StandardCharsets.UTF_8)).isEqualTo("key");
      assertThat(out.timestampMs()).isEqualTo(Harness.NOON_MS + 7);
      assertThat(out.headers()).containsKey("trace").containsEntry("sluice-verdict", "allowed");
    }
  }

  @Test
  void avroEventsAreMetered() {
    try (Harness sluice = new Harness(POSTS)) {
      UserAction action =
          UserAction.newBuilder()
              .setEventId("a1")
              .setUserId("ann")
              .setAction("post")
              .setOccurredAt(Instant.ofEpochMilli(Harness.NOON_MS))
              .setCost(3)
              .build();
      byte[] value = UserActionCodec.encode(action);
      sluice.send(value, new RecordHeaders());
      assertThat(sluice.allowed().get(0).value()).isEqualTo(value);
    }
  }

  @Test
  void brokenEventsGoToTheDeadLettersAndTheStreamGoesOn() {
    try (Harness sluice = new Harness(POSTS)) {
      dead(
          sluice,
          "not an event",
          "unknown format: the first byte is 6E, not C3 (Avro) or { (JSON)");
      dead(sluice, "{\"userId\":\"ann\",\"action\":\"po", "bad JSON: ");
      dead(sluice, "{\"action\":\"post\"}", "userId is missing");
      dead(sluice, "{\"userId\":\"ann\"}", "action is missing");
      dead(
          sluice,
          "{\"userId\":\"ann\",\"action\":\"post\",\"cost\":-1}",
          "cost must be at least 1 (sluice.event.cost.min): -1");
      dead(
          sluice,
          "{\"userId\":\"ann\",\"action\":\"post\",\"cost\":1.5}",
          "cost must be a whole number");
      long hourAhead = Harness.NOON_MS + 3_600_000;
      dead(
          sluice,
          "{\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":" + hourAhead + "}",
          "occurredAt is 3600000 ms in the future, at most 60000 is accepted");
      dead(sluice, "", "the value is empty");
      sluice.send(new byte[] {(byte) 0xC3, 1, 2, 3}, new RecordHeaders());
      assertThat(sluice.deadLetters().get(0).header("sluice-error")).startsWith("bad Avro: ");
      sluice.send("ann", "post", 0);
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  private static void dead(Harness sluice, String value, String error) {
    sluice.send(value.getBytes(StandardCharsets.UTF_8), new RecordHeaders());
    Harness.Out out = sluice.deadLetters().get(0);
    assertThat(out.text()).isEqualTo(value);
    assertThat(out.header("sluice-error")).startsWith(error);
    assertThat(out.timestampMs()).isEqualTo(Harness.NOON_MS + 7);
  }

  @Test
  void aTimeFarAheadDoesNotMoveTheClock() {
    try (Harness sluice = new Harness(POSTS)) {
      for (int i = 0; i < 5; i++) sluice.send("ann", "post", 0);
      sluice.send("ann", "post", 3_600_000);
      sluice.send("ann", "post", 1);
      assertThat(sluice.deadLetters()).hasSize(1);
      assertThat(sluice.rejected()).hasSize(1);
    }
  }

  @Test
  void byTheWallClockEventsAreJudgedWhenTheyCome() {
    try (Harness sluice = new Harness(with(POSTS, "sluice.time=wall"))) {
      for (int i = 0; i < 6; i++) sluice.send("ann", "post", -1_000_000L * i);
      assertThat(sluice.allowed()).hasSize(5);
      sluice.advanceWall(Duration.ofSeconds(12));
      sluice.send("ann", "post", 0);
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void idleKeysVanishFromTheStore() {
    for (String store : List.of("memory", "rocksdb")) {
      try (Harness sluice = new Harness(with(POSTS, "sluice.state.store=" + store))) {
        for (int i = 0; i < 100; i++) sluice.send("user" + i, "post", 0);
        assertThat(rows(sluice)).isEqualTo(100);
        sluice.advanceWall(Duration.ofMinutes(4));
        sluice.send("late", "post", 179_999); // a log or a late event may still need the rows
        fourTicks(sluice);
        assertThat(rows(sluice)).isEqualTo(101);
        sluice.send("late", "post", 180_000);
        fourTicks(sluice);
        assertThat(rows(sluice)).isEqualTo(1);
      }
    }
  }

  /** Advances four seconds, since on disk the next rows are checked in every fourth tick. */
  private static void fourTicks(Harness sluice) {
    for (int i = 0; i < 4; i++) sluice.advanceWall(Duration.ofSeconds(1));
  }

  private static int rows(Harness sluice) {
    int rows = 0;
    try (var all = sluice.driver.getKeyValueStore(Nodes.LIMITS).all()) {
      while (all.hasNext()) {
        all.next();
        rows++;
      }
    }
    return rows;
  }

  @Test
  void eventsFoundElsewhereHopHomeWhateverTheirKey() {
    try (Harness sluice = new Harness(with(POSTS, "sluice.topics.partitions=6"))) {
      for (int i = 0; i < 60; i++) {
        byte[] value =
            ("{\"userId\":\"u" + i + "\",\"action\":\"post\"}").getBytes(StandardCharsets.UTF_8);
        sluice.send(i % 2 == 0 ? null : value, value, new RecordHeaders());
      }
      assertThat(sluice.allowed())
          .hasSize(60)
          .allMatch(out -> out.timestampMs() == Harness.NOON_MS + 7);
    }
  }
}
