package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.events.RawRecord;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.topology.config.Topics;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Transfer of an event to its home partition through a repartition topic. The transferred record
 * has the event's time as its timestamp, so that the stream time of the home partition advances to
 * the event. It always has a key, because Kafka Streams drops records without a key before a
 * repartition topic. A header says whether the original record had a key, and keeps its origin and
 * timestamp.
 */
final class Hop {
  private static final String ORIGIN = "sluice-origin";
  private static final String KEYED = "keyed";
  private static final String UNKEYED = "unkeyed";
  private static final byte[] NO_KEY = {};

  private Hop() {}

  /**
   * Returns the record for the repartition topic. Its header contains "keyed" or "unkeyed", the
   * origin as topic-partition-offset, and the original timestamp.
   */
  static Record<byte[], EventRecord> depart(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    boolean keyed = record.key() != null;
    String origin = (keyed ? KEYED : UNKEYED) + " " + event.origin() + " " + event.timestampMs();
    record.headers().remove(ORIGIN).add(ORIGIN, origin.getBytes(UTF_8));
    return keyed ? record : record.withKey(NO_KEY);
  }

  /**
   * Returns the timestamp of an event's first record, which is the time of an event without an own
   * time. If that timestamp was so far ahead that the event leaves with another timestamp, only the
   * record on the repartition topic has it as its timestamp.
   *
   * @param timestampMs timestamp in the header, with which the event leaves
   * @param hopMs timestamp of the record on the repartition topic
   */
  private static long standInMs(long timestampMs, long hopMs) {
    return hopMs - timestampMs >= Topics.SURELY_TAKEN_AHEAD_MS ? hopMs : timestampMs;
  }

  /** Decoder of the event of a record. */
  interface Reader {
    Event read(RawRecord record) throws UnreadableEventException;
  }

  /**
   * Decodes the event of a record on the repartition topic; marks the event as faulty if that
   * fails.
   *
   * @param arrived record as it is on the repartition topic
   */
  static void open(EventRecord event, RawRecord arrived, Reader reader) {
    String text = origin(arrived.headers());
    Origin origin = Origin.parse(text.substring(text.indexOf(' ') + 1, text.lastIndexOf(' ')));
    long timestampMs = Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
    try {
      long standInMs = standInMs(timestampMs, arrived.timestampMs());
      RawRecord first = arrived.cameAs(origin, standInMs, text.startsWith(KEYED));
      event.opened(reader.read(first), origin, timestampMs);
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, timestampMs);
    }
  }

  /** Returns a record from the repartition topic with its original key and headers. */
  static Record<byte[], EventRecord> arrive(Record<byte[], EventRecord> record) {
    boolean keyed = origin(record.headers()).startsWith(KEYED);
    record.headers().remove(ORIGIN);
    return keyed ? record : record.withKey(null);
  }

  /** Returns a copy of the headers without the header for the transfer. */
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
