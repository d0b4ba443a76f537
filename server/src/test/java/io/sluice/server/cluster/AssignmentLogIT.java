package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.ChildSluice;
import io.sluice.server.Sluice;
import io.sluice.testing.LogLines;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the log of an instance while another one joins and is killed. */
@Tag("full") // an instance is killed, and its session must end
class AssignmentLogIT {
  private final Servers servers = Servers.shared();

  static Stream<String> groupProtocols() {
    return Servers.variants("classic", "streams");
  }

  @ParameterizedTest
  @MethodSource("groupProtocols")
  void thePartitionsOfAKilledInstanceAreNamedByTheOneThatTakesThemOver(String protocol)
      throws Exception {
    Map<String, String> settings =
        servers.settings(
            "sluice.limits=reply",
            "sluice.limit.reply.quota=5/60s",
            "sluice.topics.partitions=4",
            "group.protocol=" + protocol);
    if (protocol.equals("classic")) { // the other protocol has it in the broker's settings
      settings.put("consumer.session.timeout.ms", "4000");
      settings.put("consumer.heartbeat.interval.ms", "1000");
    }
    String input = settings.get("sluice.topics.input");
    try (LogLines lines = LogLines.of("io.sluice.runtime.cluster.AssignmentLog");
        Sluice first = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(first.awaitRunning()).isTrue();
      assertThat(lines.lines()).as("the first assignment").isEmpty();

      Map<String, String> others = new HashMap<>(settings);
      others.put("state.dir", Servers.folder().toString());
      Set<String> given;
      try (ChildSluice other = ChildSluice.start(others)) {
        given = eventually(lines, "this instance no longer processes", input);
        other.kill();
      }
      Set<String> taken = eventually(lines, "this instance now also processes", input);
      assertThat(taken).isEqualTo(given);
    }
  }

  /** Waits for the only log line of a kind, and returns the input's partitions in it. */
  private static Set<String> eventually(LogLines lines, String how, String input) {
    String begin = "INFO " + how + " partitions: ";
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> lines.lines().stream().anyMatch(line -> line.startsWith(begin)));
    List<String> found = lines.lines().stream().filter(line -> line.startsWith(begin)).toList();
    assertThat(found).hasSize(1);
    Pattern numbers = Pattern.compile(Pattern.quote(input) + " ([0-9, ]+)");
    List<String> all =
        numbers.matcher(found.get(0)).results().map((MatchResult each) -> each.group(1)).toList();
    assertThat(all).as(found.get(0)).hasSize(1);
    return new TreeSet<>(List.of(all.get(0).split(", ")));
  }
}
