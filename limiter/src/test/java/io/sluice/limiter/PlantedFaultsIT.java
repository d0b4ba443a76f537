package io.sluice.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.TestScale;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Plants the faults of {@code faults.txt}, one at a time, and runs the comparisons with the oracle
 * at their default size: at least {@value #LEAST_FOUND} of {@value #SEEDS} seeds must find each
 * fault.
 */
@Tag("faults") // 40 faults, each a JVM that runs 20 seeds: ten minutes
@Execution(ExecutionMode.CONCURRENT)
class PlantedFaultsIT {
  private static final int SEEDS = 20;
  private static final int LEAST_FOUND = 19;
  private static final String FOUND = "found by ";

  /**
   * Fault in a source file.
   *
   * @param text that occurs in the file once
   */
  private record Fault(String name, String language, String file, String text, String replacement) {
    private static final Path SOURCES = Path.of("src/main/java/io/sluice/limiter");
    private static final String SCRIPTS = "io/sluice/limiter/redis/meter";

    static Fault of(String paragraph) {
      List<String> lines = paragraph.lines().toList();
      String[] place = lines.get(1).split(" ");
      String text = lines.get(2).substring(2);
      return new Fault(lines.get(0), place[0], place[1], text, lines.get(3).substring(2));
    }

    boolean isJava() {
      return language.equals("java");
    }

    /** Writes the faulty class or script, which precedes the right one on the class path. */
    void plant(Path folder) throws IOException {
      if (isJava()) {
        Path file = folder.resolve("source").resolve(Path.of(this.file + ".java").getFileName());
        write(SOURCES.resolve(this.file + ".java"), file);
        String path = System.getProperty("java.class.path");
        String[] arguments = {"-nowarn", "-d", folder.toString(), "-cp", path, file.toString()};
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
      } else {
        String script = SCRIPTS + "/" + this.file + ".lua";
        write(Path.of("src/main/resources", script), folder.resolve(script));
      }
    }

    private void write(Path right, Path wrong) throws IOException {
      String source = Files.readString(right);
      assertThat(source.split(java.util.regex.Pattern.quote(text), -1))
          .as("%s: \"%s\" is in %s once", name, text, right)
          .hasSize(2);
      Files.createDirectories(wrong.getParent());
      Files.writeString(wrong, source.replace(text, replacement));
    }

    List<String> tests() {
      return isJava()
          ? List.of("io.sluice.limiter.RowMeterAgainstOracleTest")
          : List.of(
              "io.sluice.limiter.redis.RedisMeterAgainstOracleIT",
              "io.sluice.limiter.redis.RedisChangesAgainstOracleIT");
    }

    @Override
    public String toString() {
      return name + " (" + (isJava() ? "state store" : "Redis") + ")";
    }
  }

  static Stream<Fault> faults() throws IOException {
    byte[] all = PlantedFaultsIT.class.getResourceAsStream("faults.txt").readAllBytes();
    return Arrays.stream(new String(all, UTF_8).split("\n\n")).skip(1).map(Fault::of);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void nearlyEverySeedFindsIt(Fault fault, @TempDir Path folder) throws Exception {
    fault.plant(folder);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-cp");
    command.add(folder + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(PlantedFaultsIT.class.getName());
    command.add(Long.toString(TestScale.seed()));
    command.addAll(fault.tests());
    Process runs = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(runs.getInputStream().readAllBytes(), UTF_8);
    long found = output.lines().filter(line -> line.contains(FOUND)).count();
    System.out.printf("%2d of %d: %s%n", found, SEEDS, fault);
    assertThat(runs.waitFor()).as(output).isZero();
    assertThat(found).as("%s%n%s", fault, output).isGreaterThanOrEqualTo(LEAST_FOUND);
  }

  /**
   * Runs test classes with each seed until a test fails. Arguments: the first seed, then the
   * classes.
   */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequest tests =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                Arrays.stream(arguments).skip(1).map(DiscoverySelectors::selectClass).toList())
            .build();
    for (int i = 0; i < SEEDS; i++) {
      long seed = Long.parseLong(arguments[0]) + 100L * i;
      System.setProperty("sluice.test.seed", Long.toString(seed));
      FirstFailure failure = new FirstFailure();
      LauncherFactory.create()
          .execute(
              LauncherExecutionRequestBuilder.request(tests)
                  .cancellationToken(failure.token)
                  .listeners(failure)
                  .build());
      String said = failure.test == null ? "not found" : FOUND + failure.test;
      System.out.printf("seed %d: %s%n", seed, said);
    }
    System.exit(0);
  }

  private static final class FirstFailure implements TestExecutionListener {
    private final CancellationToken token = CancellationToken.create();
    private volatile String test;

    @Override
    public void executionFinished(TestIdentifier finished, TestExecutionResult result) {
      if (result.getStatus() != TestExecutionResult.Status.FAILED) return;
      if (test == null) test = finished.getDisplayName();
      token.cancel();
    }
  }
}
