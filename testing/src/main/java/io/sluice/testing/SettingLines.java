package io.sluice.testing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Settings for tests, as lines of a properties file. */
public final class SettingLines {
  private SettingLines() {}

  /** Returns the settings that Kafka needs, and these lines. */
  public static Map<String, String> kafka(String... lines) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("application.id", "sluice");
    texts.put("bootstrap.servers", "localhost:9092");
    return put(texts, lines);
  }

  /** Returns the settings that every configuration needs, with a limit {@code reply}, and these. */
  public static Map<String, String> withLimit(String... lines) {
    return put(kafka("sluice.limits=reply", "sluice.limit.reply.quota=5/60s"), lines);
  }

  /** Adds these lines, and returns all settings. */
  public static Map<String, String> put(Map<String, String> texts, String... lines) {
    for (String line : lines) {
      String[] pair = line.split("=", 2);
      texts.put(pair[0], pair[1]);
    }
    return texts;
  }

  /** Returns the lines of both. */
  public static String[] with(String[] lines, String... more) {
    String[] all = Arrays.copyOf(lines, lines.length + more.length);
    System.arraycopy(more, 0, all, lines.length, more.length);
    return all;
  }
}
