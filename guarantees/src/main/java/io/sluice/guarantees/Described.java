package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * What the publisher says of a record in a header of it, so that the checker need not read the
 * value, which may be one that nobody can.
 *
 * @param number names the record: no two have the same
 * @param atHome whether the record is keyed by its user, and so lies where it is counted
 * @param poison whether the record is no event
 */
record Described(
    long number,
    String action,
    String user,
    String target,
    long occurredAtMs,
    long cost,
    boolean atHome,
    boolean poison) {
  static final String HEADER = "described";
  private static final int FIELDS = 8;

  /** The header's value. */
  byte[] toBytes() {
    Object[] fields = {number, action, user, target, occurredAtMs, cost, atHome, poison};
    StringBuilder text = new StringBuilder();
    for (Object field : fields) text.append(text.isEmpty() ? "" : "|").append(field);
    return text.toString().getBytes(UTF_8);
  }

  /** What the header says; empty if there is none, or not as it was written. */
  static Optional<Described> in(Headers headers) {
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
            Long.parseLong(fields[4]),
            Long.parseLong(fields[5]),
            Boolean.parseBoolean(fields[6]),
            Boolean.parseBoolean(fields[7])));
  }

  @Override
  public String toString() {
    if (poison) return "poison " + number;
    return "event " + number + " (" + action + " of " + user + " at " + occurredAtMs + ")";
  }
}
