package io.sluice.guarantees.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Process that can be killed and frozen, and that is killed when this JVM ends. */
final class Watched {
  /**
   * Watchdog script: waits on a pipe that closes when this JVM ends for any reason, since only the
   * JVM can write to it; then kills the watched process.
   */
  private static final String LEASH = "trap '' INT HUP TERM; read -r _; kill -9 \"$1\"";

  private static final long MOST_STOPPING_S = 30;

  private final Process process;
  private final Path log;
  private final int logStart;

  private Watched(Process process, Path log, int logStart) {
    this.process = process;
    this.log = log;
    this.logStart = logStart;
  }

  static Watched start(List<String> command, Map<String, String> environment, Path log) {
    try {
      int logStart = Files.exists(log) ? (int) Files.size(log) : 0;
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      Process process = builder.start();
      Process leash =
          new ProcessBuilder("sh", "-c", LEASH, "leash", Long.toString(process.pid()))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      var unused = process.onExit().thenRun(leash::destroyForcibly);
      return new Watched(process, log, logStart);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the output that this process has written to its log so far. */
  String said() {
    try {
      byte[] all = Files.readAllBytes(log);
      return new String(all, logStart, all.length - logStart, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the exit code of a process that has ended. */
  int exitCode() {
    return process.exitValue();
  }

  /**
   * Returns the last line of the process's output, which normally gives the reason for its exit.
   */
  String lastSaid() {
    String said = said().strip();
    return said.substring(said.lastIndexOf('\n') + 1);
  }

  /** Sends SIGKILL, and waits until the process has ended. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Sends SIGSTOP: connections stay open, but the process does nothing. */
  void freeze() {
    signal("STOP");
  }

  /** Sends SIGCONT: a frozen process continues. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends SIGTERM; returns whether the process ended within 30 s, and kills it otherwise. */
  boolean stop() throws InterruptedException {
    process.destroy();
    boolean ended = process.waitFor(MOST_STOPPING_S, TimeUnit.SECONDS);
    if (!ended) kill();
    return ended;
  }
}
