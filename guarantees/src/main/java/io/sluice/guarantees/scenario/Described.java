package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Publisher's description of a record, in one of its headers, so that the checks need not decode
 * the value, which may be undecodable.
 *
 * @param number unique number of the record
 * @param id id of the event; empty if it has none
 * @param occurredAtMs the event's own time
 * @param publishedAtMs time of publishing, by a correct clock
 */
public record Described(
    long number,
    String action,
    String user,
    String target,
    String id,
    long occurredAtMs,
    long publishedAtMs,
    long cost,
    Kind kind) {
  public static final String HEADER = "described";

  /** Timestamp of a record without one; other clients than Java's can send such records. */
  public static final long NO_TIMESTAMP = -1;

  private static final int FIELDS = 9;

  /** Expected result for a record. */
  public enum Kind {
    /** The record is metered. */
    EVENT,
    /** The record is not an event, and ends as a dead letter. */
    POISON,
    /** The record is metered, or ends as a dead letter, for example because it may be too large. */
    EITHER
  }

  public boolean isPoison() {
    return kind == Kind.POISON;
  }

  /** Whether the event is so late that it may be judged by another time than its own. */
  public boolean isOdd() {
    return publishedAtMs - occurredAtMs > Modes.LATENESS_MS / 2;
  }

  /** Returns the value of the header. */
  public byte[] toBytes() {
    Object[] fields = {number, action, user, target, id, occurredAtMs, publishedAtMs, cost, kind};
    StringBuilder text = new StringBuilder();
    for (Object field : fields) text.append(text.isEmpty() ? "" : "|").append(field);
    return text.toString().getBytes(UTF_8);
  }

  /** Parses the header; empty if it is missing or has another number of fields. */
  public static Optional<Described> in(Headers headers) {
    Header header = headers.lastHeader(HEADER);
    if (header == null || header.value() == null) return Optional.empty();
    String[] fields = new String(header.value(), UTF_8).split("\\|", -1);
    if (fields.length != FIELDS) return Optional.empty();
    return Optional.of(
        new Described(
            Long.parseLong(fields[0]),
            fields[1],
            fields[2],
            fields[3],
            fields[4],
            Long.parseLong(fields[5]),
            Long.parseLong(fields[6]),
            Long.parseLong(fields[7]),
            Kind.valueOf(fields[8])));
  }

  @Override
  public String toString() {
    if (isPoison()) return "poison " + number;
    return "event " + number + " (" + action + " of " + user + " at " + occurredAtMs + ")";
  }
}
