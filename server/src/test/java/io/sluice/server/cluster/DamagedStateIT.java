package io.sluice.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of stores on disk that lack some files, as after a process was killed while it deleted one.
 */
class DamagedStateIT {
  private static final String MANIFEST = "MANIFEST-.*";

  private final Servers servers = Servers.shared();
  @TempDir private Path state;

  @ParameterizedTest
  @CsvSource({"exactly_once_v2, " + MANIFEST, "at_least_once, .*sst"})
  void isReadAnewFromTheChangelog(String guarantee, String gone) throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                "sluice.limits=reply",
                "sluice.limit.reply.quota=2/1h",
                "sluice.state.store=rocksdb",
                "state.dir=" + state,
                "sluice.topics.partitions=1",
                "processing.guarantee=" + guarantee));
    publish(config, 3);
    assertThat(delete(gone)).isPositive();

    publish(config, 3);

    assertThat(read(config, config.topics().allowed().names().get(0), 2)).hasSize(2);
    assertThat(read(config, config.topics().rejected().names().get(0), 4)).hasSize(4);
  }

  private void publish(SluiceConfig config, int count) throws Exception {
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      int before = all(config, 0);
      for (int i = 0; i < count; i++) {
        byte[] event = "{\"userId\":\"ada\",\"action\":\"reply\"}".getBytes(UTF_8);
        servers.publish(
            config.topics().inputs().get(0), List.of("ada".getBytes(UTF_8)), List.of(event));
      }
      all(config, before + count);
    }
  }

  /** Waits for at least so many verdicts and returns their number. */
  private int all(SluiceConfig config, int least) {
    return servers.read(config.outputTopics(), read -> read.size() >= least).size();
  }

  private List<ConsumerRecord<byte[], byte[]>> read(SluiceConfig config, String topic, int least) {
    return servers.read(List.of(topic), read -> read.size() >= least);
  }

  private int delete(String name) throws IOException {
    try (Stream<Path> files = Files.walk(state)) {
      List<Path> found = files.filter(file -> file.getFileName().toString().matches(name)).toList();
      for (Path each : found) Files.delete(each);
      return found.size();
    }
  }
}
