package io.sluice.topology;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The hop to an event's home partition. The record there carries the event's time as its timestamp,
 * so that the clock of its home sees it; a header keeps where it came from until it has arrived.
 */
final class Hop {
  private static final String ORIGIN = "sluice-origin";

  private Hop() {}

  /** Writes the event's origin, {@code topic-partition-offset@timestamp}. */
  static void mark(Headers headers, Event event) {
    String origin = event.origin() + "@" + event.recordTimestampMs();
    headers.remove(ORIGIN).add(ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
  }

  /** Opens an event that has arrived: its bytes were sound when it left. */
  static void arrive(Headers headers, Event event, EventDecoder decoder) {
    Header header = headers.lastHeader(ORIGIN);
    if (header == null)
      throw new IllegalStateException("a record on the home topic has no " + ORIGIN);
    String text = new String(header.value(), StandardCharsets.UTF_8);
    int at = text.lastIndexOf('@');
    String origin = text.substring(0, at);
    long timestampMs = Long.parseLong(text.substring(at + 1));
    headers.remove(ORIGIN);
    try {
      event.opened(decoder.decode(event.bytes(), origin, timestampMs), origin, timestampMs);
    } catch (UnreadableEventException e) {
      event.faulty(e.getMessage(), origin, timestampMs);
    }
  }
}
