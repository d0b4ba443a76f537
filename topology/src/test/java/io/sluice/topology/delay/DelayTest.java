package io.sluice.topology.delay;

import static io.sluice.testing.SettingLines.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.testing.TestScale;
import io.sluice.topology.Harness;
import io.sluice.topology.intake.Nodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of events that a limit delays until their turn. */
class DelayTest {
  private static final String[] SMS = {
    "sluice.limits=sms",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/2s",
    "sluice.limit.sms.exceeded=delay",
    "sluice.delay.tick=10"
  };

  /** Returns when an event was due, in milliseconds after noon. */
  private static long dueMs(Harness.Out out) {
    return Long.parseLong(out.header("sluice-release-at-ms")) - Harness.NOON_MS;
  }

  private static String id(Harness.Out out) {
    return out.text().replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1");
  }

  private static List<String> ids(List<Harness.Out> outs) {
    return outs.stream().map(DelayTest::id).toList();
  }

  @ParameterizedTest
  @CsvSource({"funnel,memory", "sliding-window-log,memory", "funnel,rocksdb"})
  void burstsOfFiftyLeaveOneByOneInOrderNoneEarlyNoneTwice(String algorithm, String store) {
    int users = store.equals("memory") ? TestScale.of(100, 1_000) : TestScale.of(20, 100);
    int burst = 50;
    try (Harness sluice =
        new Harness(
            with(
                SMS,
                "sluice.limit.sms.quota=1/100ms",
                "sluice.limit.sms.algorithm=" + algorithm,
                "sluice.state.store=" + store))) {
      for (int i = 0; i < burst; i++) {
        for (int user = 0; user < users; user++) {
          sluice.send("user" + user, "sms", 0, "\"eventId\":\"" + user + ":" + i + "\"");
        }
      }
      List<String> first = ids(sluice.allowed());
      assertThat(first).hasSize(users);
      Map<String, Integer> next = new HashMap<>();
      for (String id : first) next.put(id.split(":")[0], 1);
      for (long ms = 10; ms < burst * 100; ms += 10) {
        sluice.runTo(ms);
        for (Harness.Out out : sluice.allowed()) {
          String user = id(out).split(":")[0];
          int number = next.merge(user, 1, Integer::sum) - 1;
          assertThat(id(out)).isEqualTo(user + ":" + number);
          assertThat(dueMs(out)).isEqualTo(number * 100L);
          assertThat(ms).isBetween(number * 100L, number * 100L + 10);
        }
      }
      assertThat(next).hasSize(users).allSatisfy((user, left) -> assertThat(left).isEqualTo(burst));
      sluice.runTo(60_000);
      assertThat(sluice.allowed()).isEmpty();
      assertThat(sluice.rejected()).isEmpty();
      assertThat(rows(sluice, Nodes.WAITING)).isEmpty();
      assertThat(rows(sluice, Nodes.TURNS)).isEmpty();
    }
  }

  private static List<KeyValue<Object, Object>> rows(Harness sluice, String store) {
    List<KeyValue<Object, Object>> rows = new ArrayList<>();
    KeyValueStore<Object, Object> rowsOf = sluice.driver.getKeyValueStore(store);
    try (var all = rowsOf.all()) {
      all.forEachRemaining(rows::add);
    }
    rows.removeIf(row -> isPlace(((Bytes) row.key).get())); // positions stay
    return rows;
  }

  private static boolean isPlace(byte[] key) {
    return key.length == 1 || (key[0] == (byte) 0x80 && key.length == "?user-actions-0-?".length());
  }

