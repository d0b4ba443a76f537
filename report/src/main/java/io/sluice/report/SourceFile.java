package io.sluice.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Source file, split into code, comments and string literals.
 *
 * @param path path relative to the root of the repository
 * @param lines number of all lines
 * @param codeLines number of lines that are neither blank nor only comment
 * @param identifiers all words of the code, without those of literals
 * @param comments one element for each block comment, or for successive line comments
 */
record SourceFile(
    Path path,
    int lines,
    int codeLines,
    Set<String> identifiers,
    List<Passage> comments,
    List<Passage> literals) {
  private static final String LITERALS = "\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])*+'";
  private static final Pattern SCRIPT_TOKEN =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|`[^`]*`|" + LITERALS);
  private static final Pattern JAVA_TOKEN =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"\"\".*?(?<!\\\\)\"\"\"|" + LITERALS);
  private static final Pattern LUA_TOKEN =
      Pattern.compile("(?s)--\\[\\[.*?]]|--[^\n]*|" + LITERALS);
  private static final Pattern COMMENT_MARK =
      Pattern.compile("(?m)^\\s*(?:/\\*\\*?|//|--(?:\\[\\[)?|\\*(?!/))|\\*/|]]$");
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

  /** Comment or literal in a file, and the number of the line where it begins. */
  record Passage(int line, String text) {}

  /** Reads a file in Java, Kotlin, JavaScript or Lua. */
  static SourceFile read(Path root, Path path) throws IOException {
    String text = Files.readString(root.resolve(path));
    StringBuilder code = new StringBuilder();
    StringBuilder names = new StringBuilder();
    List<Passage> comments = new ArrayList<>();
    List<Passage> literals = new ArrayList<>();
    Matcher token = token(path.toString()).matcher(text);
    int end = 0;
    int line = 1;
    boolean continues = false;
    while (token.find()) {
      String before = text.substring(end, token.start());
      String found = token.group();
      line += lineFeeds(before);
      code.append(before);
      names.append(before);
      boolean isBlock = found.startsWith("/*") || found.startsWith("--[[");
      if (isBlock || found.startsWith("//") || found.startsWith("--")) {
        String words = COMMENT_MARK.matcher(found).replaceAll(" ").strip();
        if (continues && !isBlock && before.isBlank() && lineFeeds(before) == 1) {
          Passage last = comments.remove(comments.size() - 1);
          comments.add(new Passage(last.line(), last.text() + " " + words));
        } else {
          comments.add(new Passage(line, words));
        }
        continues = !isBlock;
        code.append("\n".repeat(lineFeeds(found)));
      } else {
        literals.add(new Passage(line, found));
        code.append(found);
        names.append(' ');
        continues = false;
      }
      line += lineFeeds(found);
      end = token.end();
    }
    code.append(text, end, text.length());
    names.append(text, end, text.length());
    Set<String> identifiers = new HashSet<>();
    IDENTIFIER.matcher(names).results().forEach(each -> identifiers.add(each.group()));
    int codeLines = (int) code.toString().lines().filter(Predicate.not(String::isBlank)).count();
    int lines = (int) text.lines().count();
    return new SourceFile(path, lines, codeLines, identifiers, comments, literals);
  }

  private static Pattern token(String path) {
    if (path.endsWith(".lua")) return LUA_TOKEN;
    return path.endsWith("js") ? SCRIPT_TOKEN : JAVA_TOKEN;
  }

  private static int lineFeeds(String text) {
    return (int) text.chars().filter(each -> each == '\n').count();
  }

  /** Returns the file's name without its extension, in Java the name of the top-level type. */
  String type() {
    return path.getFileName().toString().replaceFirst("\\..*", "");
  }

  boolean isType() {
    return path.toString().endsWith(".java") && !type().endsWith("-info");
  }
}
