package io.sluice.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import io.sluice.report.SourceFile.Passage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Measures the size of the main code of published modules and the language of its comments, and
 * prints the results as a table. Fails if one is above its bound, or if {@link PlainEnglish} finds
 * a mistake.
 */
final class CodeMeasures {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
  private static final int MANY_PARAMETERS = 5;

  private static final double NO_BOUND = Double.MAX_VALUE;
  private static final double MOST_VAGUE = 2;

  private final Path root;
  private final PrintStream out;
  private final Map<String, Integer> linesOfModules = new TreeMap<>();
  private final List<SourceFile> files = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  CodeMeasures(Path root, PrintStream out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Main program. Arguments: the root of the repository; {@code --types} also lists the types that
   * only one other file uses.
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    CodeMeasures measures = new CodeMeasures(root, System.out);
    measures.print();
    if (List.of(args).contains("--types")) measures.usedOnce().forEach(System.out::println);
    List<String> mistakes = new ArrayList<>(measures.mistakes);
    mistakes.addAll(PlainEnglish.mistakes(root));
    mistakes.forEach(System.err::println);
    if (!mistakes.isEmpty()) System.exit(1);
  }

  void print() throws IOException {
    for (String module : publishedModules()) read(module);
    out.printf("%n%-76s %10s %10s%n", "main code of published modules", "", "at most");
    linesOfModules.forEach((module, lines) -> row("lines of " + module, lines, NO_BOUND));
    row("code lines", files.stream().mapToInt(SourceFile::codeLines).sum(), NO_BOUND);
    List<Passage> comments = files.stream().flatMap(each -> each.comments().stream()).toList();
    row("comments", comments.size(), NO_BOUND);
    long openings = comments.stream().filter(PlainEnglish::opensWithPronoun).count();
    row("comments that open with What, Who, Those or That of", openings, 0);
    double words = comments.stream().mapToLong(CodeMeasures::words).sum();
    double vague = comments.stream().mapToLong(PlainEnglish::vagueWords).sum();
    share("indefinite persons per 10,000 words of comments", vague * 10_000, words, MOST_VAGUE);
    row("names of types that occur twice", namesTwice(), 0);
    List<Integer> parameters = parameters();
    double many = parameters.stream().filter(each -> each >= MANY_PARAMETERS).count();
    share("methods with 5 or more parameters, %", many * 100, parameters.size(), NO_BOUND);
    double types = files.stream().filter(SourceFile::isType).count();
    share("types that one file uses, %", usedOnce().size() * 100.0, types, NO_BOUND);
  }

  private List<String> publishedModules() throws IOException {
    List<String> modules = new ArrayList<>();
    String pom = Files.readString(root.resolve("pom.xml"));
    for (String module : MODULE.matcher(pom).results().map(each -> each.group(1)).toList()) {
      String own = Files.readString(root.resolve(module).resolve("pom.xml"));
      if (!own.contains("<maven.deploy.skip>true<")) modules.add(module);
    }
    return modules;
  }

  private void read(String module) throws IOException {
    Path main = root.resolve(module).resolve("src/main");
    if (!Files.isDirectory(main)) return;
    for (Path file : RepositoryFiles.below(main)) {
      String name = file.toString();
      if (!name.endsWith(".java") && !name.endsWith(".lua")) continue;
      SourceFile source = SourceFile.read(root, root.relativize(main.resolve(file)));
      files.add(source);
      linesOfModules.merge(module, source.lines(), Integer::sum);
    }
  }

  private static long words(Passage comment) {
    return WORD.matcher(comment.text()).results().count();
  }

  private int namesTwice() {
    Set<String> once = new HashSet<>();
    Set<String> twice = new HashSet<>();
    for (SourceFile each : files) {
      if (each.isType() && !once.add(each.type())) twice.add(each.type());
    }
    return twice.size();
  }

  /** Returns the number of parameters of each method and constructor. */
  private List<Integer> parameters() throws IOException {
    List<Integer> parameters = new ArrayList<>();
    Stream<Path> java =
        files.stream().filter(SourceFile::isType).map(each -> root.resolve(each.path()));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(java.toList()));
      for (CompilationUnitTree unit : task.parse()) {
        new TreeScanner<Void, Void>() {
          @Override
          public Void visitMethod(MethodTree method, Void none) {
            parameters.add(method.getParameters().size());
            return super.visitMethod(method, null);
          }
        }.scan(unit, null);
      }
    }
    return parameters;
  }

  /** Returns the paths of the types whose name occurs in exactly one other file. */
  List<String> usedOnce() {
    Map<String, Integer> users = new HashMap<>();
    for (SourceFile each : files) {
      for (String name : each.identifiers()) users.merge(name, 1, Integer::sum);
    }
    return files.stream()
        .filter(each -> each.isType() && users.getOrDefault(each.type(), 0) == 2)
        .map(each -> each.path().toString())
        .toList();
  }

  private void row(String name, long value, double most) {
    print(name, String.format(Locale.ROOT, "%,d", value), (double) value, most);
  }

  private void share(String name, double part, double whole, double most) {
    double value = whole == 0 ? 0 : part / whole;
    print(name, String.format(Locale.ROOT, "%.1f", value), value, most);
  }

  private void print(String name, String text, double value, double most) {
    String bound = most == NO_BOUND ? "" : String.format(Locale.ROOT, "%,.0f", most);
    out.printf("%-76s %10s %10s%n", name, text, bound);
    if (value > most) mistakes.add(name + ": " + text + ", at most " + bound);
  }
}
