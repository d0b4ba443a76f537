package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.server.Sluice;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of an instance without an answering broker: every response about its state says so, and
 * since when.
 */
@Tag("slow") // a broker stops and starts again
class BrokerAbsenceIT {
  private static final Duration MOST = Duration.ofMinutes(2);

  @TempDir Path data;

  private EmbeddedKafka broker(int port) {
    return EmbeddedKafka.builder().port(port).data(data).start();
  }

  @Test
  void itIsNotReadyAndKnowsNoLagUntilABrokerAnswers() throws Exception {
    EmbeddedKafka broker = broker(0);
    int port = broker.port();
    Map<String, String> settings =
        Servers.shared()
            .settings(
                "sluice.limits=reply",
                "sluice.limit.reply.quota=5/60s",
                "sluice.http.port=0",
                "bootstrap.servers=" + broker.bootstrapServers());
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      URI base = sluice.httpAddress().orElseThrow();
      assertThat(instances(base)).contains("\"lag\":0").doesNotContain("noBrokerSinceMs");
      broker.close();
      await().atMost(MOST).until(() -> Scrape.get(base, "/health/ready").statusCode() == 503);
      assertThat(Scrape.get(base, "/health/ready").body())
          .matches("no broker has answered since \\d{4}-.*Z: events wait\\n");
      assertThat(Scrape.get(base, "/health/live").statusCode()).isEqualTo(200);
      assertThat(instances(base)).contains("\"noBrokerSinceMs\":").doesNotContain("\"lag\"");
      assertThat(Scrape.get(base, "/metrics").body())
          .contains("sluice_broker_available 0.0", "sluice_ready 0.0");
      broker = broker(port);
      await().atMost(MOST).until(() -> Scrape.get(base, "/health/ready").statusCode() == 200);
      assertThat(instances(base)).contains("\"lag\":0").doesNotContain("noBrokerSinceMs");
      assertThat(Scrape.get(base, "/metrics").body()).contains("sluice_broker_available 1.0");
    } finally {
      broker.close();
    }
  }

  private static String instances(URI base) throws Exception {
    return Scrape.get(base, "/api/instances").body();
  }
}
