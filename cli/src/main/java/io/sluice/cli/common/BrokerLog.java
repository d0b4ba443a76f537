package io.sluice.cli.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Temporary file for the log of an embedded broker, which must not appear on the terminal. Deleted
 * on close, unless {@link #keep} was called.
 */
final class BrokerLog implements AutoCloseable {
  /**
   * Key in the context of the broker's threads by which log4j2.properties routes lines to the file.
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

  /** Returns the logging context for the broker's threads. */
  Map<String, String> context() {
    return Map.of(CONTEXT, file.get(0).toString());
  }

  /**
   * Keeps the file after close, and returns the end of an error message that names it; empty
   * without a file.
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
