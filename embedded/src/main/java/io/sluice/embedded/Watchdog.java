package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Kills a process after this JVM has ended, even if the JVM was killed. */
final class Watchdog {
  /*
   * A shutdown hook does not run when the JVM is killed; otherwise it runs concurrently with other
   * hooks that may still need the server. Instead, a shell waits for the end of a pipe that only
   * this JVM can write to: the system closes the pipe when the JVM ends. The shell ignores the
   * signals that a terminal sends to the shell together with the JVM.
   */
  private static final String SCRIPT =
      "trap '' INT HUP TERM; read -r _; kill -9 \"$1\"; rm -rf -- \"$2\"";

  private Watchdog() {}

  /**
   * Watches a process until the process has ended.
   *
   * @param temporary folder to remove after the process is killed, if this JVM has ended
   * @return completes when the process and its watchdog have ended
   * @throws IOException if the system has no shell; the process has been killed then
   */
  static CompletableFuture<Process> watch(Process process, Path temporary) throws IOException {
    String pid = Long.toString(process.pid());
    try {
      Process shell =
          new ProcessBuilder("sh", "-c", SCRIPT, "watchdog", pid, temporary.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      // When the process ends, the shell is killed before its pipe closes, so that the shell does
      // nothing: a restarted server may still need the folder, and another process may have the
      // process id by then.
      return process.onExit().thenCompose(ended -> shell.destroyForcibly().onExit());
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }
}
