package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Text of a Lua script that is joined from parts; it maps each of its lines to the line's part. */
final class ScriptText {
  /** Redis' form of a line number in the error message of any script. */
  private static final Pattern LINE = Pattern.compile("@?\\buser_script:([0-9]+)");

  private final StringBuilder text = new StringBuilder();
  private final NavigableMap<Integer, String> parts = new TreeMap<>();
  private int lines;

  /** Adds a part from a resource, in a folder beside this class. */
  ScriptText addResource(String folder, String name) {
    try (InputStream in = ScriptText.class.getResourceAsStream(folder + "/" + name)) {
      if (in == null) throw new IllegalStateException("missing from the class path: " + name);
      return add(name, new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a part, which must consist of whole lines. */
  ScriptText add(String name, String part) {
    if (!part.endsWith("\n")) throw new IllegalArgumentException(name + " ends within a line");
    parts.put(lines + 1, name);
    lines += (int) part.lines().count();
    text.append(part);
    return this;
  }

  byte[] toByteArray() {
    return text.toString().getBytes(UTF_8);
  }

  /**
   * Returns an error's text, in which each line number of the script is replaced by the name of its
   * part and the line's number in the part.
   */
  String located(String error) {
    return LINE.matcher(error).replaceAll(this::locate);
  }

  private String locate(MatchResult line) {
    int number = Integer.parseInt(line.group(1));
    Map.Entry<Integer, String> part = parts.floorEntry(number);
    boolean known = part != null && number <= lines;
    return known ? part.getValue() + ":" + (number - part.getKey() + 1) : line.group();
  }
}
