package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * Tests of records without a timestamp, which brokers accept from clients other than Kafka's own.
 */
class OddTimesIT {
  private static final long OCCURRED_AT_MS = 1_790_000_000_000L;

  private final Servers servers = Servers.shared();

  @Test
  void recordsWithoutATimestampAreMeteredWhateverWayTheyTake() throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                "sluice.limits=reply,sms",
                "sluice.limit.reply.match.action=reply",
                "sluice.limit.reply.quota=2/60s",
                "sluice.limit.sms.match.action=sms",
                "sluice.limit.sms.quota=1/100ms",
                "sluice.limit.sms.exceeded=delay"));
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      values.add(event("reply", i, ",\"occurredAt\":" + OCCURRED_AT_MS));
      values.add(event("sms", i, ",\"occurredAt\":" + OCCURRED_AT_MS));
    }
    values.add(event("reply", 9, ""));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publishWithoutTimestamps(config.topics().inputs().get(0), values);
      List<ConsumerRecord<byte[], byte[]>> in =
          servers.read(config.inputTopics(), read -> read.size() == values.size());
      assertThat(in)
          .hasSize(values.size())
          .allSatisfy(each -> assertThat(each.timestamp()).isEqualTo(-1))
          .allSatisfy(
              each -> assertThat(each.timestampType()).isEqualTo(TimestampType.CREATE_TIME));

      List<ConsumerRecord<byte[], byte[]>> out =
          servers.read(config.outputTopics(), read -> read.size() >= values.size());

      assertThat(out).hasSize(values.size());
      assertThat(on(out, config.topics().allowed().names().get(0)))
          .hasSize(6)
          .allSatisfy(each -> assertThat(each.timestamp()).isEqualTo(OCCURRED_AT_MS));
      assertThat(on(out, config.topics().rejected().names().get(0)))
          .hasSize(2)
          .allSatisfy(each -> assertThat(each.timestamp()).isEqualTo(OCCURRED_AT_MS));
      assertThat(on(out, config.topics().deadLetter().names().get(0)))
          .singleElement()
          .satisfies(
              each ->
                  assertThat(Servers.header(each, "sluice-error"))
                      .startsWith("occurredAt is missing"));
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  @Test
  void whatIsFurtherAheadThanBrokersTakeStopsNobody() throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                "sluice.limits=reply",
                "sluice.limit.reply.quota=5/60s",
                "sluice.time.max.ahead=1d"));
    long nowMs = System.currentTimeMillis();
    long farMs = nowMs + 90 * 60_000;
    createPatient(config.topics().inputs().get(0));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      Map<String, Object> settings = Map.of("bootstrap.servers", servers.kafka.bootstrapServers());
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        for (int i = 0; i < 6; i++) {
          byte[] ahead = event("reply", i, ",\"occurredAt\":" + (i < 3 ? farMs : nowMs));
          producer
              .send(new ProducerRecord<>(config.inputTopics().get(0), i, farMs, null, ahead))
              .get();
        }
      }
      List<ConsumerRecord<byte[], byte[]>> out =
          servers.read(config.outputTopics(), read -> read.size() >= 6);
      assertThat(out)
          .hasSize(6)
          .allSatisfy(each -> assertThat(each.timestamp()).isLessThan(nowMs + 30 * 60_000));
      assertThat(on(out, config.topics().deadLetter().names().get(0))).isEmpty();
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  private void createPatient(String topic) throws Exception {
    NewTopic created =
        new NewTopic(topic, Optional.of(6), Optional.empty())
            .configs(Map.of("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
    Map<String, Object> settings = Map.of("bootstrap.servers", servers.kafka.bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      admin.createTopics(List.of(created)).all().get();
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> on(
      List<ConsumerRecord<byte[], byte[]>> out, String topic) {
    return out.stream().filter(each -> each.topic().equals(topic)).toList();
  }

  private static byte[] event(String action, int id, String more) {
    return ("{\"eventId\":\""
            + action
            + id
            + "\",\"userId\":\"ada\",\"action\":\""
            + action
            + "\""
            + more
            + "}")
        .getBytes(UTF_8);
  }

  /** Half of the records have no key, so that they take the hop to their home partition. */
  private void publishWithoutTimestamps(String topic, List<byte[]> values) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", servers.kafka.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        byte[] key = i % 4 < 2 ? "ada".getBytes(UTF_8) : null;
        sent.add(producer.send(untimed(new ProducerRecord<>(topic, i % 6, key, values.get(i)))));
      }
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }

  /** Sets the timestamp to -1 by reflection; Java's client checks it only in the constructor. */
  private static ProducerRecord<byte[], byte[]> untimed(ProducerRecord<byte[], byte[]> record)
      throws ReflectiveOperationException {
    Field timestamp = ProducerRecord.class.getDeclaredField("timestamp");
    timestamp.setAccessible(true);
    timestamp.set(record, -1L);
    return record;
  }
}
