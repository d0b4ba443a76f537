package io.sluice.report;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lists the files of the repository, without those that builds and tools create. */
final class RepositoryFiles {
  private static final Set<String> MADE = Set.of("target", "node_modules", ".git");

  private RepositoryFiles() {}

  /** Returns the sorted paths of all files below {@code root}, relative to it. */
  static List<Path> below(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean isForeign = !folder.equals(root) && Files.exists(folder.resolve(".git"));
            return isForeign || MADE.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) files.add(root.relativize(file));
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }
}
