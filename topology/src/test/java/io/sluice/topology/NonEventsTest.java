package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of tombstones, and of records without a user or an action. */
class NonEventsTest {
  private static final long TIMESTAMP_MS = Harness.NOON_MS + 5;
  private static final byte[] KEY = "ann".getBytes(UTF_8);
  private static final byte[] NO_USER = "{\"op\":\"d\",\"after\":null}".getBytes(UTF_8);
  private static final String[] DELAYING = {
    "sluice.limits=slow", "sluice.limit.slow.quota=1/1s", "sluice.limit.slow.exceeded=delay"
  };

  private static Harness with(String... settings) {
    List<String> all = new ArrayList<>(List.of(DELAYING));
    all.addAll(List.of(settings));
    return new Harness(all.toArray(String[]::new));
  }

  private static Headers headers() {
    Headers headers = new RecordHeaders();
    headers.add("theirs", "kept".getBytes(UTF_8));
    headers.add("sluice-limit", "a lie".getBytes(UTF_8));
    return headers;
  }

  private static Map<String, Double> counted(Harness sluice) {
    Map<String, Double> counted = new TreeMap<>();
    sluice
        .driver
        .metrics()
        .forEach(
            (name, metric) -> {
              if (!name.group().equals("sluice-metrics")) return;
              double value = (Double) metric.metricValue();
              if (value != 0) counted.put(name.name() + new TreeMap<>(name.tags()), value);
            });
    return counted;
  }

  @Test
  void byDefaultBothAreDeadLetters() {
    try (Harness sluice = with()) {
      sluice.send(KEY, null, headers(), TIMESTAMP_MS);
      sluice.send(KEY, NO_USER, headers(), TIMESTAMP_MS);

      assertThat(sluice.deadLetters())
          .extracting(out -> out.header("sluice-error"))
          .containsExactly("the value is empty", "userId is missing");
      assertThat(sluice.allowed()).isEmpty();
      assertThat(counted(sluice))
          .containsOnlyKeys(
              "dead-letters-total{reason=empty}", "dead-letters-total{reason=missing-field}");
    }
  }

  @Test
  void aTombstoneIsPassedOnAsItIs() {
    try (Harness sluice = with("sluice.tombstones=allow")) {
      sluice.send(KEY, null, headers(), TIMESTAMP_MS);

      Out out = sluice.allowed().get(0);
      assertThat(out.key()).isEqualTo(KEY);
      assertThat(out.value()).isNull();
      assertThat(out.timestampMs()).isEqualTo(TIMESTAMP_MS);
      assertThat(out.headers())
          .containsOnly(
              Map.entry("theirs", "kept"),
              Map.entry("sluice-verdict", "allowed"),
              Map.entry("sluice-reason", "tombstone"),
              Map.entry("sluice-attempt", "1"));
      assertThat(sluice.deadLetters()).isEmpty();
      assertThat(counted(sluice))
          .containsOnly(
              Map.entry("unmetered-records-total{outcome=allowed, reason=tombstone}", 1.0));
    }
  }

