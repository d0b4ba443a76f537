package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.testing.TestRegistry;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of a configuration with references to its values, with a real broker, Redis and registry.
 */
class ReferencesIT {
  private static final String CLICK =
      """
      {"type": "record", "name": "Click", "fields": [
        {"name": "userId", "type": "string"}, {"name": "action", "type": "string"}]}\
      """;
  private static final byte[] VALUE = "\0\0\0\0\u0007\u0006ada\u0008post".getBytes(UTF_8);

  @TempDir private Path folder;

  @Test
  void runsByWhatReferencesStandFor() throws Exception {
    try (TestRegistry registry = TestRegistry.withLogin("ann", "s3cret")) {
      registry.put(7, CLICK);
      Map<String, String> settings =
          Servers.shared()
              .settings(
                  "config.providers=env,file",
                  "config.providers.env.class="
                      + "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
                  "config.providers.file.class="
                      + "org.apache.kafka.common.config.provider.FileConfigProvider",
                  "num.stream.threads=${env:THREADS_OF_A_TEST}",
                  "sluice.schemas.user=ann",
                  "sluice.limits=post",
                  "sluice.limit.post.quota=2/1h",
                  "sluice.limit.post.backend=redis");
      settings.put("sluice.schemas.url", registry.url());
      settings.put("sluice.schemas.password", "s3cret");
      for (String key :
          List.of(
              "bootstrap.servers",
              "application.id",
              "sluice.topics.input",
              "sluice.redis.uri",
              "sluice.limit.post.quota",
              "sluice.schemas.password")) {
        settings.put(key, elsewhere(key, settings.get(key)));
      }
      SluiceConfig config = SluiceConfig.of(settings);
      try (Sluice sluice = Sluice.start(config)) {
        assertThat(sluice.awaitRunning()).isTrue();
        List<byte[]> values = Collections.nCopies(5, VALUE);
        List<byte[]> keys = new ArrayList<>(Collections.nCopies(5, "ada".getBytes(UTF_8)));
        Servers.shared().publish(config.inputTopics().get(0), keys, values);
        List<ConsumerRecord<byte[], byte[]>> out =
            Servers.shared().read(config.outputTopics(), read -> read.size() >= 5);

        assertThat(out.stream().map(each -> Servers.header(each, "sluice-verdict")))
            .containsExactlyInAnyOrder("allowed", "allowed", "rejected", "rejected", "rejected");
        assertThat(config.streamThreads()).isEqualTo(2);
        assertThat(threads(sluice)).isEqualTo(2);
      }
    }
  }

  private static long threads(Sluice sluice) {
    return sluice.metrics().keySet().stream()
        .filter(name -> name.group().equals("stream-thread-metrics"))
        .map(name -> name.tags().get("thread-id"))
        .distinct()
        .count();
  }

  private String elsewhere(String key, String value) throws Exception {
    Path file = folder.resolve(key);
    Files.writeString(file, "value=" + value + "\n");
    return "${file:" + file + ":value}";
  }
}
