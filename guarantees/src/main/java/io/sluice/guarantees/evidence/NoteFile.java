package io.sluice.guarantees.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * File of lines that are appended during a test run, and read when the results of the run are
 * checked again.
 */
final class NoteFile {
  private final Path file;

  NoteFile(Path file) {
    this.file = file;
  }

  /** Passes each line of the file to the consumer; no line if the file does not exist. */
  void read(Consumer<String> lines) {
    try {
      if (Files.exists(file)) Files.readAllLines(file).forEach(lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void append(String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