  @Test
  void aLongCostWaitsExactlyAsLongAsDelayMaxAllows() {
    String[] limit = with(SMS, "sluice.limit.sms.quota=10/100s", "sluice.delay.tick=100");
    try (Harness sluice = new Harness(with(limit, "sluice.limit.sms.delay.max=40s"))) {
      sluice.send("ann", "sms", 0, "\"cost\":9");
      sluice.send("ann", "sms", 0, "\"cost\":5");
      assertThat(sluice.delayed().get(0).headers())
          .containsEntry("sluice-retry-after-ms", "40000")
          .containsEntry("sluice-release-at-ms", Long.toString(Harness.NOON_MS + 40_000));
    }
    try (Harness sluice = new Harness(with(limit, "sluice.limit.sms.delay.max=39s"))) {
      sluice.send("ann", "sms", 0, "\"cost\":9");
      sluice.send("ann", "sms", 0, "\"cost\":5");
      assertThat(sluice.delayed()).isEmpty();
      assertThat(sluice.rejected().get(0).headers())
          .containsEntry("sluice-reason", "delay-too-long")
          .containsEntry("sluice-retry-after-ms", "40000");
    }
  }

  @Test
  void whatCanNeverFitIsRejectedAtOnce() {
    try (Harness sluice = new Harness(SMS)) {
      sluice.send("ann", "sms", 0, "\"cost\":2");
      assertThat(sluice.rejected().get(0).header("sluice-reason")).isEqualTo("oversized");
    }
  }

  @Test
  void afterItsBurstAFunnelLetsGoAtItsRate() {
    try (Harness sluice =
        new Harness(with(SMS, "sluice.limit.sms.quota=2/6s", "sluice.limit.sms.burst=3"))) {
      for (int i = 0; i < 6; i++) {
        sluice.runTo(500 * i);
        sluice.send("ann", "sms", 500 * i);
      }
      assertThat(sluice.allowed()).hasSize(3);
      assertThat(sluice.delayed())
          .extracting(DelayTest::dueMs)
          .containsExactly(3_000L, 6_000L, 9_000L);
      for (long second : List.of(3, 6, 9)) {
        sluice.runTo(second * 1_000 - 1);
        assertThat(sluice.allowed()).isEmpty();
        sluice.runTo(second * 1_000);
        assertThat(sluice.allowed()).hasSize(1);
      }
    }
  }

  @Test
  void noneLeavesAMillisecondEarly() {
    try (Harness sluice = new Harness(with(SMS, "sluice.limit.sms.quota=1/1993ms"))) {
      sluice.send("ann", "sms", 0);
      sluice.send("ann", "sms", 0); // due at 1,993
      sluice.send("bea", "sms", 0);
      sluice.runTo(1_990);
      sluice.send("bea", "sms", 0); // also due at 1,993
      assertThat(sluice.allowed()).hasSize(2);
      sluice.runTo(2_000);
      assertThat(sluice.allowed()).hasSize(2);
    }
  }

  @Test
  void aDelayedRecordSaysWhenItLeavesAndLeavesAsItCame() {
    try (Harness sluice = new Harness(SMS)) {
      byte[] value = "{ \"userId\":\"ann\", \"action\" : \"sms\"}".getBytes(UTF_8);
      sluice.send(value, headers());
      sluice.send(value, headers("trace", "1", "sluice-release-at-ms", "forged", "trace", "2"));
      sluice.allowed();
      Harness.Out delayed = sluice.delayed().get(0);
      assertThat(delayed.headers())
          .containsEntry("sluice-verdict", "delayed")
          .containsEntry("sluice-limit", "sms")
          .containsEntry("sluice-remaining", "0")
          .containsEntry("sluice-retry-after-ms", "2000")
          .containsEntry("sluice-reset-after-ms", "4000")
          .containsEntry("sluice-release-at-ms", Long.toString(Harness.NOON_MS + 2_007))
          .containsEntry("sluice-attempt", "1")
          .doesNotContainKey("sluice-reason");
      assertThat(delayed.value()).isEqualTo(value);
      assertThat(delayed.timestampMs()).isEqualTo(Harness.NOON_MS + 7);
      sluice.runTo(2_006);
      assertThat(sluice.allowed()).isEmpty();
      sluice.runTo(2_020);
      Harness.Out out = sluice.allowed().get(0);
      assertThat(out.value()).isEqualTo(value);
      assertThat(out.key()).isEqualTo("key".getBytes(UTF_8));
      assertThat(out.timestampMs()).isEqualTo(Harness.NOON_MS + 7);
      assertThat(out.headers())
          .containsOnlyKeys(
              "trace",
              "sluice-verdict",
              "sluice-limit",
              "sluice-remaining",
              "sluice-reset-after-ms",
              "sluice-release-at-ms",
              "sluice-attempt")
          .containsEntry("trace", "2")
          .containsEntry("sluice-verdict", "allowed")
          .containsEntry("sluice-limit", "sms")
          .containsEntry("sluice-attempt", "1")
          .containsEntry("sluice-release-at-ms", Long.toString(Harness.NOON_MS + 2_007));
    }
  }

