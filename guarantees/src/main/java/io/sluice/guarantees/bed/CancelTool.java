package io.sluice.guarantees.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.CancelRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command {@code cancel} of the public launcher, with the settings of an instance. */
final class CancelTool {
  /** Text in the output of the command when the broker has the order. */
  private static final String PUBLISHED = "published order";

  private static final Map<String, String> JVM =
      Map.of("SLUICE_JAVA_OPTS", "-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

  private static final long MOST_S = 90;

  private final List<String> command;

  /**
   * @param settings properties file of an instance
   */
  CancelTool(Path launcher, Path settings) {
    command = List.of(launcher.toString(), "cancel", "--config", settings.toString());
  }

  /** Runs the command, and returns when it has ended; kills it after 90 s. */
  void cancel(CancelRequest order, Runnable published) throws InterruptedException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("--for", "userId=" + order.user()));
    if (!order.event().isEmpty()) words.addAll(List.of("--event", order.event()));
    try {
      ProcessBuilder builder = new ProcessBuilder(words);
      builder.redirectError(ProcessBuilder.Redirect.DISCARD).environment().putAll(JVM);
      Process process = builder.start();
      try {
        Thread reader = new Thread(() -> read(process, published), "output of cancel");
        reader.setDaemon(true);
        reader.start();
        boolean ended = process.waitFor(MOST_S, TimeUnit.SECONDS);
        if (!ended) process.destroyForcibly();
        reader.join();
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(Process process, Runnable published) {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(PUBLISHED)) published.run();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
