package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs each command in the manual's table of questions, and checks its answer. */
@Tag("full") // each command of the manual is a process of its own
class QuestionsIT {
  private static final Path PAGE = Path.of("..", "docs", "watching.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|`]*) \\| `([^`]*)` \\|");

  /**
   * Pattern of the answer to each question, in the order of the table. The answer to raising and
   * blocking is in the history.
   */
  private static final Map<String, String> ANSWERS =
      inOrder(
          "Why was she refused?", "rejected +over-limit +reply",
          "When may she send again?", "reply +rejected .*\\d s ",
          "What has she left?", "reply +rejected +5 +0 ",
          "Who is throttled most?", "ada +reply +3 ",
          "Raise her limit now", "at most 5 .* -> at most 10 .* for userId=ada",
          "Block him for an hour", "metered -> denied.* for userId=bob, until ",
          "What changed yesterday?", "(?s)quota=10/60s.*verdict=reject",
          "What would 10 a minute have done?", "reply +8 +8 +0 ");

  @TempDir private Path folder;

  private static Map<String, String> inOrder(String... pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) map.put(pairs[i], pairs[i + 1]);
    return map;
  }

  @Test
  void eachCommandOfTheTableAnswersItsQuestion() throws Exception {
    Map<String, String> settings =
        Servers.shared()
            .settings(
                "sluice.limits=reply",
                "sluice.limit.reply.match.action=reply",
                "sluice.limit.reply.quota=5/60s",
                "sluice.limit.reply.algorithm=sliding-window-log",
                "sluice.http.port=0");
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      String address = sluice.httpAddress().orElseThrow().toString();
      prepare(settings, address);
      publish(settings.get("sluice.topics.input"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> said("./sluice ask --http " + address + " --for userId=ada").contains(" 5 "));
      Map<String, String> commands = new LinkedHashMap<>();
      for (MatchResult row : ROW.matcher(Files.readString(PAGE)).results().toList()) {
        commands.put(row.group(1), row.group(2));
      }
      assertThat(commands.keySet()).containsAll(ANSWERS.keySet());
      for (Map.Entry<String, String> each : ANSWERS.entrySet()) {
        String command = commands.get(each.getKey()).replace("http://localhost:9464", address);
        assertThat(said(command)).as(command).containsPattern(each.getValue());
      }
    }
  }

  /** Writes the page's file, and a launcher that runs the compiled classes. */
  private void prepare(Map<String, String> settings, String address) throws IOException {
    List<String> lines = new ArrayList<>();
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put("sluice.http.port", address.replaceFirst(".*:", ""));
    all.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    Files.write(folder.resolve("my.properties"), lines);
    String java = System.getProperty("java.home") + File.separator + "bin/java";
    Path launcher = folder.resolve("sluice");
    Files.writeString(
        launcher, "exec '" + java + "' -XX:TieredStopAtLevel=1 io.sluice.cli.SluiceMain \"$@\"\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  private static void publish(String topic) throws Exception {
    byte[] reply = "{\"userId\":\"ada\",\"action\":\"reply\"}".getBytes(UTF_8);
    Servers.shared()
        .publish(
            topic, Collections.nCopies(8, "ada".getBytes(UTF_8)), Collections.nCopies(8, reply));
  }

  /** Runs a command in a shell, and returns its output. */
  private String said(String command) throws Exception {
    Path shown = folder.resolve("shown");
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", command);
    shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    shell.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(shown.toFile());
    int exitCode = shell.start().waitFor();
    String said = Files.readString(shown);
    assertThat(exitCode).as(command + ": " + said).isZero();
    return said;
  }
}
