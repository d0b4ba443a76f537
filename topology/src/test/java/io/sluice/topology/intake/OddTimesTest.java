package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.EventDecoder;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.topology.config.ConfigText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that times that no clock has shown, on records and in events, do not stop the stream. */
class OddTimesTest {
  private static final long NOON_MS = 1_780_315_200_000L;
  private static final long SECOND_MS = 1_000;

  private final EventDecoder decoder =
      ConfigText.config("sluice.limit.reply.match.action=reply").eventDecoder();

  private EventOpener opener() {
    return new EventOpener(
        decoder, InstantSource.fixed(Instant.ofEpochMilli(NOON_MS)), Duration.ofSeconds(60));
  }

  private static EventRecord timed(long occurredAtMs) {
    return new EventRecord(
        ("{\"userId\":\"ada\",\"action\":\"reply\",\"occurredAt\":" + occurredAtMs + "}")
            .getBytes(UTF_8));
  }

  private static ConsumerRecord<Object, Object> record(EventRecord event, long timestampMs) {
    return new ConsumerRecord<>(
        "user-actions",
        0,
        7,
        timestampMs,
        TimestampType.CREATE_TIME,
        3,
        3,
        "key".getBytes(UTF_8),
        event,
        new RecordHeaders(),
        java.util.Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, -62_135_596_800_000L, Long.MIN_VALUE, NOON_MS * 2, Long.MAX_VALUE})
  void aRecordWithoutATimestampThatCanBeLeavesWithItsEventsTime(long timestampMs) {
    EventRecord event = timed(NOON_MS - SECOND_MS);
    long streamMs = opener().extract(record(event, timestampMs), 0);
    assertThat(event.isFaulty()).isFalse();
    assertThat(streamMs).isEqualTo(NOON_MS - SECOND_MS);
    assertThat(event.timestampMs()).isEqualTo(NOON_MS - SECOND_MS);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, NOON_MS - 1, NOON_MS + 60_000})
  void anyOtherTimestampStays(long timestampMs) {
    EventRecord event = timed(NOON_MS - SECOND_MS);
    opener().extract(record(event, timestampMs), 0);
    assertThat(event.timestampMs()).isEqualTo(timestampMs);
  }

  @Test
  void withoutAnyTimeItIsADeadLetterOfNow() {
    EventRecord event =
        new EventRecord("{\"userId\":\"ada\",\"action\":\"reply\"}".getBytes(UTF_8));
    long streamMs = opener().extract(record(event, -1), -1);
    assertThat(event.fault().orElseThrow().kind()).isEqualTo(FaultKind.INVALID_FIELD);
    assertThat(event.fault().orElseThrow().fault())
        .isEqualTo("occurredAt is missing, and the record has no timestamp to use instead: -1");
    assertThat(event.timestampMs()).isEqualTo(NOON_MS);
    assertThat(streamMs).isZero();
  }

  @Test
  void whatWasAdmittedByAClockAheadStaysAdmitted() {
    EventRecord event = timed(NOON_MS + 61 * SECOND_MS);
    new DelayedOpener(opener()).extract(record(event, NOON_MS), 0);
    assertThat(event.isFaulty()).isFalse();

    EventRecord atTheDoor = timed(NOON_MS + 61 * SECOND_MS);
    opener().extract(record(atTheDoor, NOON_MS), 0);
    assertThat(atTheDoor.fault().orElseThrow().kind()).isEqualTo(FaultKind.IN_FUTURE);
  }

  @Test
  void aDelayedEventOfTheNextCenturyStaysInThisOne() {
    EventRecord event = timed(NOON_MS + Duration.ofDays(36_500).toMillis());
    new DelayedOpener(opener()).extract(record(event, -1), 0);
    assertThat(event.isFaulty()).isFalse();
    assertThat(event.timestampMs()).isEqualTo(NOON_MS);
  }
}
