package io.sluice.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Servers;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of a process that a signal suspends while a revision is written, and that then continues.
 */
class StoppedProcessIT {
  private static final int ROUNDS = 3;
  private static final long STOPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  @TempDir private Path folder;
  private final Map<String, String> settings =
      Servers.shared().settings("sluice.limits=reply", "sluice.limit.reply.quota=5/60s");
  private Process process;
  private Writer questions;
  private BufferedReader answers;

  private void start() throws IOException {
    List<String> lines =
        settings.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
    Path file = Files.write(folder.resolve("a.properties"), lines);
    process =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Asked.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    questions = process.outputWriter(UTF_8);
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private void ask() throws IOException {
    questions.write("?\n");
    questions.flush();
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    while (line != null && !line.startsWith("permits ")) line = answers.readLine();
    return line;
  }

  private void signal(String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  private static String quota(int permits) {
    return "{\"limit\":\"reply\",\"set\":{\"quota\":\"" + permits + "/60s\"}}";
  }

  @Test
  void itsFirstAnswerAfterwardsIsByTheNewRevision() throws Exception {
    start();
    ask();
    assertThat(answer()).isEqualTo("permits 5");
    for (int i = 1; i <= ROUNDS; i++) {
      signal("STOP");
      long stopped = System.nanoTime();
      Servers.shared()
          .publish(
              settings.get("application.id") + "-limits",
              List.of("a".getBytes(UTF_8)),
              List.of(quota(10 + i).getBytes(UTF_8)));
      ask();
      await().until(() -> System.nanoTime() - stopped > STOPPED_NANOS);
      signal("CONT");
      assertThat(answer()).isEqualTo("permits " + (10 + i));
    }
  }
}
