package io.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** File with the stored bytes of a release; its path has the release and a name. */
public final class StoredFile {
  /** Release whose stored formats this build writes. */
  public static final String RELEASE = "0.3.0";

  private static final Path GOLDEN =
      Path.of("../topology/src/test/resources/io/sluice/topology/golden");

  private StoredFile() {}

  /** Lines of a file: each has a name and the stored bytes. */
  public static Map<String, String> lines(String name) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : all(name)) {
      String[] pair = line.split(" ", 2);
      lines.put(pair[0], pair[1]);
    }
    return lines;
  }

  public static List<String> all(String name) {
    Path file = GOLDEN.resolve(name + ".txt");
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares the content with the file of {@link #RELEASE}, and saves it in {@code target/golden}.
   */
  public static void assertGolden(String name, List<String> content) {
    Path written = Path.of("target", "golden", RELEASE, name + ".txt");
    try {
      Files.createDirectories(written.getParent());
      Files.write(written, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(content)
        .as("%s, which is the content of golden/%s/%s.txt now", written, RELEASE, name)
        .isEqualTo(all(RELEASE + "/" + name));
  }
}
