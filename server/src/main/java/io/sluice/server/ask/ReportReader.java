package io.sluice.server.ask;

import io.sluice.topology.watch.Top;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON parser of another instance's report of the keys with most events. */
final class ReportReader {
  /**
   * Maximum number of limits in a report; further ones are ignored. An instance has fewer limits;
   * the number bounds memory.
   */
  static final int MOST_LIMITS = 10_000;

  private final JsonReading json;

  private ReportReader(JsonReading json) {
    this.json = json;
  }

  static Report read(byte[] text) {
    return JsonReading.read(text, json -> new ReportReader(json).report());
  }

  private Report report() throws IOException {
    List<Report.OfLimit> limits = new ArrayList<>();
    List<String> answered = new ArrayList<>();
    Map<String, String> unanswered = new TreeMap<>();
    String[] by = {""};
    long[] asOfMs = {0};
    json.object(
        name -> {
          switch (name) {
            case "by" -> by[0] = json.text();
            case "asOfMs" -> asOfMs[0] = json.number();
            case "limits" -> json.array(() -> add(limits, limit()));
            case "answered" -> json.array(() -> answered.add(json.text()));
            case "unanswered" -> json.array(() -> unanswered(unanswered));
            default -> json.skip();
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
    json.object(
        name -> {
          switch (name) {
            case "instance" -> both[0] = json.text();
            case "why" -> both[1] = json.text();
            default -> json.skip();
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
    json.object(
        name -> {
          switch (name) {
            case "limit" -> limit[0] = json.text();
            case "shadow" -> is[0] = json.flag();
            case "watched" -> is[1] = json.flag();
            case "keyFields" -> json.array(() -> fields.add(json.text()));
            case "othersAtMost" -> numbers[0] = json.number();
            case "events" -> numbers[1] = json.number();
            case "windowMs" -> numbers[2] = json.number();
            case "keys" -> json.array(() -> keys.add(key()));
            default -> json.skip();
          }
        });
    Top top = new Top(keys, numbers[0], numbers[1], numbers[2]).first(Top.MOST);
    return new Report.OfLimit(limit[0], is[0], fields, is[1], top);
  }

  private Top.Heavy key() throws IOException {
    String[] key = {""};
    long[] numbers = new long[2];
    json.object(
        name -> {
          switch (name) {
            case "key" -> key[0] = json.text();
            case "atLeast" -> numbers[0] = json.number();
            case "atMost" -> numbers[1] = json.number();
            default -> json.skip();
          }
        });
    return new Top.Heavy(key[0], numbers[0], numbers[1]);
  }
}
