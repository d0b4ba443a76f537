package io.sluice.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders with what applications and servers leave in them. */
public final class Folders {
  private Folders() {}

  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }

  /** What is in its files. */
  public static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) bytes += Files.size(file);
    }
    return bytes;
  }
}
