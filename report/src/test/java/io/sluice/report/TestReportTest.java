package io.sluice.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestReportTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path root;

  @Test
  void aSlowClassIsNamedUnlessItGivesAReason() throws IOException {
    report("surefire", "a.QuickTest", "4.9", "");
    report("surefire", "a.SlowTest", "5.1", "");
    report("failsafe", "a.QuickIT", "19.9", "");
    report("failsafe", "a.SlowIT", "1,020.1", "");
    report("failsafe", "a.ExcusedIT", "60", "");
    source("a/ExcusedIT.java", "@Tag(\"slow\") // starts three brokers\nclass ExcusedIT {}");
    report("failsafe", "a.SilentIT", "61", "");
    source("a/SilentIT.java", "@Tag(\"slow\")\nclass SilentIT {}");

    assertThat(of(1).tooSlow())
        .extracting(line -> line.split(" ", 2)[0])
        .containsExactly("SlowIT", "SilentIT", "SlowTest");
    assertThat(of(4).tooSlow()).extracting(line -> line.split(" ", 2)[0]).containsExactly("SlowIT");
  }

  @Test
  void theReportAddsUpModulesAndNamesFlakyTests() throws IOException {
    report("surefire", "a.QuickTest", "0.5", "");
    report("failsafe", "a.FlakyIT", "2.25", "<flakyFailure message=\"late\"/>");

    assertThat(printed(of(1)))
        .contains("module                2       4          0.5               2.3")
        .contains("flaky: module FlakyIT.works passed when repeated");
  }

  @Test
  void aSlowClassBelowTheFactorIsShown() throws IOException {
    report("failsafe", "a.SlowIT", "30.5", "");
    report("failsafe", "a.ExcusedIT", "60", "");
    source("a/ExcusedIT.java", "@Tag(\"slow\") // starts three brokers\nclass ExcusedIT {}");

    assertThat(of(2).tooSlow()).isEmpty();
    assertThat(printed(of(2)))
        .contains("slow: module SlowIT took 30.5 s, more than 20 s; fails above 2.0 times that")
        .contains("slow: module ExcusedIT took 60.0 s, more than 20 s: starts three brokers");
  }

  @Test
  void reportsOfEarlierBuildsDoNotCount() throws IOException {
    Path old = report("surefire", "a.SlowTest", "50", "");
    Files.setLastModifiedTime(old, FileTime.from(START.minusSeconds(1)));

    assertThat(of(1).tooSlow()).isEmpty();
    assertThat(printed(of(1))).isEmpty();
  }

  private TestReport of(double factor) throws IOException {
    return TestReport.of(root, START, factor);
  }

  private static String printed(TestReport report) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    report.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private Path report(String plugin, String name, String seconds, String outcome)
      throws IOException {
    Path folder = Files.createDirectories(root.resolve("module/target/" + plugin + "-reports"));
    return Files.writeString(
        folder.resolve("TEST-" + name + ".xml"),
        "<testsuite name=\"%s\" tests=\"2\" time=\"%s\"><testcase name=\"works\">%s</testcase></testsuite>"
            .formatted(name, seconds, outcome));
  }

  private void source(String file, String text) throws IOException {
    Path path = root.resolve("module/src/test/java/" + file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
