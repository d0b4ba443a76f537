package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.filter.Filters;
import io.sluice.limiter.filter.Strength;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Lua script that meters arrivals in Redis. It consists of parts that all algorithms share, and one
 * part for each algorithm.
 */
final class MeterScript {
  private static final String FOLDER = "meter";
  private static final ScriptText TEXT = text();

  /**
   * Begins with as many empty lines as the other script has lines, so that a line names its part.
   */
  private static final ScriptText OF_RELEASES = textOfReleases();

  static final RedisScript SCRIPT = new RedisScript(TEXT.toByteArray());

  /** Script that meters the releases of a queue. */
  static final RedisScript RELEASES = new RedisScript(OF_RELEASES.toByteArray());

  private MeterScript() {}

  static ScriptText text() {
    return text(true);
  }

  /**
   * Returns the text of the script.
   *
   * @param shortWay whether the script has the fast path for plain arrivals; without the fast path,
   *     answers and stored values are the same
   */
  static ScriptText text(boolean shortWay) {
    ScriptText text = new ScriptText();
    addAll(text, "protocol", "journal");
    if (shortWay) addAll(text, "short", "gcra_short", "log_short");
    addKernel(text);
    addAll(text, "arrivals", "call");
    return text;
  }

  /** Returns the text of the script that meters the releases of a queue. */
  static ScriptText textOfReleases() {
    ScriptText text = new ScriptText().skip(TEXT);
    addAll(text, "protocol", "journal");
    addKernel(text);
    addAll(text, "arrivals", "queue");
    return text;
  }

  private static void addKernel(ScriptText text) {
    text.add("kernel begins", "local function kernel(gate)\n");
    addAll(text, "phases", "ring");
    text.add("strength", strength());
    for (Algorithm each : Algorithm.values()) addAll(text, each.script().name());
    text.add("kinds", kinds());
    addAll(text, "rules", "kernel");
    text.add("kernel ends", "end\n");
  }

  private static void addAll(ScriptText text, String... names) {
    for (String each : names) text.addResource(FOLDER, each + ".lua");
  }

  /**
   * Returns Lua code with the sizes of Bloom filters: keys per block and bits per key, by error
   * level.
   */
  private static String strength() {
    return "local LEAST_LEVEL, BEYOND_CAPACITY, LAYERS = %d, %d, %d\nlocal PAIRS, BITS = { %s }, { %s }\n"
        .formatted(
            Strength.leastLevel(),
            Filters.BEYOND_CAPACITY,
            Strength.MOST_LAYERS,
            byLevel(Strength::pairs),
            byLevel(Strength::bits));
  }

  private static String byLevel(IntUnaryOperator value) {
    return IntStream.rangeClosed(Strength.leastLevel(), Strength.mostLevel())
        .map(value)
        .mapToObj(Integer::toString)
        .collect(joining(", "));
  }

  /** Returns Lua code with a table of the algorithms' function tables, by the algorithm's code. */
  private static String kinds() {
    return Arrays.stream(Algorithm.values())
        .map(Algorithm::script)
        .map(each -> "[" + each.code() + "] = " + each.name())
        .collect(joining(", ", "local kinds = { ", " }\n"));
  }

  /**
   * Returns an error's text, in which each line number of the script is replaced by the name of its
   * part and the line's number in the part.
   */
  static String located(String error) {
    return OF_RELEASES.located(TEXT.located(error));
  }

  /**
   * Text of a Lua script that is joined from parts; it maps each of its lines to the line's part.
   */
  static final class ScriptText {
    /** Redis' form of a line number in the error message of any script. */
    private static final Pattern LINE = Pattern.compile("@?\\buser_script:([0-9]+)");

    private final StringBuilder text = new StringBuilder();
    private final NavigableMap<Integer, String> parts = new TreeMap<>();
    private int lines;

    /** Adds as many empty lines as another script has lines, before any part. */
    ScriptText skip(ScriptText other) {
      lines += other.lines;
      text.append("\n".repeat(other.lines));
      return this;
    }

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
     * Returns an error's text, in which each line number of the script is replaced by the name of
     * its part and the line's number in the part.
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
}
