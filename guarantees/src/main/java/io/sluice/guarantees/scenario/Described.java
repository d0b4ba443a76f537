package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Publisher's description of a published record. It is in a header of the record, so that checks of
 * the results need not decode the value, which may be undecodable.
 *
 * @param number unique number of the record
 * @param id id of the event; empty if it has none
 * @param occurredAtMs time of the event as the record says it, epoch milliseconds
 * @param publishedAtMs time of publishing by a correct clock, epoch milliseconds
 * @param kind expected result
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

  /**
   * Timestamp of a record that has no timestamp; clients other than Java's can send such records.
   */
  public static final long NO_TIMESTAMP = -1;

  private static final int FIELDS = 9;

  /** Expected result of a published record. */
  public enum Kind {
    /** The record is a valid event, which must be metered. */
    EVENT,
    /** The record is not a valid event, and must end as a dead letter. */
    POISON,
    /**
     * The record may be metered or end as a dead letter, for example because it may be too large.
     */
    EITHER
  }

  public boolean isPoison() {
    return kind == Kind.POISON;
  }

  /** Whether the event is so late that a limit may judge it by another time than its own. */
  public boolean isOdd() {
    return publishedAtMs - occurredAtMs > Modes.LATENESS_MS / 2;
  }

  /** Returns the description as the value of its header. */
  public byte[] toBytes() {
    Object[] fields = {number, action, user, target, id, occurredAtMs, publishedAtMs, cost, kind};
    StringBuilder text = new StringBuilder();
    for (Object field : fields) text.append(text.isEmpty() ? "" : "|").append(field);
    return text.toString().getBytes(UTF_8);
  }

  /**
   * Parses the description from a record's headers; empty if its header is missing or has another
   * number of fields.
   */
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
