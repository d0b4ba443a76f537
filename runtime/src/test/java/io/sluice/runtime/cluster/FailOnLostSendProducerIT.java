package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Servers;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.junit.jupiter.api.Test;

/**
 * Tests of a producer that sends to a partition that no broker has, which is a retriable failure.
 */
class FailOnLostSendProducerIT {
  private final Servers servers = Servers.shared();
  private final String topic = servers.settings().get("application.id");
  private final Map<String, Object> client =
      Map.of("bootstrap.servers", servers.kafka.bootstrapServers(), "max.block.ms", 1_000);

  @Test
  void everyFlushSaysThatSomethingHasNotArrived() throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
    try (FailOnLostSendProducer producer = new FailOnLostSendProducer(client)) {
      producer.send(record(0), null);
      assertThatCode(producer::flush).doesNotThrowAnyException();

      producer.send(record(1), null);
      for (int task = 0; task < 3; task++) {
        assertThatThrownBy(producer::flush)
            .isInstanceOf(KafkaException.class)
            .hasCauseInstanceOf(RetriableException.class);
      }
    }
  }

  private ProducerRecord<byte[], byte[]> record(int partition) {
    return new ProducerRecord<>(topic, partition, null, new byte[] {1});
  }
}
