package io.sluice.limiter.redis;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.filter.Filters;
import io.sluice.limiter.filter.Strength;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Lua script that meters arrivals in Redis. It consists of parts that all algorithms share, and one
 * part for each algorithm.
 */
final class MeterScript {
  private static final String FOLDER = "meter";
  private static final ScriptText TEXT = text();

  static final RedisScript SCRIPT = new RedisScript(TEXT.toByteArray());

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
    text.add("kernel begins", "local function kernel()\n");
    addAll(text, "phases", "ring");
    text.add("strength", strength());
    for (Algorithm each : Algorithm.values()) addAll(text, each.script().name());
    text.add("kinds", kinds());
    addAll(text, "rules", "kernel");
    text.add("kernel ends", "end\n");
    addAll(text, "call");
    return text;
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
    return TEXT.located(error);
  }
}
