package io.sluice.events;

import io.sluice.events.Selector.Alternative;
import io.sluice.events.Selector.Root;
import io.sluice.events.Selector.Stage;
import io.sluice.schemas.PathStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parser of one selector, by recursive descent.
 *
 * <pre>
 * selector    = alternative { "//" alternative } { "|" ( function | path ) }
 * alternative = root { "." name | "[" index "]" | "[]" }
 * root        = name | $key | $headers | $topic | $timestamp
 * path        = name { "." name | "[" index "]" | "[]" }
 * </pre>
 */
final class SelectorParser {
  private static final int MOST_CHARACTERS = 1_000;
  private static final int HIGHEST_INDEX = 9_999;

  private final String text;
  private int at;

  SelectorParser(String text) {
    this.text = text;
  }

  Selector selector() {
    if (text.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("a selector has at most 1,000 characters");
    }
    List<Alternative> alternatives = new ArrayList<>();
    do alternatives.add(alternative());
    while (takes("//"));
    List<Stage> stages = new ArrayList<>();
    while (takes("|")) stages.add(stage(alternatives, stages));
    if (!isAtEnd()) throw unexpected("//, | or the end");
    return new Selector(text, alternatives, stages);
  }

  private Alternative alternative() {
    skipBlanks();
    int start = at;
    if (peek() != '$') return new Alternative(Root.VALUE, path("a name"));
    at++;
    String name = bareName();
    Root root =
        switch (name) {
          case "key" -> Root.KEY;
          case "headers" -> Root.HEADER;
          case "topic" -> Root.TOPIC;
          case "timestamp" -> Root.TIMESTAMP;
          default ->
              throw mistake(
                  start, "$" + name + " is unknown: $key, $headers, $topic or $timestamp");
        };
    List<PathStep> steps = steps();
    if (root == Root.HEADER && !(steps.size() == 1 && steps.get(0).isName())) {
      throw mistake(start, "$headers needs one name, such as $headers.ce_id");
    }
    if (root != Root.HEADER && !steps.isEmpty()) {
      throw mistake(
          start, root.text + " is text, without fields; if it has JSON: " + root.text + " | json");
    }
    return new Alternative(root, steps);
  }

  private List<PathStep> path(String wanted) {
    List<PathStep> path = new ArrayList<>();
    path.add(PathStep.name(name(wanted)));
    path.addAll(steps());
    return path;
  }

  private List<PathStep> steps() {
    List<PathStep> steps = new ArrayList<>();
    while (!isAtEnd()) {
      if (takes(".")) steps.add(PathStep.name(name("a name")));
      else if (takes("[")) steps.add(element());
      else break;
    }
    return steps;
  }

  private PathStep element() {
    if (takes("]")) return PathStep.each();
    int start = at;
    int index = number(HIGHEST_INDEX, "an index from 0 to 9999, or []");
    if (!takes("]")) throw unexpected("] after the index that begins at " + (start + 1));
    return PathStep.element(index);
  }

  private Stage stage(List<Alternative> alternatives, List<Stage> before) {
    skipBlanks();
    int start = at;
    boolean isQuoted = peek() == '"';
    List<PathStep> path = path("a function or a path");
    String name = path.get(0).name();
    boolean isName = !isQuoted && path.size() == 1;
    boolean takesPath = !before.isEmpty() && before.get(before.size() - 1) instanceof JsonStage;
    if (isName && SelectorFunction.isKnown(name)) {
      Stage stage = SelectorFunction.of(name, arguments(), this, start);
      if (isOnList(alternatives, before) && !stage.makesText() && !name.equals("count")) {
        throw mistake(start, name + " cannot be applied to []");
      }
      return stage;
    }
    if (takesPath && ((JsonStage) before.get(before.size() - 1)).isWhole()) {
      JsonStage json = (JsonStage) before.remove(before.size() - 1);
      return json.at(path);
    }
    if (isName) {
      throw mistake(
          start,
          name
              + " is not a function; functions are "
              + SelectorFunction.NAMES
              + ", and a path may follow json");
    }
    throw mistake(start, "a path may only follow json; write it behind the first one, with a dot");
  }

  private static boolean isOnList(List<Alternative> alternatives, List<Stage> before) {
    return alternatives.stream().anyMatch(Alternative::readsEach)
        && before.stream().allMatch(Stage::makesText);
  }

  /** Returns the arguments in parentheses, text without its quotes; empty if there are none. */
  private List<Argument> arguments() {
    List<Argument> arguments = new ArrayList<>();
    if (!takes("(")) return arguments;
    do {
      skipBlanks();
      boolean isText = peek() == '"';
      int start = at;
      String value =
          isText ? quotedName() : Integer.toString(number(Integer.MAX_VALUE, "a number or a text"));
      arguments.add(new Argument(value, isText, start));
    } while (takes(","));
    if (!takes(")")) throw unexpected(")");
    return arguments;
  }

  /** Argument of a function. */
  record Argument(String value, boolean isText, int at) {}

  private int number(int most, String wanted) {
    skipBlanks();
    int start = at;
    while (!isAtEndOfText() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
    if (at == start) throw unexpected(wanted);
    if (at - start > 9 || Integer.parseInt(text.substring(start, at)) > most) {
      throw mistake(start, wanted + " is expected");
    }
    return Integer.parseInt(text.substring(start, at));
  }

  private String name(String wanted) {
    skipBlanks();
    if (peek() == '"') return quotedName();
    String name = bareName();
    if (name.isEmpty()) throw unexpected(wanted);
    return name;
  }

  private String bareName() {
    int start = at;
    while (!isAtEndOfText() && isNamePart(text.charAt(at))) at++;
    return text.substring(start, at);
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || Character.isSurrogate(c) || c == '_' || c == '-';
  }

  private String quotedName() {
    int start = at++;
    StringBuilder name = new StringBuilder();
    for (; !isAtEndOfText(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return name.toString();
      }
      if (c == '\\' && at + 1 < text.length()) c = text.charAt(++at);
      name.append(c);
    }
    throw mistake(start, "the double quote has no end");
  }

  /** Returns a name as it is written in a path, in double quotes if it needs them. */
  static String quoted(String name) {
    boolean bare = !name.isEmpty() && name.chars().allMatch(c -> isNamePart((char) c));
    return bare ? name : "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private char peek() {
    return isAtEndOfText() ? 0 : text.charAt(at);
  }

  private boolean takes(String token) {
    skipBlanks();
    if (!text.startsWith(token, at)) return false;
    at += token.length();
    return true;
  }

  private void skipBlanks() {
    while (!isAtEndOfText() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) at++;
  }

  private boolean isAtEnd() {
    skipBlanks();
    return isAtEndOfText();
  }

  private boolean isAtEndOfText() {
    return at >= text.length();
  }

  private IllegalArgumentException unexpected(String wanted) {
    if (isAtEnd()) return mistake(at, "the selector ends where " + wanted + " is expected");
    String hint =
        wanted.startsWith("a name") || wanted.startsWith("//")
            ? "; a name of other characters than letters, digits, _ and - goes into double quotes"
            : "";
    String found = text.substring(at, text.offsetByCodePoints(at, 1));
    return mistake(at, "'" + found + "' where " + wanted + " is expected" + hint);
  }

  IllegalArgumentException mistake(int place, String why) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "at character %d: %s", place + 1, why));
  }
}
