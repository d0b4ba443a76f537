package io.sluice.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads events in JSON: an object with {@code UserAction}'s field names, of which {@code userId}
 * and {@code action} are required. Other fields are passed over. Numbers stand for ids, too.
 */
final class JsonEvents {
  private final JsonFactory json = new JsonFactory();

  EventView read(byte[] value, String origin, long timestampMs) throws UnreadableEventException {
    try (JsonParser parser = json.createParser(value)) {
      parser.nextToken();
      Fields fields = new Fields(origin, timestampMs);
      while (parser.nextToken() == JsonToken.FIELD_NAME) fields.read(parser);
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new UnreadableEventException("bad JSON: more than one object");
      }
      return fields;
    } catch (JsonProcessingException e) {
      throw new UnreadableEventException("bad JSON: " + oneLine(e.getOriginalMessage()));
    } catch (IOException e) {
      throw new UnreadableEventException("bad JSON: " + oneLine(e.getMessage()));
    }
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s+", " ");
  }

  private static final class Fields implements EventView {
    private String eventId;
    private String userId = "";
    private String action = "";
    private long occurredAtMs;
    private long cost = 1;
    private String target = "";
    private Map<String, String> attributes = Map.of();

    Fields(String eventId, long occurredAtMs) {
      this.eventId = eventId;
      this.occurredAtMs = occurredAtMs;
    }

    void read(JsonParser parser) throws IOException, UnreadableEventException {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == JsonToken.VALUE_NULL) return;
      switch (name) {
        case "eventId" -> eventId = nonEmpty(text(parser, name), eventId);
        case "userId" -> userId = text(parser, name);
        case "action" -> action = text(parser, name);
        case "occurredAt" -> occurredAtMs = integer(parser, name);
        case "cost" -> cost = integer(parser, name);
        case "target" -> target = text(parser, name);
        case "attributes" -> attributes = attributes(parser);
        default -> parser.skipChildren();
      }
    }

    private static String nonEmpty(String text, String otherwise) {
      return text.isEmpty() ? otherwise : text;
    }

    private static String text(JsonParser parser, String name)
        throws IOException, UnreadableEventException {
      JsonToken token = parser.currentToken();
      if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
        return parser.getText();
      }
      throw new UnreadableEventException(
          DeadLetter.Reason.INVALID_FIELD, name + " must be a string");
    }

    private static long integer(JsonParser parser, String name)
        throws IOException, UnreadableEventException {
      if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw new UnreadableEventException(
            DeadLetter.Reason.INVALID_FIELD, name + " must be a whole number");
      }
      try {
        return parser.getLongValue();
      } catch (IOException e) {
        throw new UnreadableEventException(
            DeadLetter.Reason.INVALID_FIELD, name + " is out of range: " + parser.getText());
      }
    }

    private static Map<String, String> attributes(JsonParser parser)
        throws IOException, UnreadableEventException {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw new UnreadableEventException(
            DeadLetter.Reason.INVALID_FIELD, "attributes must be an object of strings");
      }
      Map<String, String> read = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (!value.isScalarValue()) {
          throw new UnreadableEventException(
              DeadLetter.Reason.INVALID_FIELD, "attributes." + name + " must be a string");
        }
        if (value != JsonToken.VALUE_NULL) read.put(name, parser.getText());
      }
      return read;
    }

    @Override
    public String eventId() {
      return eventId;
    }

    @Override
    public String userId() {
      return userId;
    }

    @Override
    public String action() {
      return action;
    }

    @Override
    public long occurredAtMs() {
      return occurredAtMs;
    }

    @Override
    public long cost() {
      return cost;
    }

    @Override
    public String target() {
      return target;
    }

    @Override
    public String attribute(String name) {
      return attributes.getOrDefault(name, "");
    }
  }
}
