package io.sluice.cli.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictField;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Verdict on a past event, read from a verdict topic, without the bytes of the event.
 *
 * @param atMs time of the event, epoch milliseconds
 * @param place topic, partition and offset of the record
 * @param eventId empty if the event has none
 * @param action empty if the action of the event is unknown
 * @param said values of the verdict headers, by header name without {@code sluice-}
 * @param rule source of the settings of the limit that decided
 */
record PastVerdict(
    long atMs,
    Place place,
    Verdict.Kind kind,
    String eventId,
    String action,
    Map<String, String> said,
    Rule rule) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Order by the time of the event; at equal times, the verdict {@code delayed} comes first, since
   * a delayed event gets a second verdict when it is released.
   */
  static final Comparator<PastVerdict> ORDER =
      Comparator.comparingLong(PastVerdict::atMs)
          .thenComparing(each -> each.kind != Verdict.Kind.DELAYED)
          .thenComparing(each -> each.place.topic)
          .thenComparingInt(each -> each.place.partition)
          .thenComparingLong(each -> each.place.offset);

  record Place(String topic, int partition, long offset) {
    @Override
    public String toString() {
      return Origin.of(topic, partition, offset).toString();
    }
  }

  /**
   * Source of a limit's settings: the properties file or revisions (dated changes).
   *
   * @param because "file", "revision" for a change for all events, or "override" for a change for
   *     some events; empty if unknown
   * @param revisions ids of the revisions; the last one has precedence
   */
  record Rule(String because, List<String> revisions) {
    static final Rule UNKNOWN = new Rule("", List.of());
  }

  /** Returns the value of a verdict header; empty if the record has no such header. */
  String text(String name) {
    return said.getOrDefault(name, "");
  }

  /**
   * Returns the value of a verdict header as a number; empty if the value is not a number, since
   * any producer can write headers.
   */
  OptionalLong number(String name) {
    String text = text(name);
    return text.matches("[0-9]{1,15}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** Returns the verdict as a JSON object in one line, without empty fields. */
  String json() {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeNumberField("atMs", atMs);
      write(json, "eventId", eventId);
      write(json, "action", action);
      for (VerdictField field : VerdictField.values()) write(json, field);
      json.writeStringField("record", place.toString());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is written but memory", e);
    }
    return line.toString();
  }

  private void write(JsonGenerator json, VerdictField field) throws IOException {
    // The quota's reset was at the time of the event, and is of no use in the list of past events.
    if (field == VerdictField.RESET_AFTER_MS) return;
    if (field == VerdictField.VERDICT) json.writeStringField(field.json(), kind.text);
    else if (field.isNumber()) write(json, field.json(), number(field.plain()));
    else write(json, field.json(), text(field.plain()));
    if (field != VerdictField.LIMIT) return;
    write(json, "because", rule.because);
    if (!rule.revisions.isEmpty()) writeRevisions(json);
  }

  private void writeRevisions(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("revisions");
    for (String each : rule.revisions) json.writeString(each);
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, String name, String text) throws IOException {
    if (!text.isEmpty()) json.writeStringField(name, text);
  }

  private static void write(JsonGenerator json, String name, OptionalLong number)
      throws IOException {
    if (number.isPresent()) json.writeNumberField(name, number.getAsLong());
  }
}
