package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is there while an instance is ready, for those that can look but not ask. */
final class ReadyFile implements AutoCloseable {
  private final Path path;

  private ReadyFile(Path path) {
    this.path = path;
  }

  /** Not there yet, nor any more if an instance that was killed has left it. */
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