  /** A compacted topic refuses a record without a key, which would stop the partition. */
  @ParameterizedTest
  @CsvSource({"allow,1", "dead-letter,1", "drop,0"})
  void aTombstoneWithoutAKeyIsNotPassedOn(String tombstones, int deadLetters) {
    try (Harness sluice = with("sluice.tombstones=" + tombstones)) {
      sluice.send(null, null, headers(), TIMESTAMP_MS);

      assertThat(sluice.allowed()).isEmpty();
      assertThat(sluice.deadLetters())
          .hasSize(deadLetters)
          .allMatch(out -> out.key() == null && out.header("sluice-error").contains("empty"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"op\":\"d\",\"after\":null}",
        "{\"userId\":null,\"action\":\"reply\"}",
        "{\"userId\":\"\",\"action\":\"reply\"}",
        "{\"userId\":\"ann\"}",
        "{\"userId\":\"ann\",\"action\":null}"
      })
  void aRecordWithoutUserOrActionIsPassedOnAsItIs(String value) {
    try (Harness sluice = with("sluice.event.missing=allow")) {
      sluice.send(KEY, value.getBytes(UTF_8), headers(), TIMESTAMP_MS);

      Out out = sluice.allowed().get(0);
      assertThat(out.key()).isEqualTo(KEY);
      assertThat(out.text()).isEqualTo(value);
      assertThat(out.timestampMs()).isEqualTo(TIMESTAMP_MS);
      assertThat(out.headers())
          .containsEntry("theirs", "kept")
          .containsEntry("sluice-reason", "missing-field")
          .doesNotContainKey("sluice-limit");
      assertThat(counted(sluice))
          .containsOnly(
              Map.entry("unmetered-records-total{outcome=allowed, reason=missing-field}", 1.0));
    }
  }

  @ParameterizedTest
  @CsvSource({"one,allowed;reason=tombstone", "none,''"})
  void theVerdictIsInTheStyleOfTheConfiguration(String style, String verdict) {
    try (Harness sluice = with("sluice.tombstones=allow", "sluice.headers=" + style)) {
      sluice.send(KEY, null, headers(), TIMESTAMP_MS);

      Out out = sluice.allowed().get(0);
      assertThat(out.header("sluice-verdict")).isEqualTo(verdict);
      assertThat(out.headers()).hasSize(verdict.isEmpty() ? 1 : 2);
    }
  }

  @Test
  void whatIsDroppedGoesNowhereAndIsCounted() {
    try (Harness sluice = with("sluice.tombstones=drop", "sluice.event.missing=drop")) {
      for (int i = 0; i < 2; i++) sluice.send(KEY, null, headers(), TIMESTAMP_MS);
      sluice.send(KEY, NO_USER, headers(), TIMESTAMP_MS);
      sluice.send("ann", "reply", 0);

      assertThat(sluice.deadLetters()).isEmpty();
      assertThat(sluice.rejected()).isEmpty();
      assertThat(sluice.allowed()).hasSize(1);
      assertThat(counted(sluice))
          .containsEntry("unmetered-records-total{outcome=dropped, reason=tombstone}", 2.0)
          .containsEntry("unmetered-records-total{outcome=dropped, reason=missing-field}", 1.0);
    }
  }

  /** Each setting is about its own records only. */
  @Test
  void otherRecordsStayDeadLetters() {
    try (Harness sluice = with("sluice.tombstones=allow")) {
      sluice.send(KEY, new byte[0], headers(), TIMESTAMP_MS);
      sluice.send(KEY, NO_USER, headers(), TIMESTAMP_MS);
      assertThat(sluice.deadLetters()).hasSize(2);
    }
    try (Harness sluice = with("sluice.event.missing=drop")) {
      sluice.send(KEY, null, headers(), TIMESTAMP_MS);
      sluice.send(KEY, "{\"userId\":[],\"action\":\"reply\"}".getBytes(UTF_8), headers());
      sluice.send(KEY, "garbage".getBytes(UTF_8), headers());
      assertThat(sluice.deadLetters()).hasSize(3);
    }
  }

  @Test
  void suchARecordDoesNotWaitForDelayedEventsOfItsKey() {
    try (Harness sluice = with("sluice.tombstones=allow")) {
      for (int i = 0; i < 2; i++) sluice.send("ann", "reply", 0);
      sluice.send(KEY, null, headers(), TIMESTAMP_MS);

      assertThat(sluice.allowed()).hasSize(2).last().matches(out -> out.value() == null);
      sluice.runTo(1_100);
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void itNeverHops() {
    try (Harness sluice =
        with(
            "sluice.topics.partitions=3",
            "sluice.tombstones=allow",
            "sluice.event.missing=allow")) {
      for (String key : List.of("a", "b", "c", "d")) {
        sluice.send(key.getBytes(UTF_8), null, headers(), TIMESTAMP_MS);
        sluice.send(key.getBytes(UTF_8), NO_USER, headers(), TIMESTAMP_MS);
      }

      assertThat(sluice.read("test-home-repartition")).isEmpty();
      assertThat(sluice.allowed()).hasSize(8);
    }
  }

  @Test
  void eachInputHasItsOwnOutput() {
    try (Harness sluice =
        with(
            "sluice.topics.input=sms,replies",
            "sluice.topics.allowed={input}-allowed",
            "sluice.tombstones=allow",
            "sluice.event.missing=allow")) {
      sluice.sendTo("replies", null);
      sluice.sendTo("replies", NO_USER);
      sluice.sendTo("sms", null);

      assertThat(sluice.read("replies-allowed")).hasSize(2);
      assertThat(sluice.read("sms-allowed")).hasSize(1);
    }
  }

  /** The time of such a record says nothing about the events of its partition. */
  @Test
  void itDoesNotMoveTheClock() {
    try (Harness sluice =
        with(
            "sluice.event.missing=allow",
            "sluice.limit.slow.exceeded=reject",
            "sluice.time.max.ahead=0s",
            "sluice.time.lateness=0s")) {
      sluice.runTo(60_000);
      sluice.send("ann", "reply", 0);
      String later = "{\"occurredAt\":" + (Harness.NOON_MS + 50_000) + "}";
      sluice.send(KEY, later.getBytes(UTF_8), headers(), Harness.NOON_MS + 50_000);
      sluice.send("ann", "reply", 500);

      assertThat(sluice.rejected()).hasSize(1);
    }
  }
}
