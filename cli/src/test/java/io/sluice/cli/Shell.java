package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs shell commands in the root of the repository. */
final class Shell {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final int MOST_MINUTES = 3;

  private final Map<String, String> environment;

  Shell(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Whether the command exists and answers {@code version}, with its server if it has one. */
  static boolean has(String command) {
    return new Shell(Map.of()).exitCode("command -v " + command + " && " + command + " version")
        == 0;
  }

  private int exitCode(String command) {
    try {
      return start(command, Files.createTempFile("sluice-shell-", null)).waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(command, e);
    }
  }

  /** Runs a command that must succeed, and returns its output, including standard error. */
  String run(String command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("sluice-shell-", null);
    Process process = start(command, output);
    try {
      boolean ended = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
      String said = Files.readString(output);
      assertThat(ended).as("%s has not ended: %s", command, said).isTrue();
      assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private Process start(String command, Path output) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(ROOT.toFile());
    builder.environment().putAll(environment);
    return builder
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
