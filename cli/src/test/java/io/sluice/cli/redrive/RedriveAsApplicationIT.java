package io.sluice.cli.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.RedriveCli;
import io.sluice.server.Sluice;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Test of the whole way: an application writes dead letters, and a corrected one reads them. */
@Timeout(180)
@Tag("slow") // starts a broker, and an application twice
class RedriveAsApplicationIT {
  private static final String EVENT = "{\"user\":{\"id\":\"ada\"},\"action\":\"post\"}";

  @TempDir private Path folder;

  @Test
  void afterACorrectionTheDeadLettersAreMetered() throws Exception {
    try (LetterTopics topics = new LetterTopics()) {
      Map<String, String> settings =
          topics.application("whole", "sluice.topics.partitions=2", "state.dir=" + folder);
      topics.write("whole-in", List.of(new LetterTopics.Letter(EVENT, "forged", "forged-0-1")));
      runUntilWritten(topics, settings, "whole-dead");
      assertThat(LetterTopics.redrive(folder, settings).run().out())
          .contains("missing-field        1     0                 1         0      0");

      settings.put("sluice.event.user", "user.id");
      RedriveCli.Result result = LetterTopics.redrive(folder, settings).run();
      assertThat(result.out())
          .contains("missing-field        1     1                 0         0      0");
      runUntilWritten(topics, settings, "whole-allowed");
      assertThat(LetterTopics.values(topics.committed("whole-allowed"))).containsExactly(EVENT);
      assertThat(topics.committed("whole-dead")).hasSize(1);
    }
  }

  private static void runUntilWritten(
      LetterTopics topics, Map<String, String> settings, String topic) throws Exception {
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      await().atMost(Duration.ofMinutes(1)).until(() -> !topics.committed(topic).isEmpty());
    }
  }
}
