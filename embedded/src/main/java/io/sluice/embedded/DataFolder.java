package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data folder of a server: a temporary folder, or a folder that the caller gave and that is kept.
 */
record DataFolder(Path path, boolean kept) {
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

  static DataFolder temporary(String prefix) {
    try {
      return new DataFolder(Files.createTempDirectory(prefix), false);
    } catch (IOException e) {
      throw new EmbeddedStartException("cannot create a temporary folder: " + e, e);
    }
  }

  /** Returns a data folder that is never removed, and creates it if it is missing. */
  static DataFolder kept(Path path) {
    try {
      return new DataFolder(Files.createDirectories(path).toRealPath(), true);
    } catch (IOException e) {
      throw new EmbeddedStartException("cannot create the data folder: " + e, e);
    }
  }

  /** Removes a temporary folder with its contents; does nothing to a kept folder. */
  void remove() {
    if (kept) return;
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException e) {
      LOG.warn("The temporary folder {} could not be removed: {}", path, e.toString());
    }
  }

  /**
   * Removes a folder with its contents. A server that is ending may remove files at the same time,
   * so a missing file is no error.
   */
  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
