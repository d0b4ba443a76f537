package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchPathTest {

  @Test
  void theFirstFolderWithAnExecutableOfTheNameWins(@TempDir Path parent) throws IOException {
    Files.createFile(Files.createDirectory(parent.resolve("a")).resolve("tool"));
    Path b = Files.createFile(Files.createDirectory(parent.resolve("b")).resolve("tool"));
    Path c = Files.createFile(Files.createDirectory(parent.resolve("c")).resolve("tool"));
    assertThat(b.toFile().setExecutable(true)).isTrue();
    assertThat(c.toFile().setExecutable(true)).isTrue();
    String path = String.join(File.pathSeparator, parent + "/a", "", parent + "/b", parent + "/c");

    assertThat(SearchPath.find("tool", Map.of("PATH", path))).contains(b);
  }

  @Test
  void withoutAPathNothingIsFound() {
    assertThat(SearchPath.find("sh", Map.of())).isEmpty();
  }
}
