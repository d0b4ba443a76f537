package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.topology.config.Topics;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Transfer of an event to its home partition through a repartition topic. The record has the
 * event's time as its timestamp, so that the clock of the home partition sees it. It always has a
 * key, because Streams drops records without one before a repartition topic. A header keeps the
 * original key and timestamp until it arrives.
 */
final class Hop {
  private static final String ORIGIN = "sluice-origin";
  private static final String KEYED = "keyed";
  private static final String UNKEYED = "unkeyed";
  private static final byte[] NO_KEY = {};

  private Hop() {}

  /**
   * Returns the record to send; its header has keyed or unkeyed, topic-partition-offset and the
   * timestamp.
   */
  static Record<byte[], EventRecord> depart(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    boolean keyed = record.key() != null;
    String origin = (keyed ? KEYED : UNKEYED) + " " + event.origin() + " " + event.timestampMs();
    record.headers().remove(ORIGIN).add(ORIGIN, origin.getBytes(UTF_8));
    return keyed ? record : record.withKey(NO_KEY);
  }

  /**
   * Returns the time of an event that has none of its own: the timestamp of its first record. If
   * that was so far ahead that the event leaves with another timestamp, only the hop's record has
   * it.
   */
  private static long standInMs(long timestampMs, long hopMs) {
    return hopMs - timestampMs >= Topics.SURELY_TAKEN_AHEAD_MS ? hopMs : timestampMs;
  }

  /** Decoder of an event, given the coordinates and the timestamp of its first record. */
  interface Reader {
    Event read(EventRecord event, Origin origin, long timestampMs) throws UnreadableEventException;
  }

  /**
   * Decodes the event of a record that came by the hop; marks it as faulty if that fails.
   *
   * @param hopMs timestamp of this record
   */
  static void open(EventRecord event, Headers headers, long hopMs, Reader reader) {
    String text = origin(headers);
    Origin origin = Origin.parse(text.substring(text.indexOf(' ') + 1, text.lastIndexOf(' ')));
    long timestampMs = Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
    try {
      Event view = reader.read(event, origin, standInMs(timestampMs, hopMs));
      event.opened(view, origin, timestampMs);
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, timestampMs);
    }
  }

  /** Returns the record as it was before the hop. */
  static Record<byte[], EventRecord> arrive(Record<byte[], EventRecord> record) {
    boolean keyed = origin(record.headers()).startsWith(KEYED);
    record.headers().remove(ORIGIN);
    return keyed ? record : record.withKey(null);
  }

  /** Returns the headers without that of the hop. */
  static Headers without(Headers headers) {
    return new RecordHeaders(headers).remove(ORIGIN);
  }

  private static String origin(Headers headers) {
    Header header = headers.lastHeader(ORIGIN);
    if (header == null)
      throw new IllegalStateException("a record on the home topic has no " + ORIGIN);
    return new String(header.value(), UTF_8);
  }
}
