package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A watchdog that ends a process when this JVM is gone, however that came about. */
final class Watchdog {
  /*
   * A shutdown hook does not run when the JVM is killed, and when it runs, it does so beside those
   * of others who may still need the server. A shell that waits for the end of a pipe which only
   * this JVM can write to has neither fault: the system closes the pipe with the JVM. The signals
   * that a terminal sends to the JVM reach the shell as well and are ignored.
   */
  private static final String SCRIPT =
      "trap '' INT HUP TERM; read -r _; kill -9 \"$1\"; rm -rf -- \"$2\"";

  private Watchdog() {}

  /**
   * Watches until the process has ended.
   *
   * @param temporary a folder to remove after the process if this JVM is gone
   * @return completes when the watching is over
   * @throws IOException if there is no shell; the process has been ended then
   */
  static CompletableFuture<Process> watch(Process process, Path temporary) throws IOException {
    String pid = Long.toString(process.pid());
    try {
      Process shell =
          new ProcessBuilder("sh", "-c", SCRIPT, "watchdog", pid, temporary.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      // Killed before its pipe is closed, it does nothing more: the folder is still needed by a
      // server that is started again, and the pid may be another process' by then.
      return process.onExit().thenCompose(ended -> shell.destroyForcibly().onExit());
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }
}
