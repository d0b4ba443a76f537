package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitingPictureTest {
  @Test
  void theManualsPictureShowsEachWayToTreatMessagesOverALimit(@TempDir Path folder)
      throws IOException {
    Path committed = Path.of("..", "docs").resolve(WaitingPicture.FILE);
    assertThat(Files.readString(committed))
        .as("docs/waiting.svg; docs/waiting.md says how it is drawn")
        .isEqualTo(WaitingPicture.svg(folder));
  }
}
