package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.SimulateCli;
import io.sluice.cli.SluiceMain;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.testing.TestScale;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow") // thousands of events, simulated on both backends
class SimulateIT {
  private static EmbeddedRedis redis;

  @TempDir private Path folder;

  @BeforeAll
  static void startRedis() {
    redis = EmbeddedRedis.builder().start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private SimulateCli simulate(String algorithm, String backend) {
    return new SimulateCli(folder, settings(algorithm, backend));
  }

  private static String[] settings(String algorithm, String backend) {
    return new String[] {
      "sluice.limits=page",
      "sluice.limit.page.quota=10/" + (algorithm.equals("calendar-window") ? "hour" : "60s"),
      "sluice.limit.page.algorithm=" + algorithm,
      "sluice.limit.page.backend=" + backend
    };
  }

  private static String webActions() {
    try (InputStream in =
        SimulateIT.class.getResourceAsStream("/io/sluice/cli/two-days-of-web-actions.jsonl")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void twoDaysOfRequestsGetTheVerdictsOfTheDefinition(String algorithm) {
    String input = webActions();
    List<String> expected = WindowOracle.verdicts(algorithm, input.lines().toList());
    assertThat(expected).hasSize(5_000).anyMatch(line -> line.contains("over-limit"));

    SimulateCli stored = simulate(algorithm, "state-store");
    List<String> first = stored.run(input, "--quiet").out();
    assertThat(first).isEqualTo(expected);
    assertThat(stored.run(input, "--quiet").out()).isEqualTo(first);

    SimulateCli remote = simulate(algorithm, "redis");
    assertThat(remote.run(input, "--quiet", "--redis", redis.uri()).out()).isEqualTo(first);
    assertThat(remote.run(input, "--quiet", "--redis", redis.uri()).out()).isEqualTo(first);
    assertThat(keysInRedis()).isZero();
  }

  static Stream<String> algorithms() {
    return TestScale.some(
        1, Stream.of("funnel", "sliding-window-log", "sliding-window-counter", "calendar-window"));
  }

  static Stream<String> waysToWait() {
    return TestScale.some(1, Stream.of("delay", "retry"));
  }

  @ParameterizedTest
  @MethodSource("waysToWait")
  void whatIsDelayedComesOutTheSameFromBothBackends(String exceeded) {
    List<String> outputs = new ArrayList<>();
    for (String backend : List.of("state-store", "redis")) {
      List<String> settings = new ArrayList<>(List.of(settings("funnel", backend)));
      settings.add("sluice.limit.page.exceeded=" + exceeded);
      SimulateCli simulate = new SimulateCli(folder, settings.toArray(new String[0]));
      List<String> out = simulate.run(webActions(), "--quiet", "--redis", redis.uri()).out();
      assertThat(out).hasSizeGreaterThan(5_500);
      assertThat(out.stream().filter(line -> !line.contains("\"delayed\""))).hasSize(5_000);
      outputs.add(String.join("\n", out));
    }
    assertThat(outputs.get(1)).isEqualTo(outputs.get(0));
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void whoIsBlockedIsTheSameOnBothBackends(String algorithm) {
    List<List<String>> outputs = new ArrayList<>();
    for (String backend : List.of("state-store", "redis")) {
      List<String> settings = new ArrayList<>(List.of(settings(algorithm, backend)));
      settings.add("sluice.limit.page.block=10m");
      SimulateCli simulate = new SimulateCli(folder, settings.toArray(new String[0]));
      outputs.add(simulate.run(webActions(), "--quiet", "--redis", redis.uri()).out());
    }
    assertThat(outputs.get(1)).isEqualTo(outputs.get(0)).hasSize(5_000);
    assertThat(outputs.get(0)).anyMatch(line -> line.contains("\"reason\":\"blocked\""));
  }

  static Stream<String> waysToExceed() {
    return TestScale.some(1, Stream.of("reject", "delay"));
  }

  @ParameterizedTest
  @MethodSource("waysToExceed")
  void aDayIsTheSameOnBothBackends(String exceeded) {
    List<List<String>> outputs = new ArrayList<>();
    for (String backend : List.of("state-store", "redis")) {
      List<String> settings = new ArrayList<>(List.of(settings("calendar-window", backend)));
      settings.removeIf(line -> line.contains(".quota="));
      settings.add("sluice.limit.page.quota=20/day");
      settings.add("sluice.limit.page.zone=America/New_York");
      settings.add("sluice.limit.page.exceeded=" + exceeded);
      if (exceeded.equals("delay")) settings.add("sluice.limit.page.delay.max=30d");
      SimulateCli simulate = new SimulateCli(folder, settings.toArray(new String[0]));
      outputs.add(simulate.run(webActions(), "--quiet", "--redis", redis.uri()).out());
    }
    assertThat(outputs.get(1)).isEqualTo(outputs.get(0)).hasSizeGreaterThanOrEqualTo(5_000);
    String over = exceeded.equals("delay") ? "\"delayed\"" : "\"over-limit\"";
    assertThat(outputs.get(0)).anyMatch(line -> line.contains(over));
  }

  @Test
  void withoutARedisToUseItStartsOneAndSaysSo() {
    String input = webActions().lines().limit(50).reduce("", (all, line) -> all + line + "\n");
    SimulateCli.Result result = simulate("funnel", "redis").run(input);
    assertThat(result.out()).isEqualTo(WindowOracle.verdicts("funnel", input.lines().toList()));
    assertThat(result.err().get(0))
        .startsWith("Started a temporary Redis for the limits on Redis: redis://127.0.0.1:");
  }

  @Test
  void aRedisThatDoesNotAnswerIsAFailureInOneLine() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    SimulateCli.Result result =
        simulate("funnel", "redis")
            .run(webActions(), "--quiet", "--redis", "redis://localhost:" + free);
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).singleElement().asString().startsWith("Redis at localhost:" + free);
  }

  /**
   * A simulation fails even with {@code redis.unavailable=allow}: its result must not depend on
   * outages.
   */
  @Test
  void aRedisThatGoesAwayIsAFailure() {
    List<String> lines = webActions().lines().toList();
    List<String> settings = new ArrayList<>(List.of(settings("funnel", "redis")));
    settings.add("sluice.limit.page.redis.unavailable=allow");
    SimulateCli simulate = new SimulateCli(folder, settings.toArray(new String[0]));
    try (EmbeddedRedis mortal = EmbeddedRedis.builder().start()) {
      InputStream later =
          new InputStream() {
            @Override
            public int read() {
              mortal.kill(); // after the first half was read and metered
              return -1;
            }
          };
      InputStream input =
          new SequenceInputStream(
              Collections.enumeration(
                  List.of(stream(lines.subList(0, 100)), later, stream(lines.subList(100, 200)))));
      SimulateCli.Result result =
          simulate.run(input, new ByteArrayOutputStream(), "--quiet", "--redis", mortal.uri());
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.out()).isEqualTo(WindowOracle.verdicts("funnel", lines.subList(0, 100)));
      assertThat(result.err())
          .hasSize(2)
          .first()
          .asString()
          .startsWith("could not remove the keys that begin with sluice-sim-");
      assertThat(result.err())
          .last()
          .isEqualTo("Redis was unavailable for longer than an event may wait");
    }
  }

  private static InputStream stream(List<String> lines) {
    String text = String.join("\n", lines) + "\n";
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Runs the simulation in a separate process, because a signal ends it. */
  @Test
  @Timeout(120)
  void endedBySignalItLeavesNoKeysInRedis() throws Exception {
    Path config = folder.resolve("redis.properties");
    Files.write(config, List.of(settings("funnel", "redis")));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SluiceMain.class.getName(),
                "simulate",
                "--config",
                config.toString(),
                "--redis",
                redis.uri())
            .start();
    try (OutputStream events = process.getOutputStream();
        BufferedReader verdicts = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line : webActions().lines().limit(100).toList()) {
        events.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
      events.flush(); // but not closed: verdicts appear before the end of the input
      assertThat(IntStream.range(0, 100).mapToObj(i -> next(verdicts)))
          .allMatch(line -> line.startsWith("{\"eventId\":\"w000"));
      assertThat(keysInRedis()).isPositive();
      process.toHandle().destroy(); // unlike Process.destroy(), keeps the streams open
      assertThat(process.waitFor()).isEqualTo(128 + 15);
      assertThat(process.errorReader().lines()).isEmpty();
      assertThat(keysInRedis()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs in a separate process, because it is about the heap. All ids together are larger. */
  @Test
  @Timeout(120)
  void longIdsAndDelayedEventsNeedLittleMemory() throws Exception {
    Path config = folder.resolve("long.properties");
    Files.write(
        config,
        List.of(
            "sluice.limits=post,sms",
            "sluice.limit.post.match.action=post",
            "sluice.limit.post.quota=5/60s",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=1/60s",
            "sluice.limit.sms.exceeded=delay",
            "sluice.limit.sms.delay.max=2h"));
    Path summary = folder.resolve("summary");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                SluiceMain.class.getName(),
                "simulate",
                "--config",
                config.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(summary.toFile())
            .start();
    try (OutputStream events = process.getOutputStream()) {
      for (int i = 0; i < 80; i++) {
        String event =
            "{\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}%n"
                .formatted(
                    (i % 4 == 0 ? "one" : i) + "u".repeat(900_000),
                    i % 4 == 0 ? "sms" : "post",
                    1_700_000_000_000L + i);
        events.write(event.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // The process has ended early: its exit code tells.
    }
    assertThat(process.waitFor()).as(() -> read(summary)).isZero();
    assertThat(read(summary))
        .contains("80 events")
        .containsPattern("post +60 +60 +0 +0")
        .containsPattern("sms +20 +20 +0 +19")
        .doesNotContain("u".repeat(101));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String next(BufferedReader reader) {
    try {
      return reader.readLine();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int keysInRedis() {
    try (Socket socket = new Socket("127.0.0.1", redis.port())) {
      socket.getOutputStream().write("DBSIZE\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = new byte[64];
      int length = socket.getInputStream().read(answer);
      String text = new String(answer, 0, length, StandardCharsets.US_ASCII).trim();
      return Integer.parseInt(text.substring(1)); // ":0"
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
