package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The publisher's own description of a record, in a header of it, so that the checker need not read
 * the value, which may be one that nobody can.
 *
 * @param number names the record: no two have the same
 * @param id the event's; empty if it has none
 * @param occurredAtMs the event's own time
 * @param publishedAtMs when it was published, by a clock that is right
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

  /** The timestamp of a record that has none, which no client in Java sends and others do. */
  public static final long NO_TIMESTAMP = -1;

  private static final int FIELDS = 9;

  /** What is to become of a record. */
  public enum Kind {
    /** It is metered. */
    EVENT,
    /** It is no event, and ends as a dead letter. */
    POISON,
    /** It may be metered, and may be too much for that: then it is a dead letter. */
    EITHER
  }

  public boolean isPoison() {
    return kind == Kind.POISON;
  }

  /** Whether its time is so far from when it was published that it is judged by another. */
  public boolean isOdd() {
    return publishedAtMs - occurredAtMs > Modes.LATENESS_MS / 2;
  }

  /** The header's value. */
  public byte[] toBytes() {
    Object[] fields = {number, action, user, target, id, occurredAtMs, publishedAtMs, cost, kind};
    StringBuilder text = new StringBuilder();
    for (Object field : fields) text.append(text.isEmpty() ? "" : "|").append(field);
    return text.toString().getBytes(UTF_8);
  }

  /** What the header says; empty if there is none, or not as it was written. */
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
