package io.sluice.limiter.redis;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.filter.Filters;
import io.sluice.limiter.filter.Strength;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Lua script that meters arrivals: parts that all algorithms share, and one for each algorithm. */
final class MeterScript {
  private static final String FOLDER = "meter";
  private static final ScriptText TEXT = text();

  static final RedisScript SCRIPT = new RedisScript(TEXT.toByteArray());

  private MeterScript() {}

  static ScriptText text() {
    return text(true);
  }

  /**
   * Returns the script.
   *
   * @param shortWay whether it has the fast path for plain arrivals; without it, answers and stored
   *     values are the same
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

  /** Returns Lua tables of the pairs per block and the bits per pair, by the filter's level. */
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

  /** Returns the Lua table of the algorithms' functions, by the algorithm's code. */
  private static String kinds() {
    return Arrays.stream(Algorithm.values())
        .map(Algorithm::script)
        .map(each -> "[" + each.code() + "] = " + each.name())
        .collect(joining(", ", "local kinds = { ", " }\n"));
  }

  /**
   * Returns an error's text, with the part of the script and the line in it for each line number.
   */
  static String located(String error) {
    return TEXT.located(error);
  }
}
