package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.SimulateCli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of events that wait in line. A case is a folder with a configuration, events, and for each
 * verdict the fields that it must have; {@code releasedAfterMs} is the range of the release,
 * counted from the first event.
 */
class QueueCasesIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RELEASED = "releasedAfterMs";

  @TempDir private Path folder;

  private static List<String> lines(String name, String file) throws IOException {
    String path = "cases/" + name + "/" + file;
    try (InputStream in = QueueCasesIT.class.getResourceAsStream(path)) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = "head-of-line")
  void eventsLeaveWhenTheCaseSays(String name) throws IOException {
    String[] settings = lines(name, "config.properties").toArray(String[]::new);
    List<String> events = lines(name, "events.jsonl");
    SimulateCli.Result result =
        new SimulateCli(folder, settings).quietly(events.toArray(String[]::new));

    long beginsMs = JSON.readTree(events.get(0)).get("occurredAt").asLong();
    List<String> expected = lines(name, "expected.jsonl");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      JsonNode verdict = JSON.readTree(result.out().get(i));
      for (Map.Entry<String, JsonNode> field : JSON.readTree(expected.get(i)).properties()) {
        JsonNode value = field.getValue();
        if (field.getKey().equals(RELEASED)) {
          assertThat(verdict.get("releasedAtMs").asLong() - beginsMs)
              .as(expected.get(i))
              .isBetween(value.get(0).asLong(), value.get(1).asLong());
        } else {
          assertThat(verdict.get(field.getKey())).as(expected.get(i)).isEqualTo(value);
        }
      }
    }
  }
}
