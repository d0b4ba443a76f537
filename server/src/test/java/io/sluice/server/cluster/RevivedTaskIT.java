package io.sluice.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.Test;

/**
 * Test of tasks that Kafka Streams revives after a slow commit, with a real broker and Kafka
 * Streams.
 */
class RevivedTaskIT {
  private static final int EVENTS = 12;

  /** Number of following commits that time out. */
  private static final AtomicInteger TOO_LONG = new AtomicInteger();

  private final Servers servers = Servers.shared();

  /** Client supplier of producers whose commits may time out. */
  public static final class SlowClients extends DefaultKafkaClientSupplier {
    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
      return new SlowProducer(config);
    }
  }

  private static final class SlowProducer extends KafkaProducer<byte[], byte[]> {
    SlowProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
      if (TOO_LONG.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new TimeoutException("a commit took too long");
      }
      super.commitTransaction();
    }
  }

  @Test
  void eventsThatWaitAreReleasedOnceByTasksThatWereRevived() throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                "sluice.limits=sms",
                "sluice.limit.sms.match.action=sms",
                "sluice.limit.sms.quota=1/300ms",
                "sluice.limit.sms.exceeded=delay",
                "sluice.topics.partitions=1",
                "default.client.supplier=" + SlowClients.class.getName()));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      List<byte[]> values = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        String event = "{\"eventId\":\"" + i + "\",\"userId\":\"ada\",\"action\":\"sms\"}";
        values.add(event.getBytes(UTF_8));
      }
      servers.publish(
          config.topics().inputs().get(0),
          Collections.nCopies(EVENTS, "ada".getBytes(UTF_8)),
          values);
      allowed(config, 3);
      TOO_LONG.set(1);
      allowed(config, 5);
      TOO_LONG.set(1);

      List<ConsumerRecord<byte[], byte[]>> all = allowed(config, EVENTS);

      Set<String> different = new HashSet<>();
      for (ConsumerRecord<byte[], byte[]> each : all)
        different.add(new String(each.value(), UTF_8));
      assertThat(different).hasSize(EVENTS);
      assertThat(all).hasSize(EVENTS);
      assertThat(TOO_LONG).hasValue(0);
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> allowed(SluiceConfig config, int most) {
    return servers.read(
        List.of(config.topics().allowed().names().get(0)), read -> read.size() >= most);
  }
}
