package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.common.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyFileTest {
  @TempDir private Path folder;

  @Test
  void whatAKilledInstanceLeftIsGoneBeforeTheNextIsReady() throws IOException {
    Path path = Files.writeString(folder.resolve("ready"), "");

    try (ReadyFile file = ReadyFile.absent(path)) {
      assertThat(path).doesNotExist();
      file.create();
      assertThat(path).exists();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void aFolderThatIsNotThereIsSaidAtStart() {
    Path path = folder.resolve("none").resolve("ready");

    assertThatThrownBy(() -> ReadyFile.absent(path))
        .isInstanceOf(CommandFailedException.class)
        .hasMessage("--ready-file " + path + ": its folder cannot be written to");
  }
}
