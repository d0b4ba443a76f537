package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * @param priority class of an event in line, as the attribute of the event says it; empty if the
 *     event has no such attribute
 * @param tenant tenant of an event in line; empty if the event has no such attribute
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
    Kind kind,
    String priority,
    String tenant) {
  public static final String HEADER = "described";

  /**
   * Timestamp of a record that has no timestamp; clients other than Java's can send such records.
   */
  public static final long NO_TIMESTAMP = -1;

  private static final int FIELDS = 11;

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

  public Described(
      long number,
      String action,
      String user,
      String target,
      String id,
      long occurredAtMs,
      long publishedAtMs,
      long cost,
      Kind kind) {
    this(number, action, user, target, id, occurredAtMs, publishedAtMs, cost, kind, "", "");
  }

  /** Returns a copy of the description with a class and a tenant. */
  public Described of(String itsPriority, String itsTenant) {
    return new Described(
        number,
        action,
        user,
        target,
        id,
        occurredAtMs,
        publishedAtMs,
        cost,
        kind,
        itsPriority,
        itsTenant);
  }

  /** Returns a copy of the description for another record with the same event. */
  public Described again(long itsNumber) {
    return new Described(
        itsNumber,
        action,
        user,
        target,
        id,
        occurredAtMs,
        publishedAtMs,
        cost,
        kind,
        priority,
        tenant);
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
    return Stream.of(
            number,
            action,
            user,
            target,
            id,
            occurredAtMs,
            publishedAtMs,
            cost,
            kind,
            priority,
            tenant)
        .map(Object::toString)
        .collect(Collectors.joining("|"))
        .getBytes(UTF_8);
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
            Kind.valueOf(fields[8]),
            fields[9],
            fields[10]));
  }

  @Override
  public String toString() {
    if (isPoison()) return "poison " + number;
    return "event " + number + " (" + action + " of " + user + " at " + occurredAtMs + ")";
  }
}
