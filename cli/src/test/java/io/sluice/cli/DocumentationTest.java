package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.cli.ManualPage.Block;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Checks the manual against the code. Every block is checked: configurations are loaded, Java is
 * compiled, and commands are run by this test, {@link DocumentationIT} or {@code .ci/docs}.
 */
@Tag("slow") // compiles and runs the blocks of all pages
class DocumentationTest {
  static final Path ROOT = Path.of("..");

  /** Blocks that no test runs, by their first line, with the reason. */
  private static final Map<String, String> NOT_RUN =
      Map.ofEntries(
          Map.entry("README.md:                       ┌", "a picture"),
          Map.entry("limiter/README.md: ACL SETUSER", "RedisAccessIT gives a user these rights"),
          Map.entry(
              "README.md: sluice_events_total", ".ci/prometheus finds these lines in a scrape"),
          Map.entry(
              "README.md: <dependencyManagement>",
              "BomTest finds it in the program that .ci/outside builds"),
          Map.entry("docs/metrics.md: scrape_configs", ".ci/prometheus has promtool check it"),
          Map.entry(
              "docs/live-limits.md: reply: at most 5",
              "ids and times are others each time; see LimitsIT"),
          Map.entry("docs/installing.md: mvn -Prelease", ".ci/release runs it"),
          Map.entry("docs/installing.md: tar xzf", ".ci/dist unpacks it and runs the commands"),
          Map.entry("docs/installing.md: [Service]", "needs systemd"),
          Map.entry(
              "limiter/README.md: sluice.redis.uri", "PageIT of limiter runs a program by it"),
          Map.entry("docs/running.md: acls=", "RightsIT gives a user these rights"),
          Map.entry("docs/watching.md: at ", "times are others each time; see LastTableTest"),
          Map.entry("docs/watching.md: key ", "keys are others each time; see TopTableTest"),
          Map.entry(
              "README.md: .ci/guarantees",
              "takes minutes; .ci/docs starts it, and it understands all of it"),
          Map.entry(
              "README.md: ./sluice bench",
              "takes minutes; .ci/docs starts it, and it understands all of it"),
          Map.entry(
              "guarantees/README.md: .ci/guarantees",
              "takes minutes; .ci/docs starts it, and it understands all of it"),
          Map.entry(
              "bench/README.md: ./sluice bench",
              "takes minutes; .ci/docs starts it, and it understands all of it"));

  /** Pages whose blocks another test runs. */
  private static final Set<String> RUN_ELSEWHERE =
      Set.of( // EventsManualTest, HttpManualIT, PageTest of spring, PageTest of streams
          "docs/events.md", "docs/http.md", "spring/README.md", "streams/README.md");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  private static final Pattern COMMAND = Pattern.compile("`\\./(sluice [^`]*)`");

  @TempDir private Path folder;

  static List<ManualPage> everyPage() {
    return ManualPage.all(ROOT);
  }

  static Stream<ManualPage> pages() {
    return everyPage().stream().filter(page -> !RUN_ELSEWHERE.contains(page.name()));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyBlockIsOfAKindThatIsRun(ManualPage page) {
    assertThat(page.blocks().stream().filter(block -> !isRun(block) && !isExcused(block)))
        .as("blocks that no test runs; see ManualPage for how they are written")
        .isEmpty();
  }

  private static boolean isRun(Block block) {
    return block.isCommands()
        || block.isOutput() && block.language().matches("json|text")
        || block.language().matches("java|properties|json");
  }

  private static boolean isExcused(Block block) {
    String begins = block.page() + ": " + block.lines().get(0);
    return !block.language().isEmpty() && NOT_RUN.keySet().stream().anyMatch(begins::startsWith);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyConfigurationIsSound(ManualPage page) throws IOException {
    ManualFiles files = new ManualFiles();
    for (Block block : page.blocks()) {
      if (!block.language().equals("properties")) continue;
      Path file = folder.resolve(files.take(block));
      Files.write(file, files.byName().get(file.getFileName().toString()));
      assertThatCode(() -> assertThat(ConfigReport.warnings(SluiceConfig.load(file))).isEmpty())
          .as("%s", block)
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void whatIsNeitherAFileNorOutputIsEvents(ManualPage page) {
    for (Block block : page.blocks()) {
      if (!block.language().equals("json") || block.isNamed() || block.isOutput()) continue;
      SimulateCli.Result result =
          new SimulateCli(folder).quietly(block.lines().toArray(new String[0]));
      assertThat(result.err()).as("%s", block).isEmpty();
      assertThat(result.out()).as("%s", block).hasSameSizeAs(block.lines());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void allJavaCompiles(ManualPage page) {
    for (Block block : page.blocks()) {
      if (!block.language().equals("java")) continue;
      assertThat(ManualJava.mistakes(block)).as("%s", block).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everyPage")
  void linksLeadSomewhere(ManualPage page) {
    Path from = ROOT.resolve(page.name()).getParent();
    assertThat(found(LINK, page))
        .allSatisfy(link -> assertThat(from.resolve(link).normalize()).exists());
  }

  @ParameterizedTest
  @MethodSource("everyPage")
  void commandsInTheTextAreUnderstood(ManualPage page) {
    for (String command : (Iterable<String>) found(COMMAND, page)::iterator) {
      if (command.equals("sluice bench")) continue; // belongs to the bench module
      String[] args = command.replaceFirst("^sluice ?", "").split(" +");
      CommandLine sluice = SluiceMain.commandLine(CommandLine.defaultFactory());
      assertThatCode(() -> sluice.parseArgs(args)).as(command).doesNotThrowAnyException();
    }
  }

  private static Stream<String> found(Pattern pattern, ManualPage page) {
    return page.prose().stream()
        .flatMap(line -> pattern.matcher(line).results())
        .map((MatchResult result) -> result.group(1));
  }
}
