package io.sluice.topology.simulation;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictField;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Verdict on an event in a {@link Simulation}, read from the headers of the output record. */
public final class SimulatedVerdict {
  private static final List<VerdictField> FIELDS =
      VerdictField.withReasonBefore(VerdictField.ATTEMPT);

  private static final Set<String> UNMETERED =
      Set.of(Verdict.Reason.TOMBSTONE.text(), Verdict.Reason.MISSING_FIELD.text());

  private final long number;
  private final Event event;
  private final Headers headers;
  private final String verdict;
  private final String limit;
  private final String key;

  SimulatedVerdict(long number, Event event, Headers headers, Limits limits) {
    this.number = number;
    this.event = event;
    this.headers = headers;
    verdict = header(VerdictField.VERDICT.header());
    limit = header(VerdictField.LIMIT.header());
    key = key(limits);
  }

  private String key(Limits limits) {
    if (limit.isEmpty()) return event.userId();
    for (Limit each : limits.all()) {
      if (each.name().equals(limit)) return each.key().of(event);
    }
    return event.userId();
  }

  /** Returns the number of the event: equal for all verdicts on the event, unique among events. */
  public long number() {
    return number;
  }

  public boolean isAllowed() {
    return verdict.equals(Verdict.Kind.ALLOWED.text);
  }

  public boolean isRejected() {
    return verdict.equals(Verdict.Kind.REJECTED.text);
  }

  /** Returns whether the event is delayed, so that another verdict on it follows when it is due. */
  public boolean isDelayed() {
    return verdict.equals(Verdict.Kind.DELAYED.text);
  }

  /** Returns the name of the limit that decided; empty if no limit decided. */
  public String limit() {
    return limit;
  }

  /** Returns the event's key for the limit that decided; the event's user if no limit decided. */
  public String key() {
    return key;
  }

  /** Returns whether the event waits in line, so that its due time is an estimate. */
  boolean isEstimated() {
    return !header(VerdictField.ESTIMATE.header()).isEmpty();
  }

  /** Returns the due time of a delayed event, epoch milliseconds. */
  long dueMs() {
    return Long.parseLong(header(DelayHeaders.RELEASE_AT_MS));
  }

  /** Returns the verdict as a JSON object in one line, without empty fields. */
  public String json() {
    JsonLine line =
        new JsonLine()
            .text("eventId", event.eventId())
            .text("userId", event.userId())
            .text("action", event.action());
    for (VerdictField field : FIELDS) {
      // A flag is written as its text, without quotes, like a number.
      boolean isPlain = field.isNumber() || field == VerdictField.ESTIMATE;
      if (isPlain) line.number(field.json(), header(field.header()));
      else line.text(field.json(), header(field.header()));
    }
    return line.end();
  }

  /** Returns whether the headers are of a record that is not an event and leaves unmetered. */
  static boolean isUnmetered(Headers headers) {
    return UNMETERED.contains(header(headers, VerdictField.REASON.header()));
  }

  /**
   * Returns the verdict on a record that is not an event and leaves unmetered, as a JSON object in
   * one line. The coordinates of the record stand in for an event id.
   */
  static String unmetered(Headers headers) {
    JsonLine line = new JsonLine().text("eventId", Marks.origin(headers).toString());
    for (VerdictField field : List.of(VerdictField.VERDICT, VerdictField.REASON)) {
      line.text(field.json(), header(headers, field.header()));
    }
    return line.end();
  }

  private String header(String name) {
    return header(headers, name);
  }

  /** Returns the text of a header; empty if there is no such header. */
  static String header(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  /**
   * Builder of a JSON object in one line of text, field by field. A field with an empty value is
   * left out.
   */
  static final class JsonLine {
    private final StringBuilder line = new StringBuilder(256).append('{');

    JsonLine text(String name, String text) {
      if (text.isEmpty()) return this;
      name(name).append('"');
      for (int i = 0; i < text.length(); i++) append(text, i);
      line.append('"');
      return this;
    }

    /** Adds a field with a number, given as text; does nothing if the text is empty. */
    JsonLine number(String name, String digits) {
      if (!digits.isEmpty()) name(name).append(digits);
      return this;
    }

    String end() {
      return line.append('}').toString();
    }

    private StringBuilder name(String name) {
      if (line.length() > 1) line.append(',');
      return line.append('"').append(name).append("\":");
    }

    private void append(String text, int i) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') line.append('\\').append(c);
      else if (c < ' ' || isUnpaired(text, i))
        line.append("\\u").append(HexFormat.of().toHexDigits(c));
      else line.append(c);
    }

    /** Returns whether the character is half of a surrogate pair, which UTF-8 cannot encode. */
    private static boolean isUnpaired(String text, int i) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)) {
        return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
      }
      return Character.isLowSurrogate(c)
          && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
  }

  /**
   * Headers by which a record of a simulation is recognised when it comes out of the topology: its
   * number and its original coordinates.
   */
  static final class Marks {
    private static final String NUMBER = "simulated-number";

    /**
     * Name of the header with the record's original topic, partition and offset, since the
     * simulated topic has different offsets.
     */
    private static final String ORIGIN = "simulated-origin";

    private Marks() {}

    /** Returns a copy of a record's headers, with a number and original coordinates added. */
    static Headers added(Headers given, long number, Origin origin) {
      Headers headers = new RecordHeaders(given);
      headers.add(NUMBER, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
      return headers.add(ORIGIN, origin.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the number with which a record was published to the simulation. */
    static long number(Headers headers) {
      return ByteBuffer.wrap(headers.lastHeader(NUMBER).value()).getLong();
    }

    /** Returns the original topic, partition and offset of a record. */
    static Origin origin(Headers headers) {
      return Origin.parse(SimulatedVerdict.header(headers, ORIGIN));
    }
  }
}
