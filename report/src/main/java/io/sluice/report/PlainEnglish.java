package io.sluice.report;

import io.sluice.report.SourceFile.Passage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Check of the language of comments, messages and documentation pages: no comment begins with a
 * relative pronoun, and none of the three contains an indefinite pronoun for a person or thing.
 */
final class PlainEnglish {
  private static final Pattern OPENING =
      Pattern.compile("(?:What|Who|(?:What|Who)ever|Those|That of)\\b");
  private static final Pattern VAGUE =
      Pattern.compile("(?i)\\b(?:(?:who|what)ever|(?:some|no|any)body)\\b");
  private static final Pattern CODE_IN_PAGE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");

  private PlainEnglish() {}

  static boolean opensWithPronoun(Passage comment) {
    return OPENING.matcher(comment.text()).lookingAt();
  }

  static long vagueWords(Passage comment) {
    return VAGUE.matcher(comment.text()).results().count();
  }

  /** Returns one line of text for each mistake in the files below {@code root}. */
  static List<String> mistakes(Path root) throws IOException {
    List<String> mistakes = new ArrayList<>();
    for (Path file : RepositoryFiles.below(root)) {
      String name = file.toString();
      if (name.endsWith(".md") || name.endsWith(".html")) {
        checkPage(root, file, mistakes);
      } else if (Stream.of(".java", ".kt", ".lua", ".js", ".mjs").anyMatch(name::endsWith)
          && !name.contains(".min.")) {
        checkSource(SourceFile.read(root, file), mistakes);
      }
    }
    return mistakes;
  }

  private static void checkSource(SourceFile file, List<String> mistakes) {
    for (Passage each : file.comments()) {
      if (opensWithPronoun(each)) mistakes.add(mistake(file.path(), each.line(), OPENING, each));
      else checkWords(file.path(), each, mistakes);
    }
    if (file.path().toString().contains("src/test/")) return;
    for (Passage each : file.literals()) checkWords(file.path(), each, mistakes);
  }

  private static void checkPage(Path root, Path page, List<String> mistakes) throws IOException {
    String text = Files.readString(root.resolve(page));
    // Only the line feeds of code in a page stay, so that line numbers in mistakes are right.
    String prose =
        CODE_IN_PAGE.matcher(text).replaceAll(each -> each.group().replaceAll("[^\n]", ""));
    String[] lines = prose.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      checkWords(page, new Passage(i + 1, lines[i]), mistakes);
    }
  }

  private static void checkWords(Path file, Passage passage, List<String> mistakes) {
    if (vagueWords(passage) > 0) mistakes.add(mistake(file, passage.line(), VAGUE, passage));
  }

  private static String mistake(Path file, int line, Pattern words, Passage passage) {
    Matcher found = words.matcher(passage.text());
    String word = found.find() ? found.group() : "";
    return file + ":" + line + ": \"" + word + "\": name the component or the thing instead";
  }
}
