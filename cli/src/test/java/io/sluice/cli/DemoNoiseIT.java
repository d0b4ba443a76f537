package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo in a process of its own, and checks what appears on the terminal. */
@Tag("full") // runs the demo in a new process, as a step of .ci/run does
class DemoNoiseIT {
  @TempDir private Path folder;
  private final List<String> errors = new ArrayList<>();

  private int demo(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin/java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // like the launcher
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("io.sluice.cli.SluiceMain", "demo"));
    Path file = folder.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(file.toFile())
            .start();
    int exitCode = process.waitFor();
    errors.addAll(Files.readAllLines(file));
    return exitCode;
  }

  @Test
  void nothingIsSaidBesideTheDemoAndNothingIsLeft() throws Exception {
    assertThat(demo()).isZero();
    assertThat(errors).isEmpty();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).extracting(Path::getFileName).noneMatch(DemoNoiseIT::isOurs);
    }
  }

  private static boolean isOurs(Path name) {
    return name.toString().startsWith("sluice-");
  }

  @Test
  void whatTheBrokerLogsIsNotOnTheTerminal() throws Exception {
    assertThat(demo("-Dsluice.log.root=info")).isZero();
    assertThat(errors)
        .as("what the clients log, which is asked for here")
        .anyMatch(line -> line.contains("StreamThread"))
        .noneMatch(line -> line.contains("KafkaRaftServer") || line.contains("UnifiedLog"));
  }
}
