package io.sluice.server;

import static org.awaitility.Awaitility.await;

import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Instance in a process of its own, which can be killed or suspended. Tests cannot use the command
 * line for this, since its module depends on this one.
 */
public final class ChildSluice implements AutoCloseable {
  private final Process process;
  private final Path log;

  private ChildSluice(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Runs an instance; the argument is the file of its settings. SIGTERM ends it with status 0. */
  public static void main(String[] arguments) throws InterruptedException {
    SluiceConfig config = SluiceConfig.load(Path.of(arguments[0]), System.getenv());
    Sluice sluice = Sluice.start(config);
    Thread toldToEnd =
        new Thread(
            () -> {
              sluice.close();
              Runtime.getRuntime().halt(0);
            });
    Runtime.getRuntime().addShutdownHook(toldToEnd);
    if (sluice.awaitRunning()) System.out.println("Sluice is ready");
    sluice.awaitEnd();
    Runtime.getRuntime().halt(sluice.hasFailed() ? 1 : 0);
  }

  /** Starts a process and waits until it is ready. */
  public static ChildSluice start(Map<String, String> settings) {
    try {
      Path folder = Servers.folder();
      Path file = folder.resolve("sluice.properties");
      List<String> lines =
          settings.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
      Files.write(file, lines);
      Path log = folder.resolve("log");
      Process process =
          new ProcessBuilder(
                  System.getProperty("java.home") + File.separator + "bin/java",
                  "-Xmx512m",
                  "-Dlog4j2.configurationFile=log4j2-tests.properties",
                  "-Dsluice.test.log=" + log,
                  "-cp",
                  System.getProperty("java.class.path"),
                  ChildSluice.class.getName(),
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      ChildSluice child = new ChildSluice(process, log);
      child.awaitReady();
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady() {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> log().contains("Sluice is ready") || !process.isAlive());
    if (!process.isAlive()) throw new IllegalStateException("it has ended: " + log());
  }

  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Suspends the process, with its open connections, until {@link #goOn}. */
  public void freeze() {
    signal("STOP");
  }

  public void goOn() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the process without a chance to clean up. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
