package io.sluice.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitsInForce;
import io.sluice.testing.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FollowerTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final RecordedReport report = new RecordedReport();
  private long clockMs = Topic.NOW_MS;
  private final InstantSource clock = () -> Instant.ofEpochMilli(clockMs);
  private final LogLines lines = LogLines.of(Staleness.class);
  private Uuid id = Uuid.randomUuid();
  private long deletionsLastMs = 86_400_000;
  private final Follower follower = follower();

  private Follower follower() {
    InstanceRecord own = new InstanceRecord("me", "d", Map.of(), 0);
    InstanceDigests peers = new InstanceDigests(own, nanos::get, report);
    return new Follower(
        new LimitsLog(
            Topic.PARTITION, consumer, () -> id, () -> deletionsLastMs, clock, nanos::get),
        new Reading(LimitsInForce.of(Topic.CONFIG), peers, report, clock),
        new Staleness("a-limits", report, clock),
        nanos::get);
  }

  @BeforeEach
  void assign() {
    consumer.assign(List.of(Topic.PARTITION));
    consumer.updateBeginningOffsets(Map.of(Topic.PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(Topic.PARTITION, 0L));
  }

  @AfterEach
  void close() {
    lines.close();
    follower.close();
  }

  /** Writes revisions with these ids, starting at an offset. */
  private void write(long offset, String... ids) {
    for (int i = 0; i < ids.length; i++) {
      consumer.addRecord(Topic.quota(offset + i, ids[i], 9));
    }
    consumer.updateEndOffsets(Map.of(Topic.PARTITION, offset + ids.length));
  }

  private void round() {
    nanos.addAndGet(SECOND / 10);
    follower.round(Duration.ofSeconds(1));
  }

  private long known() {
    return follower.known().size();
  }

  @Test
  void everythingThatIsThereIsReadInOneRound() {
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b", "a", "c");
    round();
    assertThat(known()).isEqualTo(3);
    write(4, "d");
    round();
    assertThat(known()).isEqualTo(4);
    assertThat(follower.now()).isSameAs(follower.known());
  }

  @Test
  void aTopicThatEndsEarlierIsReadFromItsBeginning() {
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b", "c");
    round();
    consumer.updateEndOffsets(Map.of(Topic.PARTITION, 1L));
    round();
    assertThat(known()).as("what is known, until more is").isEqualTo(3);
    consumer.seek(Topic.PARTITION, 0);
    write(0, "d");
    round();
    assertThat(known()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 10, 20, 86_400})
  void alsoIfDeletionsLastForSecondsItIsReadFromItsBeginningInTime(long deletionsLastS) {
    deletionsLastMs = 1_000 * deletionsLastS;
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b", "c");
    round();
    nanos.addAndGet(deletionsLastS / 2 * SECOND);
    round();
    assertThat(known()).as("nothing is read anew yet").isEqualTo(3);
    consumer.updateBeginningOffsets(Map.of(Topic.PARTITION, 3L));
    write(3, "c");
    round();
    assertThat(known()).as("a and b are gone").isEqualTo(1);
  }

  @Test
  void anotherTopicOfTheSameNameIsReadFromItsBeginning() {
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b", "c");
    round();
    id = Uuid.randomUuid();
    nanos.addAndGet(5 * SECOND);
    consumer.seek(Topic.PARTITION, 0);
    write(0, "d", "e");
    consumer.seek(Topic.PARTITION, 2);
    round();
    assertThat(known()).isEqualTo(2);
  }

  @Test
  void anOffsetThatIsGoneIsNoEnd() {
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b", "c");
    round();
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(Topic.PARTITION, 3L)));
    follower.tryRound();
    consumer.seek(Topic.PARTITION, 0);
    write(0, "d");
    follower.tryRound();
    assertThat(known()).isEqualTo(1);
  }

  @Test
  void whatFailsIsTriedAgainAndSaidAfterFiveSeconds() {
    consumer.seek(Topic.PARTITION, 0);
    round();
    nanos.addAndGet(3_600 * SECOND);
    for (int i = 0; i < 5; i++) fail();
    assertThat(report.asOf()).isEmpty();
    fail();
    assertThat(report.asOf())
        .isEqualTo("limits as of 2027-01-15T08:00:00Z, the topic a-limits cannot be read");
    follower.now(); // does not wait
    for (int i = 0; i < 3; i++) fail();

    write(0, "a");
    follower.tryRound();
    assertThat(known()).isEqualTo(1);
    assertThat(report.asOf()).isEmpty();
    assertThat(lines.lines())
        .containsExactly(
            "WARN the topic a-limits cannot be read; until it can, limits are those of"
                + " 2027-01-15T08:00:00Z: away",
            "INFO the topic a-limits is read again, after 0 s");
  }

  /** Compaction has removed the revision and its tombstone. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterHalfTheTimeThatDeletionsLastItIsReadFromItsBeginning(boolean byNanos) {
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b");
    round();
    if (byNanos) nanos.addAndGet(43_201 * SECOND);
    else clockMs += 43_201_000;
    write(3, "c");
    round();
    assertThat(known()).as("nothing is known until it is read again").isEqualTo(2);
    consumer.seek(Topic.PARTITION, 0);
    consumer.addRecord(Topic.quota(1, "b", 9));
    consumer.addRecord(Topic.quota(3, "c", 9));
    round();
    assertThat(known()).as("b and c; a is no more").isEqualTo(2);
  }

  @Test
  void aLittleEarlierItIsReadOn() {
    consumer.seek(Topic.PARTITION, 0);
    write(0, "a", "b");
    round();
    nanos.addAndGet(43_199 * SECOND);
    write(2, "c");
    round();
    assertThat(known()).isEqualTo(3);
  }

  /** Fails for one second of the fake clock. */
  private void fail() {
    consumer.setOffsetsException(new KafkaException("away"));
    consumer.setPollException(new KafkaException("away"));
    nanos.addAndGet(SECOND);
    follower.tryRound();
    consumer.setPollException(null);
    consumer.setOffsetsException(null);
  }
}
