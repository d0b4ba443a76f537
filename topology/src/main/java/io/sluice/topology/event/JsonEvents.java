package io.sluice.topology.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.limiter.Bucket;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.EpochMillis;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.PathNode;
import io.sluice.topology.event.EventDecoder.StandIns;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decoder of JSON events: a JSON object with the fields that metering needs at the configured
 * paths. Skips other fields. A text field may also be a whole number.
 */
final class JsonEvents {
  private final JsonFactory json = new JsonFactory();
  private final PathNode root;

  JsonEvents(FieldPaths paths) {
    root = paths.root();
  }

  /**
   * Decodes an event.
   *
   * @param begin index of the first byte of JSON in the value
   * @param standIns values that replace missing fields
   */
  Event read(byte[] value, int begin, StandIns standIns) throws UnreadableEventException {
    try (JsonParser parser = json.createParser(value, begin, value.length - begin)) {
      parser.nextToken();
      Fields fields = new Fields(standIns);
      fields.readObject(parser, root);
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

  private static final class Fields implements Event {
    private final StandIns standIns;
    private String eventId = "";
    private String userId = "";
    private String action;
    private long occurredAtMs;
    private long cost = 1;
    private String target = "";
    private Map<String, String> attributes = Map.of();
    private Set<String> noKeys = Set.of();

    Fields(StandIns standIns) {
      this.standIns = standIns;
      occurredAtMs = standIns.timestampMs();
      action = standIns.action();
    }

    /**
     * Reads the JSON object at the parser's position up to its end, and keeps the fields at
     * configured paths.
     *
     * @param at configured paths below this object
     */
    void readObject(JsonParser parser, PathNode at) throws IOException, UnreadableEventException {
      if (at.isAttributes() && attributes.isEmpty()) attributes = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (value == JsonToken.VALUE_NULL) continue;
        if (at.isAttributes() && value.isScalarValue()) takeAttribute(name, parser.getText());
        readValue(parser, at.child(name));
      }
    }

    private void readValue(JsonParser parser, PathNode at)
        throws IOException, UnreadableEventException {
      if (at.isLeaf()) {
        take(parser, at);
      } else if (at.isInner() && parser.currentToken() == JsonToken.START_OBJECT) {
        readObject(parser, at);
      } else if (at.isAttributes()) {
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD, at.path() + " must be an object");
      } else {
        parser.skipChildren();
      }
    }

    private void take(JsonParser parser, PathNode at) throws IOException, UnreadableEventException {
      switch (at.role()) {
        case ID -> eventId = nonEmpty(text(parser, at), eventId);
        case USER -> userId = text(parser, at);
        case ACTION -> action = text(parser, at);
        case TIME -> occurredAtMs = time(parser, at);
        case COST -> cost = integer(parser, at);
        case TARGET -> target = text(parser, at);
        case ATTRIBUTES -> throw new IllegalStateException("attributes are many");
      }
    }

    /**
     * Keeps an attribute. If its value contains half of a surrogate pair, which UTF-8 cannot
     * encode, the half is kept as an escape sequence, and the event is later refused only if a
     * limit counts by the attribute.
     */
    private void takeAttribute(String name, String value) {
      boolean key = Bucket.isKey(value);
      attributes.put(name, key ? value : escaped(value));
      if (key && noKeys.isEmpty()) return;
      if (noKeys.isEmpty()) noKeys = new HashSet<>();
      if (key) noKeys.remove(name);
      else noKeys.add(name);
    }

    private static String escaped(String value) {
      StringBuilder text = new StringBuilder();
      value
          .codePoints()
          .forEach(
              c -> {
                if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                  text.appendCodePoint(c);
                } else {
                  text.append("\\u").append(Integer.toHexString(c));
                }
              });
      return text.toString();
    }

    private static String nonEmpty(String text, String otherwise) {
      return text.isEmpty() ? otherwise : text;
    }

    private static String text(JsonParser parser, PathNode at)
        throws IOException, UnreadableEventException {
      JsonToken token = parser.currentToken();
      if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
        String text = parser.getText();
        if (Bucket.isKey(text)) return text;
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD,
            at.path() + " contains half of a surrogate pair, which UTF-8 cannot encode");
      }
      throw new UnreadableEventException(FaultKind.INVALID_FIELD, at.path() + " must be a string");
    }

    private static long time(JsonParser parser, PathNode at)
        throws IOException, UnreadableEventException {
      if (parser.currentToken() != JsonToken.VALUE_STRING) return integer(parser, at);
      try {
        return EpochMillis.ofText(parser.getText());
      } catch (IllegalArgumentException e) {
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD, at.path() + ": " + e.getMessage());
      }
    }

    private static long integer(JsonParser parser, PathNode at)
        throws IOException, UnreadableEventException {
      if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD, at.path() + " must be a whole number");
      }
      try {
        return parser.getLongValue();
      } catch (IOException e) {
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD, at.path() + " is out of range: " + parser.getText());
      }
    }

    @Override
    public String eventId() {
      return standIns.idOr(eventId);
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
    public String topic() {
      return standIns.topic();
    }

    @Override
    public String attribute(String name) {
      return attributes.getOrDefault(name, "");
    }

    @Override
    public Set<String> attributesOfNoKey() {
      return noKeys;
    }
  }
}
