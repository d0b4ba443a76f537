package io.sluice.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of events that come and leave compressed, with each of Kafka's compression types, as the
 * compression libraries are newer than those that Kafka was built with.
 */
@Timeout(120)
class CompressionIT {
  private static final int EVENTS = 2_000;

  private final Servers servers = Servers.shared();

  static Stream<String> types() {
    return Servers.variants("none", "gzip", "snappy", "lz4", "zstd");
  }

  @ParameterizedTest
  @MethodSource("types")
  void eventsArePassedOn(String type) throws Exception {
    SluiceConfig config =
        SluiceConfig.of(servers.settings("sluice.limits=", "producer.compression.type=" + type));
    List<String> sent = IntStream.range(0, EVENTS).mapToObj(CompressionIT::event).toList();
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config.topics().inputs().get(0), type, sent);
      List<ConsumerRecord<byte[], byte[]>> read =
          servers.read(config.topics().allowed().names(), some -> some.size() >= EVENTS);
      Stream<String> values = read.stream().map(each -> new String(each.value(), UTF_8));
      assertThat(values).containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  private static String event(int number) {
    return "{\"eventId\":\"e%d\",\"userId\":\"u%d\",\"action\":\"reply\"}"
        .formatted(number, number % 7);
  }

  private void publish(String topic, String type, List<String> values) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", servers.kafka.bootstrapServers(), "compression.type", type);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent =
          values.stream()
              .map(value -> producer.send(new ProducerRecord<>(topic, value.getBytes(UTF_8))))
              .toList();
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }
}
