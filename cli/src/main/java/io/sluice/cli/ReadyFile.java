package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * File that exists while an instance meters events, for supervisors that can check for a file but
 * send no request.
 */
final class ReadyFile implements AutoCloseable {
  private final Path path;

  private ReadyFile(Path path) {
    this.path = path;
  }

  /**
   * Checks that the folder is writable, and deletes a file that a killed instance has left at this
   * path.
   */
  static ReadyFile absent(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (!Files.isWritable(folder)) throw failed(path, "its folder cannot be written to", null);
    ReadyFile file = new ReadyFile(path);
    file.close();
    return file;
  }

  void create() {
    try {
      Files.writeString(path, "");
    } catch (IOException e) {
      throw failed(path, "cannot be written", e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw failed(path, "cannot be removed", e);
    }
  }

  private static CommandFailedException failed(Path path, String problem, IOException e) {
    return new CommandFailedException("--ready-file " + path + ": " + problem, e);
  }
}
