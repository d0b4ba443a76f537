package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file of what a release has stored, byte by byte: its name is the release's and its own. */
public final class StoredFile {
  /** The release whose stored formats this build writes. */
  public static final String RELEASE = "0.3.0";

  private StoredFile() {}

  /** Its lines: a name and what is stored. */
  public static Map<String, String> lines(String name) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : all(name)) {
      String[] pair = line.split(" ", 2);
      lines.put(pair[0], pair[1]);
    }
    return lines;
  }

  static List<String> all(String name) {
    String path = "/io/sluice/topology/golden/" + name + ".txt";
    try (InputStream in = StoredFile.class.getResourceAsStream(path)) {
      return in == null ? List.of() : new String(in.readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares with the file of {@link #RELEASE}, and leaves the content in {@code target/golden}.
   */
  static void assertGolden(String name, List<String> content) {
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
