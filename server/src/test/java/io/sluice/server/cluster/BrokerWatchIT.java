package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.server.Sluice;
import io.sluice.testing.LogLines;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of an instance whose broker stops and starts again. */
@Tag("full") // the broker is stopped for longer than its clients' timeouts
class BrokerWatchIT {
  private static final Duration MOST = Duration.ofMinutes(2);

  @TempDir Path data;

  private EmbeddedKafka broker(int port) {
    return EmbeddedKafka.builder().port(port).data(data).start();
  }

  @Test
  void itIsSaidThatItIsGoneAndThatItIsBack() throws Exception {
    EmbeddedKafka broker = broker(0);
    int port = broker.port();
    Map<String, String> settings =
        Servers.shared()
            .settings(
                "sluice.limits=reply",
                "sluice.limit.reply.match.action=reply",
                "sluice.limit.reply.quota=5/60s",
                "bootstrap.servers=" + broker.bootstrapServers());
    try (LogLines log = LogLines.of("io.sluice.runtime.cluster.BrokerWatch");
        Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      broker.close();
      await().atMost(MOST).until(() -> log.lines().size() == 1);
      assertThat(log.lines().get(0)).startsWith("WARN no broker has answered");
      broker = broker(port);
      await().atMost(MOST).until(() -> log.lines().size() == 2);
      assertThat(log.lines().get(1)).startsWith("INFO a broker answers again");
      assertThat(sluice.hasFailed()).isFalse();
    } finally {
      broker.close();
    }
  }
}
