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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of events without a limit's key, and of records that are not events, in a simulation. A
 * case is a folder with a configuration, events, and for each verdict the fields that it must have.
 */
class MissingKeyCasesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] POSTS = {"sluice.limits=post", "sluice.limit.post.quota=2/60s"};

  @TempDir private Path folder;

  private static List<String> lines(String name, String file) throws IOException {
    String path = "cases/" + name + "/" + file;
    try (InputStream in = MissingKeyCasesTest.class.getResourceAsStream(path)) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"missing-key,5 of 8", "missing-key-share,4 of 4", "missing-key-reject,1 of 2"})
  void verdictsAreThoseOfTheCase(String name, String missing) throws IOException {
    String[] settings = lines(name, "config.properties").toArray(String[]::new);
    String events = String.join("\n", lines(name, "events.jsonl"));
    SimulateCli.Result result = new SimulateCli(folder, settings).run(events);

    List<String> expected = lines(name, "expected.jsonl");
    assertThat(result.out()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      JsonNode verdict = JSON.readTree(result.out().get(i));
      for (Map.Entry<String, JsonNode> field : JSON.readTree(expected.get(i)).properties()) {
        assertThat(verdict.get(field.getKey())).isEqualTo(field.getValue());
      }
    }
    assertThat(result.err()).contains("key missing: " + missing + " events (limit l)");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void aFieldThatIsAlwaysThereHasNoRow() throws IOException {
    String[] settings = lines("missing-key", "config.properties").toArray(String[]::new);
    SimulateCli.Result result =
        new SimulateCli(folder, settings).run(lines("missing-key", "events.jsonl").get(0));

    assertThat(result.err()).noneMatch(line -> line.startsWith("key missing"));
  }

  private static String record(int offset, String payload) {
    return "{\"topic\":\"t\",\"partition\":0,\"offset\":%d,\"ts\":1700000000000,\"key\":\"ann\",\"payload\":%s}"
        .formatted(offset, payload);
  }

  private SimulateCli.Result records(String... settings) {
    String[] all = {POSTS[0], POSTS[1], settings[0], settings[1]};
    String event = "\"{\\\"userId\\\":\\\"ann\\\",\\\"action\\\":\\\"post\\\"}\"";
    String delete = "\"{\\\"after\\\":null}\"";
    String input = String.join("\n", record(1, event), record(2, "null"), record(3, delete));
    return new SimulateCli(folder, all).run(input);
  }

  @Test
  void recordsThatArePassedOnHaveALine() {
    SimulateCli.Result result = records("sluice.tombstones=allow", "sluice.event.missing=allow");

    assertThat(result.out())
        .hasSize(3)
        .endsWith(
            "{\"eventId\":\"t-0-2\",\"verdict\":\"allowed\",\"reason\":\"tombstone\"}",
            "{\"eventId\":\"t-0-3\",\"verdict\":\"allowed\",\"reason\":\"missing-field\"}");
    assertThat(result.err())
        .anyMatch(line -> line.matches("1 event in .*; 2 lines passed on unmetered"));
  }

  @Test
  void recordsThatAreDroppedAreCounted() {
    SimulateCli.Result result = records("sluice.tombstones=drop", "sluice.event.missing=drop");

    assertThat(result.out()).hasSize(1);
    assertThat(result.err()).anyMatch(line -> line.matches("1 event in .*; 2 lines dropped"));
  }

  @Test
  void byDefaultTheyAreReported() {
    SimulateCli.Result result =
        records("sluice.tombstones=dead-letter", "sluice.event.missing=dead-letter");

    assertThat(result.out()).hasSize(1);
    assertThat(result.err())
        .contains("line 2: the value is empty", "line 3: userId is missing")
        .anyMatch(line -> line.matches("1 event in .*; 2 bad lines"));
  }
}
