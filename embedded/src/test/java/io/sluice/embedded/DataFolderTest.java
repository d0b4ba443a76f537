package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

  @Test
  void aTemporaryFolderGoesWithAllThatIsInIt() throws IOException {
    DataFolder folder = DataFolder.temporary("sluice-test-");
    Files.createDirectories(folder.path().resolve("a/b"));
    Files.writeString(folder.path().resolve("a/b/file"), "x");

    folder.remove();
    folder.remove();

    assertThat(folder.path()).doesNotExist();
  }

  @Test
  void whatALinkInATemporaryFolderPointsToStays(@TempDir Path elsewhere) throws IOException {
    Path kept = Files.writeString(elsewhere.resolve("file"), "x");
    DataFolder folder = DataFolder.temporary("sluice-test-");
    Files.createSymbolicLink(folder.path().resolve("link"), elsewhere);

    folder.remove();

    assertThat(folder.path()).doesNotExist();
    assertThat(kept).hasContent("x");
  }

  @Test
  void aGivenFolderIsMadeAndKept(@TempDir Path parent) throws IOException {
    DataFolder folder = DataFolder.kept(parent.resolve("a/b"));
    Files.writeString(folder.path().resolve("file"), "x");

    folder.remove();

    assertThat(parent.resolve("a/b/file")).hasContent("x");
  }

  @Test
  void aFileInPlaceOfTheFolderIsNamed(@TempDir Path parent) throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "x");

    assertThatThrownBy(() -> DataFolder.kept(file))
        .isInstanceOf(EmbeddedStartException.class)
        .hasMessageContaining(file.toString());
  }
}
