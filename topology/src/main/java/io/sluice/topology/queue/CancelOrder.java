package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.revision.Scope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Order to cancel events that wait in line: those that have the values of some fields. It is the
 * value of a control record on the topic of delayed events, as JSON.
 *
 * @param id unique among orders; an order that comes again with its id has no effect
 * @param values of fields that an event must have, at least one
 * @param event id that an event must have; empty for all events
 * @param limit name of a limit for which an event must wait; empty for any
 * @param atMs when the order was given, epoch milliseconds
 * @param by author; may be empty
 */
public record CancelOrder(
    String id, Map<Field, String> values, String event, String limit, long atMs, String by) {
  /** Largest number of bytes of an order, which bounds the memory for open orders. */
  public static final int MOST_BYTES = 32 << 10;

  /** Header of the control record. */
  public static final Header HEADER =
      new RecordHeader(DelayHeaders.CONTROL, DelayHeaders.CANCEL.getBytes(UTF_8));

  private static final int LONGEST_ID = 100;
  private static final int MOST_SHOWN = 200;
  private static final String SUCH = "; such as {\"id\":\"c-1\",\"for\":{\"userId\":\"ada\"}}";
  private static final JsonFactory JSON = new JsonFactory();

  public CancelOrder {
    values = Map.copyOf(values);
  }

  /** Returns the fields of a scope with their values. */
  public static Map<Field, String> values(Scope scope) {
    Map<Field, String> values = new LinkedHashMap<>();
    List<Field> fields = scope.fields().fields();
    for (int i = 0; i < fields.size(); i++) values.put(fields.get(i), scope.values().get(i));
    return values;
  }

  /** Returns the value of the control record. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("id", id);
      json.writeObjectFieldStart("for");
      for (Map.Entry<Field, String> each : values.entrySet())
        json.writeStringField(each.getKey().toString(), each.getValue());
      json.writeEndObject();
      if (!event.isEmpty()) json.writeStringField("event", event);
      if (!limit.isEmpty()) json.writeStringField("limit", limit);
      json.writeNumberField("at", atMs);
      if (!by.isEmpty()) json.writeStringField("by", by);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads the value of a control record. A field that this release does not know is an error, since
   * it may narrow the order.
   *
   * @param value null for a record without a value
   */
  static CancelOrder of(byte[] value) throws UnreadableEventException {
    if (value == null || value.length == 0) throw wrong("the order has no value" + SUCH);
    if (value.length > MOST_BYTES)
      throw wrong("the order has " + value.length + " bytes: accepted are " + MOST_BYTES);
    try (JsonParser json = JSON.createParser(new String(value, UTF_8))) {
      return new Draft().read(json);
    } catch (JsonProcessingException e) {
      throw wrong("the order is not JSON: " + shown(e.getOriginalMessage()) + SUCH);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static UnreadableEventException wrong(String why) {
    return new UnreadableEventException(FaultKind.INVALID_FIELD, why);
  }

  private static String shown(String text) {
    return PlainText.message(text, MOST_SHOWN);
  }

  /** Order whose fields are being read. */
  private static final class Draft {
    private final Map<Field, String> values = new LinkedHashMap<>();
    private final Set<String> seen = new HashSet<>();
    private String id = "";
    private String event = "";
    private String limit = "";
    private long atMs;
    private String by = "";

    CancelOrder read(JsonParser json) throws IOException, UnreadableEventException {
      if (json.nextToken() != JsonToken.START_OBJECT)
        throw wrong("the order must be a JSON object" + SUCH);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        if (!seen.add(name)) throw wrong(shown(name) + " is there twice");
        take(name, json);
      }
      if (json.nextToken() != null) throw wrong("the order must be one JSON object" + SUCH);
      if (id.isEmpty() || id.length() > LONGEST_ID)
        throw wrong("id must have 1 to " + LONGEST_ID + " characters" + SUCH);
      if (values.isEmpty()) throw wrong("for must have a field and its value" + SUCH);
      return new CancelOrder(id, values, event, limit, atMs, by);
    }

    private void take(String name, JsonParser json) throws IOException, UnreadableEventException {
      switch (name) {
        case "id" -> id = text(name, json);
        case "for" -> takeValues(json);
        case "event" -> event = text(name, json);
        case "limit" -> limit = text(name, json);
        case "by" -> by = text(name, json);
        case "at" -> atMs = number(json);
        default ->
            throw wrong(
                shown(name) + ": unknown; an order has id, for, event, limit, at and by" + SUCH);
      }
    }

    private static String text(String name, JsonParser json)
        throws IOException, UnreadableEventException {
      JsonToken token = json.currentToken();
      // An empty text would stand for all events, and is more likely a mistake.
      boolean isText = token == JsonToken.VALUE_STRING && !json.getText().isEmpty();
      if (isText) return json.getText();
      throw wrong(shown(name) + " must be a text that is not empty" + SUCH);
    }

    private static long number(JsonParser json) throws IOException, UnreadableEventException {
      boolean isNumber = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
      if (isNumber && json.getText().length() <= 18) return json.getLongValue();
      throw wrong("at must be a time in epoch milliseconds");
    }

    private void takeValues(JsonParser json) throws IOException, UnreadableEventException {
      if (json.currentToken() != JsonToken.START_OBJECT)
        throw wrong("for must be an object of fields and values" + SUCH);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        String value = text("for." + name, json);
        if (values.putIfAbsent(field(name), value) != null)
          throw wrong("for." + shown(name) + " is there twice");
      }
    }

    private static Field field(String name) throws UnreadableEventException {
      try {
        return Field.parse(name);
      } catch (IllegalArgumentException e) {
        throw wrong("for." + shown(name) + ": " + e.getMessage());
      }
    }
  }
}
