package io.sluice.topology;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An instance in a process of its own, which can be killed as a machine would be. */
public final class ChildSluice implements AutoCloseable {
  private final Process process;
  private final Path log;

  private ChildSluice(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts one as people do, and returns when it says that it is ready. */
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
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.sluice.cli.SluiceMain",
                  "run",
                  "--config",
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
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

  /** Without any chance to put its things in order. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
