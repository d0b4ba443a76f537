package io.sluice.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints the ten slowest test classes of a build, the time by module, and the tests that passed
 * only when repeated. Fails if a class exceeds the time of a unit test (5 s) or an integration test
 * (20 s) and has no {@code @Tag("slow") // reason}.
 */
final class TestReport {
  private static final int SLOWEST = 10;

  private final Path root;
  private final double factor;
  private final List<TestClass> classes;

  private TestReport(Path root, double factor, List<TestClass> classes) {
    this.root = root;
    this.factor = factor;
    this.classes = classes;
  }

  /**
   * Reads the XML reports of Surefire and Failsafe below {@code root} that were written since the
   * start of the build.
   *
   * @param factor multiplies the time limits of test classes, for busy machines; 1 or more
   */
  static TestReport of(Path root, Instant start, double factor) throws IOException {
    List<TestClass> classes = new ArrayList<>();
    for (Path report : reports(root)) {
      if (Files.getLastModifiedTime(report).toInstant().isBefore(start)) continue;
      classes.add(TestClass.read(root, report));
    }
    classes.sort(Comparator.comparingDouble(TestClass::seconds).reversed());
    return new TestReport(root, factor, List.copyOf(classes));
  }

  private static List<Path> reports(Path root) throws IOException {
    try (Stream<Path> files = Files.find(root, 5, (path, attributes) -> isReport(path))) {
      return files.sorted().toList();
    }
  }

  private static boolean isReport(Path path) {
    String folder = path.getParent().getFileName().toString();
    String file = path.getFileName().toString();
    return (folder.equals("surefire-reports") || folder.equals("failsafe-reports"))
        && file.startsWith("TEST-")
        && file.endsWith(".xml");
  }

  void print(PrintStream out) throws IOException {
    if (classes.isEmpty()) return;
    out.printf("%n%-15s %-45s %7s%n", "module", "slowest test classes", "seconds");
    for (TestClass each : classes.subList(0, Math.min(SLOWEST, classes.size()))) {
      out.printf(
          Locale.ROOT, "%-15s %-45s %7.1f%n", each.module(), each.simpleName(), each.seconds());
    }
    out.printf(
        "%n%-15s %7s %7s %12s %17s%n", "module", "classes", "tests", "unit s", "integration s");
    Map<String, List<TestClass>> modules =
        classes.stream()
            .collect(Collectors.groupingBy(TestClass::module, TreeMap::new, Collectors.toList()));
    modules.forEach((module, its) -> row(out, module, its));
    row(out, "all", classes);
    for (TestClass each : classes) {
      String reason = reasonToBeSlow(each);
      if (each.seconds() > each.limitSeconds()) {
        out.printf(
            Locale.ROOT,
            "slow: %s %s took %.1f s, more than %.0f s%s%n",
            each.module(),
            each.simpleName(),
            each.seconds(),
            each.limitSeconds(),
            reason.isEmpty() ? "; fails above " + factor + " times that" : ": " + reason);
      }
      for (String test : each.flaky()) {
        out.printf(
            "flaky: %s %s.%s passed when repeated%n", each.module(), each.simpleName(), test);
      }
    }
  }

  private String reasonToBeSlow(TestClass its) throws IOException {
    return its.reasonToBeSlow(root.resolve(its.module()));
  }

  private static void row(PrintStream out, String module, List<TestClass> classes) {
    out.printf(
        Locale.ROOT,
        "%-15s %7d %7d %12.1f %17.1f%n",
        module,
        classes.size(),
        classes.stream().mapToInt(TestClass::tests).sum(),
        seconds(classes, false),
        seconds(classes, true));
  }

  private static double seconds(List<TestClass> classes, boolean integration) {
    return classes.stream()
        .filter(each -> each.integration() == integration)
        .mapToDouble(TestClass::seconds)
        .sum();
  }

  /** Returns one message for each test class that exceeds its time limit and gives no reason. */
  List<String> tooSlow() throws IOException {
    List<String> mistakes = new ArrayList<>();
    for (TestClass each : classes) {
      if (each.seconds() <= each.limitSeconds() * factor) continue;
      if (!reasonToBeSlow(each).isEmpty()) continue;
      mistakes.add(
          String.format(
              Locale.ROOT,
              "%s in %s took %.1f s, more than %.0f s: make it faster, move what is long to .ci/full"
                  + " (@Tag(\"full\")), or give the reason: @Tag(\"slow\") // ...",
              each.simpleName(),
              each.module(),
              each.seconds(),
              each.limitSeconds() * factor));
    }
    return mistakes;
  }

  public static void main(String[] args) throws IOException {
    TestReport report =
        of(
            Path.of(args[0]).toAbsolutePath().normalize(),
            Instant.parse(args[1]),
            Double.parseDouble(args[2]));
    report.print(System.out);
    List<String> mistakes = report.tooSlow();
    mistakes.forEach(System.err::println);
    if (!mistakes.isEmpty()) System.exit(1);
  }
}
