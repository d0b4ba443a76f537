package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.SimulateCli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the values and times of events as producers write them. A case is a folder with a
 * configuration, events, and for each event its verdict, or that its line is no event.
 */
class EventCasesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private static List<String> lines(String name, String file) throws IOException {
    String path = "cases/" + name + "/" + file;
    try (InputStream in = EventCasesTest.class.getResourceAsStream(path)) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"duplicate-field", "numbers", "seconds", "surrogates", "times"})
  void verdictsAreThoseOfTheCase(String name) throws IOException {
    String[] settings = lines(name, "config.properties").toArray(String[]::new);
    String events = String.join("\n", lines(name, "events.jsonl"));
    SimulateCli.Result result = new SimulateCli(folder, settings).run(events);

    Iterator<String> verdicts = result.out().iterator();
    for (String each : lines(name, "expected.jsonl")) {
      JsonNode expected = JSON.readTree(each);
      if (expected.path("deadLetter").asBoolean()) {
        String line = "line " + expected.get("line") + ": ";
        assertThat(result.err()).anyMatch(said -> said.startsWith(line));
        continue;
      }
      JsonNode verdict = JSON.readTree(verdicts.next());
      for (Map.Entry<String, JsonNode> field : expected.properties()) {
        assertThat(verdict.get(field.getKey())).as(each).isEqualTo(field.getValue());
      }
    }
    assertThat(verdicts).isExhausted();
  }
}
