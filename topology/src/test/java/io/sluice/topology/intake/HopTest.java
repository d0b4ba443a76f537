package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.rules.event.Origin;
import io.sluice.testing.StoredFile;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HopTest {
  private static final long TIMESTAMP_MS = 1_780_315_202_007L;
  private static final Origin ORIGIN = Origin.parse("user-actions-0-17");
  private static final byte[] VALUE = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);

  private final EventDecoder decoder = ConfigText.config().eventDecoder();

  private static Record<byte[], EventRecord> departing(byte[] key, Headers headers) {
    EventRecord event = new EventRecord(VALUE);
    event.opened(TestEvent.event("ann", "sms", ""), ORIGIN, TIMESTAMP_MS);
    return Hop.depart(new Record<>(key, event, TIMESTAMP_MS, headers));
  }

  private static Headers header(String text) {
    return new RecordHeaders().add("sluice-origin", text.getBytes(UTF_8));
  }

  private static String header(Record<byte[], EventRecord> record) {
    return new String(record.headers().lastHeader("sluice-origin").value(), UTF_8);
  }

  /**
   * Covers a record that is on its way when a newer version takes over; its null key is lost on the
   * way.
   */
  @ParameterizedTest
  @CsvSource({"keyed,key", "unkeyed,"})
  void aRecordTravelsAsItAlwaysHas(String name, String text) {
    String line = StoredFile.lines("0.2.0/hop-headers").get(name);
    byte[] key = text == null ? null : text.getBytes(UTF_8);
    Record<byte[], EventRecord> hop = departing(key, new RecordHeaders());
    assertThat(header(hop)).isEqualTo(line);
    assertThat(hop.key()).isEqualTo(text == null ? new byte[0] : key);

    EventRecord there = new EventRecord(VALUE);
    Hop.open(there, arrived(VALUE, header(line), TIMESTAMP_MS), decoder::decode);
    assertThat(there.origin()).isEqualTo(ORIGIN);
    assertThat(there.timestampMs()).isEqualTo(TIMESTAMP_MS);
    assertThat(there.event().userId()).isEqualTo("ann");
    Record<byte[], EventRecord> home = Hop.arrive(new Record<>(hop.key(), there, 0, header(line)));
    assertThat(home.key()).isEqualTo(key);
    assertThat(home.headers()).isEmpty();
  }

  /** Returns a record as it is on the repartition topic. */
  private static RawRecord arrived(byte[] value, Headers headers, long timestampMs) {
    return new RawRecord(new byte[0], value, headers, Origin.UNKNOWN, timestampMs);
  }

  /** The key that the hop adds to a record without one is not the record's. */
  @Test
  void aKeyIsReadAtHomeOnlyIfTheRecordHadOne() {
    EventDecoder byKey = ConfigText.config("sluice.event.user=$key // userId").eventDecoder();
    for (byte[] key : new byte[][] {"bob".getBytes(UTF_8), null}) {
      Record<byte[], EventRecord> hop = departing(key, new RecordHeaders());
      EventRecord there = new EventRecord(VALUE);
      RawRecord record =
          new RawRecord(hop.key(), VALUE, hop.headers(), Origin.UNKNOWN, TIMESTAMP_MS);
      Hop.open(there, record, byKey::decode);

      assertThat(there.event().userId()).isEqualTo(key == null ? "ann" : "bob");
    }
  }

  @Test
  void anEmptyKeyIsNotNone() {
    Record<byte[], EventRecord> hop = departing(new byte[0], new RecordHeaders());
    assertThat(header(hop)).startsWith("keyed ");
    assertThat(Hop.arrive(hop).key()).isEmpty();
  }

  @Test
  void aHeaderOfThatNameFromOutsideIsNotBelieved() {
    Headers forged = header("unkeyed elsewhere-9-9 1").add("trace", new byte[] {7});
    Record<byte[], EventRecord> hop = departing("key".getBytes(UTF_8), forged);
    assertThat(hop.headers().headers("sluice-origin")).hasSize(1);
    assertThat(header(hop)).isEqualTo("keyed user-actions-0-17 " + TIMESTAMP_MS);
    assertThat(hop.headers().lastHeader("trace").value()).containsExactly(7);
  }

  @Test
  void aTopicsNameMayHoldHyphensAndDigits() {
    EventRecord event = new EventRecord(VALUE);
    Hop.open(event, arrived(VALUE, header("keyed a-1-b-2-3-44 5"), 5), decoder::decode);
    assertThat(event.origin()).isEqualTo(Origin.of("a-1-b-2", 3, 44));
    assertThat(event.timestampMs()).isEqualTo(5);
  }

  @Test
  void whatIsNoEventAtHomeIsFaultyWithItsOrigin() {
    byte[] value = "no event".getBytes(UTF_8);
    EventRecord event = new EventRecord(value);
    Hop.open(event, arrived(value, header("keyed user-actions-0-17 5"), 5), decoder::decode);
    assertThat(event.isFaulty()).isTrue();
    assertThat(event.fault().orElseThrow().origin()).isEqualTo(ORIGIN);
  }

  @Test
  void aRecordWithoutTheHeaderIsNobodysHop() {
    EventRecord event = new EventRecord(VALUE);
    RawRecord arrived = arrived(VALUE, new RecordHeaders(), TIMESTAMP_MS);
    assertThatThrownBy(() -> Hop.open(event, arrived, decoder::decode))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sluice-origin");
  }

  /** Such a timestamp is not written again, since a broker might refuse it. */
  @Test
  void anEventWithoutATimeKeepsThatOfItsRecordHoweverFarAheadThatIs() {
    byte[] timeless = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
    InstantSource noon = InstantSource.fixed(Instant.ofEpochMilli(TIMESTAMP_MS));
    EventOpener opener = new EventOpener(decoder, noon, Duration.ofHours(3));
    for (long minutes : new long[] {-60, 0, 29, 30, 31, 120}) {
      long aheadMs = TIMESTAMP_MS + minutes * 60_000;
      EventRecord event = new EventRecord(timeless);
      opener.open(event, ORIGIN, aheadMs, TIMESTAMP_MS);
      assertThat(event.event().occurredAtMs()).isEqualTo(aheadMs);
      Record<byte[], EventRecord> hop =
          Hop.depart(new Record<>(null, event, aheadMs, new RecordHeaders()));

      EventRecord there = new EventRecord(timeless);
      opener.arrive(new Record<>(hop.key(), there, hop.timestamp(), hop.headers()));

      assertThat(there.event().occurredAtMs()).as("%d minutes ahead", minutes).isEqualTo(aheadMs);
      assertThat(there.timestampMs()).isEqualTo(event.timestampMs());
    }
  }
}
