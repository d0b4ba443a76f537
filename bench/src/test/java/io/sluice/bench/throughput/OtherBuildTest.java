package io.sluice.bench.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherBuildTest {
  private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

  @TempDir private Path folder;

  private static JsonNode sample(long events, long cpuMicros, long brokerMicros, long millis) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("events", events)
        .put("millis", millis)
        .put("cpuNanos", cpuMicros * events * 1_000)
        .put("senderNanos", 0)
        .put("brokerNanos", brokerMicros * events * 1_000)
        .put("redisNanos", 0);
  }

  @Test
  void comparesEventsOfTheSameRound() {
    OtherBuild other = new OtherBuild(folder, 3, List.of(), folder, NOWHERE);
    other.add(
        Map.of("funnel", sample(100, 2, 1, 500)),
        Map.of("funnel", sample(200, 4, 2, 2_000), "retired", sample(100, 1, 1, 1)));
    other.add(Map.of("funnel", sample(100, 4, 2, 500)), Map.of("funnel", sample(100, 4, 4, 1_000)));
    other.add(Map.of("funnel", sample(100, 3, 3, 500)), Map.of("funnel", sample(100, 4, 4, 1_000)));

    assertThat(other.lines())
        .containsExactly(
            "| CPU us of an event, all processes | other build | this build | this : other | least |  most | stream thread | broker |  time |",
            "|-----------------------------------|------------:|-----------:|-------------:|------:|------:|--------------:|-------:|------:|",
            "| funnel                            |        8.00 |       6.00 |        0.750 | 0.500 | 0.750 |         0.750 |  0.500 | 0.500 |");
  }

  @Test
  void aBuildThatFailsEndsTheComparison() throws IOException {
    Path script = Files.writeString(folder.resolve("sluice"), "#!/bin/sh\nexit 3\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    OtherBuild other = new OtherBuild(folder, 1, List.of("--events", "7"), folder, NOWHERE);

    assertThatThrownBy(other::run)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("./sluice bench --events 7 --rounds 1")
        .hasMessageEndingWith("has failed");
  }
}
