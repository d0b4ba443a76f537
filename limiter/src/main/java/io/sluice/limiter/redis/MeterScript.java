package io.sluice.limiter.redis;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.filter.Filters;
import io.sluice.limiter.filter.Strength;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** The script that meters: what all algorithms share, and a part for each of them. */
final class MeterScript {
  private static final String FOLDER = "meter";
  private static final ScriptText TEXT = text();

  static final RedisScript SCRIPT = new RedisScript(TEXT.toByteArray());

  private MeterScript() {}

  static ScriptText text() {
    return text(true);
  }

  /**
   * The script's parts.
   *
   * @param shortWay whether plain arrivals go the short way; it answers and stores the same without
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

  /** How many pairs a block of a filter takes, and bits a pair sets, by the filter's level. */
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

  /** The table of each algorithm's functions by its code. */
  private static String kinds() {
    return Arrays.stream(Algorithm.values())
        .map(Algorithm::script)
        .map(each -> "[" + each.code() + "] = " + each.name())
        .collect(joining(", ", "local kinds = { ", " }\n"));
  }

  /** An error's text, with the part and the line in it where it names a line. */
  static String located(String error) {
    return TEXT.located(error);
  }
}
