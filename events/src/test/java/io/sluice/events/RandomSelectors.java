package io.sluice.events;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Random selectors, with their parts, and random JSON documents that have many of their paths. */
final class RandomSelectors {
  private static final List<String> NAMES = List.of("a", "b", "c-d", "e.f", "g \"h\"", "count");
  private static final List<String> TEXTS =
      List.of(
          "",
          " Ann@Example.com ",
          "bob",
          "10.1.2.3",
          "256.1.2.3",
          "010.1.2.3",
          "2001:DB8:0:0:1:0:0:1",
          "::ffff:10.1.2.3",
          "::ffff:0a01:0203",
          "fe80::1",
          "::",
          "1:2:3:4:5:6:7::",
          "1::2::3",
          "::1.2.3.4",
          "é",
          "e\u0301",
          "\ud83d\ude00x",
          "42",
          "-4.20e1",
          "1e40",
          "007",
          "{\"a\": {\"b\": 1.0}, \"b\": [1, {\"a\": \"x\"}]}",
          "[1, 2]",
          "\"text\"",
          "{\"a\": 1",
          "{} {}",
          "true");
  private static final List<String> NUMBERS =
      List.of("0", "-0", "42", "42.0", "4.2e1", "1.50", "-7", "12345678901234567890", "1e3", "0.1");

  private final SplittableRandom random;

  /**
   * Alternative of a selector.
   *
   * @param outside text of a part of the record outside its value, such as $key; empty for a path
   *     into the value
   * @param steps names, [index] and []
   */
  record Path(String outside, List<String> steps) {}

  /** Function, with its argument as text, and the path behind it. */
  record Call(String name, String argument, List<String> path) {}

  /** Parts of a selector. */
  record Parsed(List<Path> alternatives, List<Call> calls) {
    String text(SplittableRandom random) {
      String blank = random.nextBoolean() ? " " : "";
      String paths =
          alternatives.stream()
              .map(path -> path.outside.isEmpty() ? path(path.steps) : path.outside)
              .collect(Collectors.joining(blank + "//" + blank));
      StringBuilder text = new StringBuilder(paths);
      for (Call call : calls) {
        text.append(blank).append('|').append(blank).append(call.name);
        boolean isText = call.name.equals("before") || call.name.equals("after");
        if (isText) text.append("(\"").append(call.argument).append("\")");
        else if (!call.argument.isEmpty()) text.append('(').append(call.argument).append(')');
        if (!call.path.isEmpty())
          text.append(blank).append('|').append(blank).append(path(call.path));
      }
      return text.toString();
    }

    private static String path(List<String> steps) {
      StringBuilder text = new StringBuilder();
      for (String step : steps) {
        if (step.startsWith("[")) {
          text.append(step);
          continue;
        }
        if (text.length() > 0) text.append('.');
        boolean isBare = step.matches("[a-z-]+") && !(text.length() == 0 && step.equals("count"));
        text.append(isBare ? step : "\"" + step.replace("\"", "\\\"") + "\"");
      }
      return text.toString();
    }
  }

  RandomSelectors(SplittableRandom random) {
    this.random = random;
  }

  Parsed selector() {
    List<Path> alternatives = new ArrayList<>();
    do alternatives.add(alternative());
    while (random.nextInt(3) == 0);
    List<Call> calls = new ArrayList<>();
    boolean isEach = alternatives.stream().anyMatch(path -> path.steps.contains("[]"));
    while (random.nextInt(2) == 0 && calls.size() < 4) {
      Call call = call();
      if (isEach && (call.name.equals("json") || call.name.equals("number"))) continue;
      if (call.name.equals("count")) isEach = false;
      calls.add(call);
    }
    if (isEach) calls.add(new Call("count", "", List.of())); // a list is no single value
    return new Parsed(alternatives, calls);
  }

  private Path alternative() {
    String outside =
        random.nextInt(4) > 0
            ? ""
            : one(List.of("$key", "$headers.h", "$headers.\"x y\"", "$topic", "$timestamp"));
    return new Path(outside, outside.isEmpty() ? path(true) : List.of());
  }

  private List<String> path(boolean mayBeEach) {
    List<String> steps = new ArrayList<>(List.of(one(NAMES)));
    while (random.nextInt(2) == 0 && steps.size() < 5) {
      int kind = random.nextInt(mayBeEach ? 4 : 3);
      steps.add(kind == 3 ? "[]" : kind == 2 ? "[" + random.nextInt(3) + "]" : one(NAMES));
    }
    return steps;
  }

  private Call call() {
    return switch (random.nextInt(13)) {
      case 0 -> new Call("lower", "", List.of());
      case 1 -> new Call("trim", "", List.of());
      case 2 -> new Call("nfc", "", List.of());
      case 3 -> new Call("ip", "", List.of());
      case 4 -> new Call("ip", random.nextInt(33) + "," + random.nextInt(129), List.of());
      case 5, 6 -> new Call("json", "", random.nextBoolean() ? List.of() : path(false));
      case 7 -> new Call("number", "", List.of());
      case 8 -> new Call("count", "", List.of());
      case 9 -> new Call("before", one(List.of("@", ".", "e")), List.of());
      case 10 -> new Call("after", one(List.of("@", ".", "e")), List.of());
      case 11 -> new Call("prefix", Integer.toString(1 + random.nextInt(6)), List.of());
      default -> new Call("sha256", "", List.of());
    };
  }

  String text() {
    return one(TEXTS);
  }

  /** Returns a JSON object, of which each name occurs once. */
  String document() {
    return object(0);
  }

  private String value(int depth) {
    return switch (random.nextInt(depth > 3 ? 5 : 9)) {
      case 0 -> "null";
      case 1 -> one(NUMBERS);
      case 2 -> one(List.of("true", "false"));
      case 3, 4 -> quoted(text());
      case 5, 6 -> object(depth + 1);
      default -> list(depth + 1);
    };
  }

  private String object(int depth) {
    return NAMES.stream()
        .filter(name -> random.nextInt(4) > 0)
        .map(name -> quoted(name) + ":" + value(depth))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private String list(int depth) {
    List<String> values = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) values.add(value(depth));
    return values.toString();
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
