package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlgorithmPictureTest {
  @Test
  void theManualsPictureIsWhatTheAlgorithmsDo(@TempDir Path folder) throws IOException {
    Path committed = Path.of("..", "docs").resolve(AlgorithmPicture.FILE);
    assertThat(Files.readString(committed))
        .as("docs/algorithms.svg; docs/algorithms.md says how it is drawn")
        .isEqualTo(AlgorithmPicture.svg(folder));
  }
}
