package io.sluice.cli.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The file for what an embedded broker has to say, which is no business of the terminal's. It is
 * gone when it is closed, unless somebody may want to read it.
 */
final class BrokerLog implements AutoCloseable {
  /** By which log4j2.properties knows what is for the file. */
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
      throw new CommandFailedException("no temporary file can be made: " + e.getMessage(), e);
    }
  }

  /** For the broker's threads. */
  Map<String, String> context() {
    return Map.of(CONTEXT, file.get(0).toString());
  }

  /** Leaves the file where it is, and says where, to go on with what has failed. */
  synchronized String keep() {
    kept = true;
    return file.isEmpty() ? "" : "; Kafka's own log is " + file.get(0);
  }

  @Override
  public synchronized void close() throws IOException {
    if (!kept) Files.deleteIfExists(file.get(0));
  }
}