  private static Headers headers(String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    return headers;
  }

  @Test
  void aRecordWithoutAKeyOrWithANullHeaderStaysSo() {
    try (Harness sluice = new Harness(SMS)) {
      byte[] value = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
      for (int i = 0; i < 2; i++) {
        sluice.send(null, value, new RecordHeaders().add("ä", null));
      }
      sluice.allowed();
      sluice.runTo(3_000);
      Harness.Out out = sluice.allowed().get(0);
      assertThat(out.key()).isNull();
      assertThat(out.headers()).containsEntry("ä", "null");
    }
  }

  @Test
  void theNewerNeverOvertakesTheOneThatIsDueAndStillHere() {
    try (Harness sluice = new Harness(with(SMS, "sluice.delay.tick=1000"))) {
      sluice.send("ann", "sms", 0, "\"eventId\":\"a\"");
      sluice.send("ann", "sms", 0, "\"eventId\":\"b\""); // due 2 s after noon
      sluice.runTo(1_990);
      sluice.send("ann", "sms", 4_000, "\"eventId\":\"c\""); // conforms at once by the event clock
      sluice.send("bea", "sms", 4_000, "\"eventId\":\"d\"");
      assertThat(ids(sluice.allowed())).containsExactly("a", "d");
      Harness.Out held = sluice.delayed().get(1);
      assertThat(id(held)).isEqualTo("c");
      assertThat(dueMs(held)).isEqualTo(2_000); // right behind b
      assertThat(held.header("sluice-retry-after-ms")).isEqualTo("0");
      sluice.runTo(3_990);
      sluice.send("ann", "sms", 6_000, "\"eventId\":\"e\"");
      sluice.runTo(8_000);
      List<Harness.Out> left = sluice.allowed();
      assertThat(ids(left)).containsExactly("b", "c", "e");
      assertThat(left.get(0).header("sluice-release-at-ms")).isNotEmpty();
      assertThat(left.get(1).header("sluice-release-at-ms")).isEmpty(); // it only waited for b
      sluice.send("ann", "sms", 8_000, "\"eventId\":\"f\""); // no event waits any more
      assertThat(ids(sluice.allowed())).containsExactly("f");
    }
  }

