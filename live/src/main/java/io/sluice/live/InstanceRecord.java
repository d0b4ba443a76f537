package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.limiter.PlainText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Record in the topic of revisions by which an instance tells the others which limits its
 * configuration has.
 *
 * @param id random id of the instance, one for each process
 * @param digest of the instance's limits before any revision
 * @param limits descriptions of the limits, by name
 * @param timeMs when the record was written, epoch milliseconds; only for display, and 0 in a
 *     parsed record
 */
record InstanceRecord(String id, String digest, Map<String, String> limits, long timeMs) {
  private static final String KEY = "instance/";
  private static final byte[] KEY_BYTES = KEY.getBytes(UTF_8);
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_LIMITS = 1_000;
  private static final int LONGEST_NAME = 200;
  static final int LONGEST_WORDS = 300;
  private static final JsonFactory JSON = new JsonFactory();

  /** Shortens each text to one line, because texts of other instances appear in logs. */
  InstanceRecord {
    id = line(id, LONGEST_NAME);
    digest = line(digest, LONGEST_NAME);
    Map<String, String> some = new TreeMap<>();
    limits.forEach(
        (name, words) -> {
          if (some.size() < MOST_LIMITS)
            some.put(line(name, LONGEST_NAME), line(words, LONGEST_WORDS));
        });
    limits = Map.copyOf(some);
  }

  private static String line(String text, int most) {
    return PlainText.message(text.length() > most ? text.substring(0, most) : text);
  }

  /**
   * Whether a key belongs to the record of an instance; such a key is never that of a revision. The
   * value of the record may be invalid.
   */
  static boolean isKey(byte[] key) {
    int length = KEY_BYTES.length;
    return key != null
        && key.length > length
        && Arrays.equals(key, 0, length, KEY_BYTES, 0, length);
  }

  static String idOf(byte[] key) {
    return line(new String(key, UTF_8).substring(KEY.length()), LONGEST_NAME);
  }

  byte[] key() {
    return (KEY + id).getBytes(UTF_8);
  }

  byte[] json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("instance", id);
      json.writeStringField("digest", digest);
      json.writeObjectFieldStart("limits");
      for (Map.Entry<String, String> each : new TreeMap<>(limits).entrySet()) {
        json.writeStringField(each.getKey(), each.getValue());
      }
      json.writeEndObject();
      json.writeNumberField("time", timeMs);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write JSON to memory", e);
    }
    return text.toString().getBytes(UTF_8);
  }

  /**
   * Parses a record of another instance, perhaps of a newer version; unknown fields are skipped.
   *
   * @throws IllegalArgumentException if the record is not valid; the message says why in one line
   */
  static InstanceRecord read(byte[] key, byte[] value) {
    if (value.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "the value has " + value.length + " bytes: accepted are " + MOST_BYTES);
    }
    try (JsonParser parser = JSON.createParser(value)) {
      return read(idOf(key), parser);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("bad JSON: " + line(e.getOriginalMessage(), LONGEST_NAME));
    } catch (IOException e) {
      throw new IllegalArgumentException("bad JSON: " + line("" + e.getMessage(), LONGEST_NAME));
    }
  }

  private static InstanceRecord read(String id, JsonParser parser) throws IOException {
    String digest = "";
    Map<String, String> limits = new TreeMap<>();
    if (parser.nextToken() != JsonToken.START_OBJECT) throw notAnObject();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (name.equals("digest")) digest = parser.getText();
      else if (name.equals("limits") && token == JsonToken.START_OBJECT) limits = texts(parser);
      else parser.skipChildren();
    }
    if (digest.isEmpty()) throw new IllegalArgumentException("digest: missing");
    return new InstanceRecord(id, digest, limits, 0);
  }

  private static Map<String, String> texts(JsonParser parser) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
      if (isText) texts.put(name, parser.getText());
      else parser.skipChildren();
    }
    return texts;
  }

  private static IllegalArgumentException notAnObject() {
    return new IllegalArgumentException("an object in JSON is accepted");
  }
}
