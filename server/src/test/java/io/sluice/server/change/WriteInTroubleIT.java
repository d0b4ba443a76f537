package io.sluice.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.server.Sluice;
import io.sluice.testing.Asks;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of changes over HTTP while the broker is unreachable: clients get the reason, and few may
 * wait.
 */
@Tag("full") // two calls in turn wait 15 s each for the broker, a fixed timeout
class WriteInTroubleIT {
  private static final int WRITERS = 6;

  /** One request that runs, and two that wait. */
  private static final int MOST_AT_ONCE = 3;

  @Test
  void aTopicThatCannotBeReachedIsSaidAndTooManyAreRefusedMeanwhile() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Sluice sluice = Sluice.start(config(kafka))) {
      assertThat(sluice.awaitRunning()).isTrue();
      Asks http = new Asks(sluice.httpAddress().orElseThrow());
      assertThat(change(http).status()).isEqualTo(200);
      stop(kafka);

      List<CompletableFuture<Asks.Answer>> asked = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        asked.add(CompletableFuture.supplyAsync(() -> change(http), WriteInTroubleIT::thread));
      }
      List<Asks.Answer> answers = asked.stream().map(CompletableFuture::join).toList();
      assertThat(answers).extracting(Asks.Answer::status).containsOnly(503);
      assertThat(answers)
          .extracting(Asks.Answer::body)
          .filteredOn(
              body -> body.contains("too many requests for changes or history at once; try again"))
          .hasSizeGreaterThanOrEqualTo(WRITERS - MOST_AT_ONCE);
      assertThat(answers)
          .extracting(Asks.Answer::body)
          .anyMatch(body -> body.contains("no broker answers at "));
    }
  }

  private static void stop(EmbeddedKafka kafka) {
    kafka.close();
  }

  private static void thread(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private static Asks.Answer change(Asks http) {
    try {
      return http.put("/api/limits/reply", "{\"set\":{\"quota\":\"6/60s\"}}");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static SluiceConfig config(EmbeddedKafka kafka) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("application.id", "trouble");
    settings.put("state.dir", Servers.folder().toString());
    settings.put("sluice.limits", "reply");
    settings.put("sluice.limit.reply.quota", "5/60s");
    settings.put("sluice.http.port", "0");
    settings.put("sluice.http.write", "true");
    return SluiceConfig.of(settings);
  }
}
