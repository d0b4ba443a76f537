package io.sluice.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds a command in the folders of the PATH. */
final class SearchPath {
  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  private SearchPath() {}

  static Optional<Path> find(String command) {
    return find(command, System.getenv());
  }

  static Optional<Path> find(String command, Map<String, String> environment) {
    return Stream.of(SEPARATOR.split(environment.getOrDefault("PATH", "")))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, command))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
