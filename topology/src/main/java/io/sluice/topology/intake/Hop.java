package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.event.EventDecoder;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The hop to an event's home partition. The record there carries the event's time as its timestamp,
 * so that the clock of its home sees it, and never lacks a key, because Streams loses records
 * without one before a repartition topic; a header keeps what it was until it has arrived.
 */
final class Hop {
  private static final String ORIGIN = "sluice-origin";
  private static final String KEYED = "keyed";
  private static final String UNKEYED = "unkeyed";
  private static final byte[] NO_KEY = {};

  private Hop() {}

  /**
   * The record to send home; its header says keyed or not, topic-partition-offset and timestamp.
   */
  static Record<byte[], EventRecord> depart(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    boolean keyed = record.key() != null;
    String origin = (keyed ? KEYED : UNKEYED) + " " + event.origin() + " " + event.timestampMs();
    record.headers().remove(ORIGIN).add(ORIGIN, origin.getBytes(UTF_8));
    return keyed ? record : record.withKey(NO_KEY);
  }

  /** Opens the event that a record with these headers brings home. */
  static void open(EventRecord event, Headers headers, EventDecoder decoder) {
    String text = origin(headers);
    Origin origin = Origin.parse(text.substring(text.indexOf(' ') + 1, text.lastIndexOf(' ')));
    long timestampMs = Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
    try {
      event.opened(decoder.decode(event.bytes(), origin, timestampMs), origin, timestampMs);
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, timestampMs);
    }
  }

  /** The record as it was before it left. */
  static Record<byte[], EventRecord> arrive(Record<byte[], EventRecord> record) {
    boolean keyed = origin(record.headers()).startsWith(KEYED);
    record.headers().remove(ORIGIN);
    return keyed ? record : record.withKey(null);
  }

  private static String origin(Headers headers) {
    Header header = headers.lastHeader(ORIGIN);
    if (header == null)
      throw new IllegalStateException("a record on the home topic has no " + ORIGIN);
    return new String(header.value(), UTF_8);
  }
}