  @Test
  void whatWaitsForNobodyAnyMoreIsLetThroughAfterAWhile() {
    try (Harness sluice = new Harness(SMS)) {
      KeyValueStore<Bytes, byte[]> turns = sluice.driver.getKeyValueStore(Nodes.TURNS);
      byte[] nobody =
          ByteBuffer.allocate(24).putLong(Harness.NOON_MS).putLong(1).putLong(0).array();
      Bytes ann = Bytes.wrap("sms\0ann\0user-actions-0-".getBytes(UTF_8));
      turns.put(ann, nobody); // left behind by a crash
      sluice.advanceWall(Duration.ofMinutes(59));
      sluice.send("ann", "sms", 0);
      assertThat(sluice.delayed()).hasSize(1);
      assertThat(sluice.allowed()).hasSize(1); // at once, as none is before it
      turns.put(ann, nobody);
      sluice.advanceWall(Duration.ofMinutes(2));
      sluice.send("ann", "sms", 3_660_000);
      assertThat(sluice.delayed()).isEmpty();
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void whatOnlyPolicesIsNotHeldUp() {
    try (Harness sluice =
        new Harness(
            with(
                SMS,
                "sluice.limits=sms,all",
                "sluice.limit.all.quota=100/1s",
                "sluice.delay.tick=1000"))) {
      sluice.send("ann", "sms", 0, "\"eventId\":\"a\"");
      sluice.send("ann", "sms", 0, "\"eventId\":\"b\"");
      sluice.send("ann", "mail", 5_000, "\"eventId\":\"c\"");
      assertThat(ids(sluice.allowed())).containsExactly("a", "c");
    }
  }

  @Test
  void allOrNothingHoldsThroughTheWait() {
    try (Harness sluice =
        new Harness(
            with(
                SMS,
                "sluice.event.cost.min=0",
                "sluice.limits=sms,daily",
                "sluice.limit.daily.quota=3/1d",
                "sluice.limit.daily.algorithm=sliding-window-log"))) {
      for (int i = 1; i <= 5; i++) sluice.send("ann", "sms", 0, "\"eventId\":\"" + i + "\"");
      assertThat(ids(sluice.delayed())).containsExactly("2", "3");
      List<Harness.Out> rejected = sluice.rejected();
      assertThat(ids(rejected)).containsExactly("4", "5");
      assertThat(rejected.get(0).headers())
          .containsEntry("sluice-limit", "daily")
          .containsEntry("sluice-reason", "over-limit");
      sluice.runTo(4_000);
      assertThat(ids(sluice.allowed())).containsExactly("1", "2", "3");
      // The events that daily refused have reserved nothing of sms: the next slot is the fourth
      // second.
      sluice.send("ann", "sms", 4_000, "\"cost\":0");
      assertThat(sluice.allowed().get(0).header("sluice-remaining")).isEqualTo("0");
      sluice.send("ann", "like", 6_000);
      assertThat(sluice.rejected().get(0).header("sluice-limit")).isEqualTo("daily");
    }
  }

  @Test
  void theLongestWaitOfSeveralDecidesAndIsChargedToEach() {
    try (Harness sluice =
        new Harness(
            with(
                SMS,
                "sluice.limits=sms,slow",
                "sluice.limit.slow.match.target=x",
                "sluice.limit.slow.quota=1/10s",
                "sluice.limit.slow.exceeded=delay"))) {
      sluice.send("ann", "sms", 0, "\"target\":\"x\"");
      sluice.send("ann", "sms", 0, "\"target\":\"x\"");
      Harness.Out slow = sluice.delayed().get(0);
      assertThat(slow.header("sluice-limit")).isEqualTo("slow");
      assertThat(dueMs(slow)).isEqualTo(10_000);
      sluice.send("ann", "sms", 0); // behind it, although sms alone had an earlier slot
      assertThat(dueMs(sluice.delayed().get(0))).isEqualTo(12_000);
    }
  }

  @Test
  void whatIsOverdueLeavesOldestFirstAndNotAllAtOnce() {
    try (Harness sluice =
        new Harness(with(SMS, "sluice.limit.sms.delay.max=1d", "sluice.delay.tick=100"))) {
      int users = 6;
      int each = 2_001;
      for (int i = 0; i < each; i++) {
        for (int user = 0; user < users; user++) sluice.send("user" + user, "sms", 0);
      }
      sluice.allowed();
      sluice.advanceWall(Duration.ofHours(2));
      List<Harness.Out> first = sluice.allowed();
      assertThat(first).hasSize(PunctuationBudget.MOST_EVENTS);
      assertThat(first).extracting(DelayTest::dueMs).isSorted();
      sluice.advanceWall(Duration.ofMillis(100));
      assertThat(sluice.allowed()).hasSize(users * (each - 1) - PunctuationBudget.MOST_EVENTS);
    }
  }

  @Test
  void whatWaitsAndWhatIsOverdueCanBeWatched() {
    try (Harness sluice = new Harness(with(SMS, "sluice.delay.tick=100"))) {
      for (int i = 0; i < 4; i++) sluice.send("ann", "sms", 0);
      sluice.runTo(100);
      assertThat(metric(sluice, "delayed-waiting")).isEqualTo(3.0);
      assertThat(metric(sluice, "delayed-overdue-ms")).isZero();
      sluice.runTo(4_000);
      assertThat(metric(sluice, "delayed-waiting")).isEqualTo(1.0);
      assertThat(metric(sluice, "release-total")).isEqualTo(2.0);
      assertThat(metric(sluice, "release-rate")).isPositive();
    }
  }

  private static double metric(Harness sluice, String name) {
    return sluice.driver.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .filter(each -> each.getKey().group().equals("stream-delay-metrics"))
        .mapToDouble(each -> (Double) each.getValue().metricValue())
        .sum();
  }

  @Test
  void anybodyMaySchedule() {
    try (Harness sluice = new Harness(SMS)) {
      byte[] value = "{\"userId\":\"ann\",\"action\":\"birthday\"}".getBytes(UTF_8);
      String at = Long.toString(Harness.NOON_MS + 1_000);
      sluice.delay(null, value, headers("sluice-release-at-ms", at, "note", "x"));
      sluice.runTo(990);
      assertThat(sluice.allowed()).isEmpty();
      sluice.runTo(1_000);
      Harness.Out out = sluice.allowed().get(0);
      assertThat(out.value()).isEqualTo(value);
      assertThat(out.headers())
          .containsEntry("note", "x")
          .containsEntry("sluice-verdict", "allowed")
          .containsEntry("sluice-release-at-ms", at);
      sluice.delay(null, value, headers("sluice-release-at-ms", "0")); // long overdue
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void anybodyMayScheduleToBeMeteredThen() {
    try (Harness sluice = new Harness(SMS)) {
      byte[] value = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
      String at = Long.toString(Harness.NOON_MS + 1_000);
      Headers order = headers("sluice-release-at-ms", at, "sluice-release-to", "meter");
      sluice.delay(null, value, order);
      sluice.delay(null, value, order);
      sluice.runTo(1_000);
      assertThat(sluice.allowed())
          .singleElement()
          .matches(out -> out.header("sluice-attempt").equals("1"));
      sluice.runTo(3_000);
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  /** Other producers may write any headers to the topic of delayed events. */
  @Test
  void whatIsNamedAsASluiceHeaderAndIsNoneIsDropped() {
    try (Harness sluice = new Harness(SMS)) {
      byte[] value = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
      String[] order = {"sluice-release-at-ms", "1", "sluice-error", "x", "SLUICE-made-up", "x"};
      sluice.delay(null, value, headers(order));
      assertThat(sluice.allowed())
          .singleElement()
          .matches(out -> out.header("sluice-verdict").equals("allowed"))
          .matches(out -> out.header("sluice-error").isEmpty())
          .matches(out -> out.header("SLUICE-made-up").isEmpty());
    }
  }

  @Test
  void whatCannotBeScheduledIsADeadLetter() {
    try (Harness sluice = new Harness(SMS)) {
      String event = "{\"userId\":\"ann\",\"action\":\"sms\"}";
      dead(sluice, "nonsense", headers("sluice-release-at-ms", "1"), "unknown format");
      dead(sluice, event, headers(), "sluice-release-at-ms is missing");
      for (String number : List.of("soon", "-1", "1.5", "99999999999999", "")) {
        dead(sluice, event, headers("sluice-release-at-ms", number), "sluice-release-at-ms ");
      }
      dead(
          sluice,
          event,
          headers("sluice-release-at-ms", "1", "sluice-release-to", "the moon"),
          "sluice-release-to must be allowed or meter: the moon");
      dead(
          sluice,
          event,
          headers("sluice-release-at-ms", "1", "sluice-release-to", "held"),
          "sluice-release-to is held, which only Sluice itself may write");
      dead(
          sluice,
          event,
          headers("sluice-release-at-ms", "1", "sluice-attempt", "x"),
          "sluice-attempt must be");
      sluice.delay(null, null, headers("sluice-release-at-ms", "1"));
      assertThat(sluice.deadLetters().get(0).header("sluice-error"))
          .isEqualTo("the value is empty");
      assertThat(sluice.allowed()).isEmpty();
    }
  }

  /** The event would end twice: the meter holds it, and may still release it. */
  @Test
  void aRecordThatOnlyTellsOfAnEventIsNoDeadLetterEvenIfTheEventCannotBeTakenAnyMore() {
    try (Harness sluice = new Harness(SMS)) {
      Headers held =
          headers(
              "sluice-release-at-ms",
              "1",
              "sluice-release-to",
              "held",
              "sluice-attempt",
              "1",
              "sluice-origin",
              "user-actions-0-3");
      sluice.delay("k".getBytes(UTF_8), "nonsense".getBytes(UTF_8), held);
      sluice.advanceWall(Duration.ofMinutes(1));
      assertThat(sluice.deadLetters()).isEmpty();
      assertThat(sluice.allowed()).isEmpty();
    }
  }

  private static void dead(Harness sluice, String value, Headers headers, String error) {
    sluice.delay("k".getBytes(UTF_8), value.getBytes(UTF_8), headers);
    Harness.Out out = sluice.deadLetters().get(0);
    assertThat(out.text()).isEqualTo(value);
    assertThat(out.header("sluice-error")).startsWith(error);
    assertThat(out.header("sluice-error-origin")).startsWith("delayed-actions-0-");
    assertThat(out.timestampMs()).isEqualTo(Harness.NOON_MS + 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"event", "wall"})
  void whatIsOverTheLimitIsMeteredAgainUntilItsAttemptsAreUsedUp(String time) {
    try (Harness sluice = new Harness(with(RETRIED, "sluice.time=" + time))) {
      for (String id : List.of("a", "b", "c", "d")) {
        sluice.send("ann", "sms", 0, "\"eventId\":\"" + id + "\"");
      }
      assertThat(ids(sluice.allowed())).containsExactly("a");
      List<Harness.Out> refused = sluice.delayed();
      assertThat(ids(refused)).containsExactly("b", "c", "d");
      assertThat(refused).allSatisfy(out -> assertThat(dueMs(out)).isBetween(2_000L, 2_200L));
      assertThat(refused).extracting(DelayTest::dueMs).doesNotHaveDuplicates();
      assertThat(refused.get(0).headers())
          .containsEntry("sluice-verdict", "delayed")
          .containsEntry("sluice-retry-after-ms", "2000")
          .containsEntry("sluice-attempt", "1");
      sluice.runTo(20_000);
      List<Harness.Out> allowed = sluice.allowed();
      assertThat(allowed).extracting(out -> out.header("sluice-attempt")).containsExactly("2", "3");
      assertThat(allowed)
          .allSatisfy(out -> assertThat(out.headers()).doesNotContainKey("sluice-origin"));
      Harness.Out rejected = sluice.rejected().get(0);
      assertThat(rejected.headers())
          .containsEntry("sluice-verdict", "rejected")
          .containsEntry("sluice-reason", "attempts-exhausted")
          .containsEntry("sluice-attempt", "3")
          .containsEntry("sluice-limit", "sms");
      assertThat(rows(sluice, Nodes.WAITING)).isEmpty();
    }
  }

  private static final String[] RETRIED = {
    "sluice.limits=sms",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/2s",
    "sluice.limit.sms.exceeded=retry",
    "sluice.limit.sms.retry.attempts=3",
    "sluice.delay.tick=10"
  };

  private static final Bytes LANE_OF_REDIS = DelayQueue.Lane.AWAITING_REDIS.prefix();

  /** Events that wait for Redis must not hold back the position up to which events have left. */
  @Test
  void whatIsStuckIsApartFromWhatLeaves() {
    try (Harness sluice =
        new Harness(
            () -> {
              throw new LimiterUnavailableException("gone", new IllegalStateException());
            },
            with(
                SMS,
                "sluice.limits=sms,mail",
                "sluice.redis.uri=redis://localhost:6379",
                "sluice.limit.mail.match.action=mail",
                "sluice.limit.mail.quota=1/2s",
                "sluice.limit.mail.backend=redis",
                "sluice.limit.mail.exceeded=retry"))) {
      byte[] mail = "{\"userId\":\"ann\",\"action\":\"mail\"}".getBytes(UTF_8);
      for (long ms : List.of(-5L, 20L)) { // the first is due when it comes
        String at = Long.toString(Harness.NOON_MS + ms);
        sluice.delay(null, mail, headers("sluice-release-at-ms", at, "sluice-release-to", "meter"));
      }
      String at = Long.toString(Harness.NOON_MS + 30);
      byte[] sms = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
      sluice.delay(null, sms, headers("sluice-release-at-ms", at));
      sluice.runTo(100);
      assertThat(sluice.allowed()).hasSize(1);
      assertThat(rows(sluice, Nodes.WAITING))
          .hasSize(2)
          .allSatisfy(row -> assertThat((Bytes) row.key).isGreaterThan(LANE_OF_REDIS));
      KeyValueStore<Bytes, byte[]> waiting = sluice.driver.getKeyValueStore(Nodes.WAITING);
      Bytes place = DelayQueue.place(waiting.get(DelayQueue.PLACE));
      assertThat(place).isGreaterThan(DueKey.lastAt(Harness.NOON_MS + 30));
    }
  }

  @Test
  void aReplayRetriesAtTheSameTimes() {
    List<List<Long>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      try (Harness sluice = new Harness(RETRIED)) {
        for (int i = 0; i < 20; i++) sluice.send("ann", "sms", 0);
        sluice.runTo(20_000);
        runs.add(sluice.delayed().stream().map(DelayTest::dueMs).toList());
      }
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1)).hasSizeGreaterThan(19);
  }

  @Test
  void oneAttemptIsNoRetry() {
    try (Harness sluice = new Harness(with(RETRIED, "sluice.limit.sms.retry.attempts=1"))) {
      sluice.send("ann", "sms", 0);
      sluice.send("ann", "sms", 0);
      assertThat(sluice.delayed()).isEmpty();
      assertThat(sluice.rejected().get(0).header("sluice-reason")).isEqualTo("attempts-exhausted");
    }
  }

  @Test
  void whatAnotherLimitRejectsIsNotRetried() {
    try (Harness sluice =
        new Harness(with(RETRIED, "sluice.limits=sms,all", "sluice.limit.all.quota=1/1s"))) {
      sluice.send("ann", "sms", 0);
      sluice.send("ann", "sms", 0);
      assertThat(sluice.delayed()).isEmpty();
      assertThat(sluice.rejected().get(0).headers())
          .containsEntry("sluice-limit", "sms")
          .containsEntry("sluice-reason", "over-limit");
    }
  }

  @Test
  void aShadowOnlySaysThatItWouldDelay() {
    try (Harness sluice = new Harness(with(SMS, "sluice.limit.sms.mode=shadow"))) {
      sluice.send("ann", "sms", 0);
      sluice.send("ann", "sms", 0);
      assertThat(sluice.allowed().get(1).header("sluice-shadow"))
          .startsWith("limit=sms;verdict=delayed;remaining=0;retry-after-ms=2000");
    }
  }
}
