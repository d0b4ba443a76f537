package io.sluice.limiter.redis;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import java.util.Arrays;
import java.util.List;

/** The script that meters: what all algorithms share, and a part for each of them. */
final class MeterScript {
  private static final String FOLDER = "meter";
  private static final ScriptText TEXT = text();

  static final RedisScript SCRIPT = new RedisScript(TEXT.toByteArray());

  private MeterScript() {}

  static ScriptText text() {
    ScriptText text = new ScriptText();
    for (String each : List.of("protocol", "phases", "ring")) {
      text.addResource(FOLDER, each + ".lua");
    }
    for (Algorithm each : Algorithm.values()) {
      text.addResource(FOLDER, each.script().name() + ".lua");
    }
    return text.addResource(FOLDER, "journal.lua")
        .add("kinds", kinds())
        .addResource(FOLDER, "rules.lua")
        .addResource(FOLDER, "kernel.lua");
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
