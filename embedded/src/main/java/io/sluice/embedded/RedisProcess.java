package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Process of one run of a {@code redis-server}, which ends no later than this JVM. */
final class RedisProcess {
  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final Duration BETWEEN_PINGS = Duration.ofMillis(10);
  private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(5);

  private static final String NAME = "redis-server";

  private final int port;
  private final Process process;

  /** Completes after the server's process and its watchdog have ended. */
  private final CompletableFuture<?> watched;

  private final RedisOutput output = new RedisOutput();
  private final Thread outputReader;

  private RedisProcess(int port, Process process, CompletableFuture<?> watched) {
    this.port = port;
    this.process = process;
    this.watched = watched;
    this.outputReader = output.readFrom(process.getInputStream(), NAME + "-" + port);
  }

  /**
   * Starts the server, and returns when the server answers.
   *
   * @param temporary folder to remove if this JVM ends without stopping the server
   * @throws PortTakenException if the server could not listen on the port
   * @throws EmbeddedStartException if the server ended for another reason, which the message gives,
   *     or did not answer in time
   */
  static RedisProcess start(int port, List<String> command, Path temporary) {
    LocalPort.requireFree(NAME, port);
    try {
      Process process = new ProcessBuilder(inOwnSession(command)).redirectErrorStream(true).start();
      RedisProcess redis = new RedisProcess(port, process, Watchdog.watch(process, temporary));
      redis.begin();
      return redis;
    } catch (IOException e) {
      throw new EmbeddedStartException(NAME + " could not be run: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the command that starts the server in its own session. Otherwise Ctrl-C, which reaches
   * all processes of the terminal's foreground group, would end Redis before the code that still
   * needs it.
   */
  private static List<String> inOwnSession(List<String> command) {
    List<String> own = new ArrayList<>();
    SearchPath.find("setsid").ifPresent(setsid -> own.add(setsid.toString()));
    own.addAll(command);
    return own;
  }

  private void begin() {
    boolean begun = false;
    try {
      awaitAnswer();
      begun = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException(NAME + " was interrupted while it started", e);
    } finally {
      if (!begun) kill();
    }
  }

  private void awaitAnswer() throws InterruptedException {
    long deadlineNanos = System.nanoTime() + START_LIMIT.toNanos();
    while (!RedisPing.isAnsweredOn(port)) {
      if (process.waitFor(BETWEEN_PINGS.toMillis(), TimeUnit.MILLISECONDS)) throw ended();
      if (System.nanoTime() > deadlineNanos) {
        throw new EmbeddedStartException(NAME + " did not answer in time");
      }
    }
  }

  private EmbeddedStartException ended() throws InterruptedException {
    outputReader.join(OUTPUT_LIMIT.toMillis());
    String lastWords = output.lastWords();
    return output
        .whyNotListening()
        .<EmbeddedStartException>map(why -> new PortTakenException(NAME, port, why))
        .orElseGet(() -> new EmbeddedStartException(NAME + " could not start: " + lastWords));
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Sends SIGTERM to the server, so that it saves its data; kills the server if it does not end in
   * 10 s.
   */
  void stop() {
    signal("CONT");
    process.destroy();
    if (!endsWithin(STOP_LIMIT)) kill();
  }

  void kill() {
    process.destroyForcibly();
    endsWithin(STOP_LIMIT);
  }

  void signal(String name) {
    try {
      // The signal is sent by the shell's built-in kill, because a system may have no other kill
      // command.
      String script = "kill -%s %d".formatted(name, process.pid());
      new ProcessBuilder("sh", "-c", script).start().waitFor();
    } catch (IOException e) {
      throw new IllegalStateException("SIG%s could not be sent: %s".formatted(name, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean endsWithin(Duration limit) {
    try {
      watched.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting for the end of " + NAME + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
