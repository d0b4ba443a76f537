package io.sluice.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.testing.LogLines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest {
  private final RecordedReport report = new RecordedReport();
  private final InstanceRecord own = new InstanceRecord("me", "d", Map.of("reply", "5"), 0);
  private final Reading reading =
      new Reading(
          LimitsInForce.of(Topic.CONFIG),
          new InstanceDigests(own, () -> 0, report),
          report,
          () -> Instant.ofEpochMilli(Topic.NOW_MS));
  private final LogLines lines = LogLines.of(RevisionBatch.class);
  private final LogLines peers = LogLines.of(InstanceDigests.class);

  @AfterEach
  void close() {
    lines.close();
    peers.close();
  }

  private long permitsAfter(
      ConsumerRecord<byte[], byte[]> one, ConsumerRecord<byte[], byte[]> other) {
    reading.take(List.of(one));
    return permitsAfter(other);
  }

  private long permitsAfter(ConsumerRecord<byte[], byte[]> record) {
    reading.take(List.of(record));
    return reading.made().at(Topic.NOW_MS).all().get(0).rule().quota().permits();
  }

  @Test
  void theLastRecordOfAnIdIsTheRevision() {
    assertThat(permitsAfter(Topic.quota(0, "a", 7), Topic.quota(1, "a", 8))).isEqualTo(8);
    assertThat(permitsAfter(Topic.quota(2, "a", 9))).isEqualTo(9);
    assertThat(permitsAfter(Topic.record(3, "a", null))).isEqualTo(5);
    assertThat(permitsAfter(Topic.record(4, "b", null), Topic.quota(5, "b", 6))).isEqualTo(6);
    assertThat(lines.lines()).isEmpty();
  }

  @Test
  void onlyARevisionIsTheNewestRevision() {
    reading.take(List.of(Topic.record(0, "a", Topic.quota(7), 1_000)));
    reading.take(List.of(Topic.record(1, "b", null, 2_000)));
    reading.take(List.of(Topic.record(2, "c", "{\"limit\":7...", 3_000)));
    assertThat(report.newestMs()).isEqualTo(1_000);
    reading.take(List.of(Topic.record(3, "b", Topic.quota(8), 4_000)));
    assertThat(report.newestMs()).isEqualTo(4_000);
  }

  @Test
  void whatCannotBeReadTakesTheEarlierRevisionBackAsCompactionDoes() {
    assertThat(permitsAfter(Topic.quota(0, "a", 7), Topic.quota(1, "b", 8))).isEqualTo(8);
    assertThat(permitsAfter(Topic.record(2, "b", "{\"limit\":7..."))).isEqualTo(7);
    assertThat(lines.lines())
        .singleElement()
        .asString()
        .startsWith("WARN a-limits at offset 2, key b: not read: ");
  }

  @Test
  void aRecordWithoutAKeyChangesNothing() {
    assertThat(permitsAfter(Topic.quota(0, "a", 7), Topic.record(1, null, Topic.quota(8))))
        .isEqualTo(7);
    assertThat(permitsAfter(Topic.record(2, null, null))).isEqualTo(7);
    assertThat(lines.lines())
        .containsExactly(
            "WARN a-limits at offset 1, key none: not read: key: missing or too long; it is the"
                + " revision's id");
  }

  /** Otherwise the revision would be in force without being listed, as commands skip such keys. */
  @ParameterizedTest
  @ValueSource(ints = {1, 70, 190})
  void whatHasTheKeyOfAnInstanceIsNoRevisionHoweverLongItIs(int more) {
    String key = "instance/" + "\u2603".repeat(more);
    ConsumerRecord<byte[], byte[]> hidden = Topic.record(0, key, Topic.quota(7));
    LastRecords listed = new LastRecords(new RevisionReader());
    listed.add(hidden);
    assertThat(permitsAfter(hidden)).isEqualTo(5);
    assertThat(listed.revisions()).isEmpty();
  }

  @Test
  void whatIsRefusedIsSaidWithItsReason() {
    ConsumerRecord<byte[], byte[]> unknown =
        Topic.record(0, "x", "{\"limit\":\"nobody\",\"set\":{\"quota\":\"7/60s\"}}");
    assertThat(permitsAfter(unknown)).isEqualTo(5);
    assertThat(permitsAfter(Topic.quota(1, "a", 7))).isEqualTo(7);
    assertThat(lines.lines())
        .singleElement()
        .asString()
        .startsWith("WARN revision x of limit nobody is refused: ")
        .contains("enabled");
  }

  @Test
  void ofManyBadRecordsAFewAreShown() {
    List<ConsumerRecord<byte[], byte[]>> bad = new ArrayList<>();
    for (int i = 0; i < 500; i++) bad.add(Topic.record(i, "bad" + i, "\u0000\n" + i));
    for (int i = 0; i < 500; i++) bad.add(Topic.quota(500 + i, "zero" + i, 0));
    reading.take(bad);
    reading.made();
    assertThat(lines.lines()).hasSize(11).last().isEqualTo("WARN and 990 more such records");
  }

  @Test
  void anInstanceCountsOnceItIsSeenToWrite() {
    reading.take(Topic.instance("dead", "other", "9"));
    reading.made();
    assertThat(peers.lines()).isEmpty();
    reading.take(Topic.instance("alive", "other", "9"));
    reading.made();
    assertThat(peers.lines())
        .containsExactly(
            "WARN 1 of 1 other instances have other limits in their files: reply (here: 5; there:"
                + " 9)");
    assertThat(lines.lines()).isEmpty();
  }

  @Test
  void anInstanceThatEndsIsForgottenAndBadWordsAreNoRevision() {
    reading.made();
    reading.take(Topic.instance("one", "other", "9"));
    reading.made();
    reading.take(List.of(Topic.record(1, "instance/one", null)));
    reading.take(List.of(Topic.record(2, "instance/two", "[[[[")));
    reading.made();
    assertThat(peers.lines()).last().asString().startsWith("INFO all instances have the same");
    assertThat(lines.lines())
        .containsExactly(
            "WARN a-limits at offset 2, key instance/two: not read: an object in JSON is accepted");
    assertThat(reading.inForce().size()).isZero();
  }

  @Test
  void whatFailsIsTriedAgainAndNotLost() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Reading failing =
        new Reading(
            LimitsInForce.of(Topic.CONFIG),
            new InstanceDigests(own, () -> 0, report),
            report,
            () -> {
              if (fails.getAndSet(false)) throw new IllegalStateException("once");
              return Instant.ofEpochMilli(Topic.NOW_MS);
            });
    failing.take(List.of(Topic.quota(0, "a", 7)));
    assertThatThrownBy(failing::made).hasMessage("once");
    assertThat(failing.made().size()).isOne();
  }
}
