package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.topology.watch.Top;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A report read from JSON, perhaps of a newer instance: what is not known is skipped. */
final class ReportReader {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_LIMITS = 10_000;

  private final JsonParser json;

  private ReportReader(JsonParser json) {
    this.json = json;
  }

  /** Reads a field of the object that is read. */
  private interface FieldReader {
    void read(String name) throws IOException;
  }

  /** Reads an element of the array that is read. */
  private interface ElementReader {
    void read() throws IOException;
  }

  static Report read(byte[] text) {
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      return new ReportReader(json).report();
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("it does not answer as Sluice does", e);
    }
  }

  private Report report() throws IOException {
    List<Report.OfLimit> limits = new ArrayList<>();
    List<String> answered = new ArrayList<>();
    Map<String, String> unanswered = new TreeMap<>();
    String[] by = {""};
    long[] asOfMs = {0};
    object(
        name -> {
          switch (name) {
            case "by" -> by[0] = text();
            case "asOfMs" -> asOfMs[0] = number();
            case "limits" -> array(() -> add(limits, limit()));
            case "answered" -> array(() -> answered.add(text()));
            case "unanswered" -> array(() -> unanswered(unanswered));
            default -> json.skipChildren();
          }
        });
    if (by[0].isEmpty()) throw new IllegalArgumentException("by: missing");
    return new Report(by[0], asOfMs[0], limits, answered, unanswered);
  }

  private static void add(List<Report.OfLimit> limits, Report.OfLimit each) {
    if (limits.size() < MOST_LIMITS) limits.add(each);
  }

  private void unanswered(Map<String, String> into) throws IOException {
    String[] both = {"", ""};
    object(
        name -> {
          switch (name) {
            case "instance" -> both[0] = text();
            case "why" -> both[1] = text();
            default -> json.skipChildren();
          }
        });
    into.put(both[0], both[1]);
  }

  private Report.OfLimit limit() throws IOException {
    List<Top.Heavy> keys = new ArrayList<>();
    List<String> fields = new ArrayList<>();
    String[] limit = {""};
    boolean[] is = {false, true};
    long[] numbers = new long[3];
    object(
        name -> {
          switch (name) {
            case "limit" -> limit[0] = text();
            case "shadow" -> is[0] = json.getBooleanValue();
            case "watched" -> is[1] = json.getBooleanValue();
            case "keyFields" -> array(() -> fields.add(text()));
            case "othersAtMost" -> numbers[0] = number();
            case "events" -> numbers[1] = number();
            case "windowMs" -> numbers[2] = number();
            case "keys" -> array(() -> keys.add(key()));
            default -> json.skipChildren();
          }
        });
    Top top = new Top(keys, numbers[0], numbers[1], numbers[2]).first(Top.MOST);
    return new Report.OfLimit(limit[0], is[0], fields, is[1], top);
  }

  private Top.Heavy key() throws IOException {
    String[] key = {""};
    long[] numbers = new long[2];
    object(
        name -> {
          switch (name) {
            case "key" -> key[0] = text();
            case "atLeast" -> numbers[0] = number();
            case "atMost" -> numbers[1] = number();
            default -> json.skipChildren();
          }
        });
    return new Top.Heavy(key[0], numbers[0], numbers[1]);
  }

  private void object(FieldReader reader) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) throw new IllegalArgumentException("object");
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      reader.read(name);
    }
  }

  private void array(ElementReader reader) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) throw new IllegalArgumentException("array");
    while (json.nextToken() != JsonToken.END_ARRAY) reader.read();
  }

  private String text() throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) throw new IllegalArgumentException("text");
    return json.getText();
  }

  /** Counts add up, so none may be so large that a sum could overflow. */
  private long number() throws IOException {
    long number = json.getLongValue();
    if (number < 0 || number > 1L << 50) throw new IllegalArgumentException("number");
    return number;
  }
}
