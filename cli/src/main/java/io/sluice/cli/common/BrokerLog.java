package io.sluice.cli.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Temporary file for the log of an embedded Kafka broker, which must not appear on the terminal.
 * The file is deleted on close, unless {@link #keep} was called.
 */
final class BrokerLog implements AutoCloseable {
  /**
   * Key in the Log4j thread context. Its value is the path of the log file to which
   * log4j2.properties routes the lines of the broker's threads.
   */
  private static final String CONTEXT = "broker.log";

  static final BrokerLog NONE = new BrokerLog(List.of());

  private final List<Path> file;
  private boolean kept;

  private BrokerLog(List<Path> file) {
    this.file = file;
  }

  static BrokerLog create() {
    try {
      return new BrokerLog(List.of(Files.createTempFile("sluice-kafka-", ".log")));
    } catch (IOException e) {
      throw new CommandFailedException("cannot create a temporary file: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the Log4j thread context of the broker's threads, which routes their log lines to this
   * file.
   */
  Map<String, String> context() {
    return Map.of(CONTEXT, file.get(0).toString());
  }

  /**
   * Keeps the file after close, and returns the end of an error message that names the file; {@link
   * #NONE} has no file and returns an empty text.
   */
  synchronized String keep() {
    kept = true;
    return file.isEmpty() ? "" : "; the log of the broker is " + file.get(0);
  }

  @Override
  public synchronized void close() throws IOException {
    if (!kept) Files.deleteIfExists(file.get(0));
  }
}
