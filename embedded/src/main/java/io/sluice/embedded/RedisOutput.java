package io.sluice.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and logs the output of a {@code redis-server} without delay, so that the server never
 * blocks on a full pipe. Keeps the last 50 lines.
 */
final class RedisOutput {
  private static final Logger LOG = LoggerFactory.getLogger(RedisOutput.class);
  private static final int LINES_KEPT = 50;

  /** Prefix of a log line of Redis, such as {@code 4487:M 21 Nov 2026 08:46:33.735 # }. */
  private static final Pattern PREFIX =
      Pattern.compile("^\\d+:[A-Z] \\d+ \\p{L}+ \\d+ [\\d:.]+ [.*#-] ");

  private static final String FATAL = "*** FATAL CONFIG FILE ERROR";

  private final Deque<String> lines = new ArrayDeque<>();

  /** Starts a daemon thread that reads the output until the server has ended. */
  Thread readFrom(InputStream output, String name) {
    Thread reader = new Thread(() -> read(output, name), name + "-output");
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  private void read(InputStream output, String name) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
      reader.lines().forEach(line -> add(line, name));
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("{}: no more output: {}", name, e.toString());
    }
  }

  private void add(String line, String name) {
    LOG.debug("{}: {}", name, line);
    add(line);
  }

  synchronized void add(String line) {
    String said = PREFIX.matcher(line).replaceFirst("").strip();
    if (said.isEmpty()) return;
    lines.addLast(said);
    if (lines.size() > LINES_KEPT) lines.removeFirst();
  }

  /**
   * Returns the reason why the server could not listen on its port; empty if the output has no such
   * reason.
   */
  synchronized Optional<String> whyNotListening() {
    return lines.stream()
        .filter(line -> line.contains("listening socket"))
        .map(line -> line.substring(line.lastIndexOf(": ") + 1).strip())
        .findFirst();
  }

  /**
   * Returns the last line of the output; for a configuration error, with the wrong setting before
   * it.
   */
  synchronized String lastWords() {
    List<String> said = new ArrayList<>(lines);
    if (said.isEmpty()) return "it printed nothing";
    String last = said.get(said.size() - 1);
    if (said.size() > 1 && said.stream().anyMatch(line -> line.startsWith(FATAL))) {
      String setting = said.get(said.size() - 2);
      if (setting.startsWith(">>> ")) return setting.substring(4) + ": " + last;
    }
    return last;
  }
}
