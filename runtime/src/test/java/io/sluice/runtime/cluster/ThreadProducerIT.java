package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Servers;
import io.sluice.topology.intake.RecordSizes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of a suspended process that resumes after its partitions were reassigned, without having
 * read records, and of lost and directly sent records.
 */
class ThreadProducerIT {
  private final Servers servers = Servers.shared();
  private final String application = servers.settings().get("application.id");
  private final String input = application + "-in";
  private final String output = application + "-out";

  @BeforeEach
  void createTopics() throws Exception {
    try (Admin admin = Admin.create(clients(Map.of()))) {
      admin
          .createTopics(
              List.of(new NewTopic(input, 1, (short) 1), new NewTopic(output, 1, (short) 1)))
          .all()
          .get();
    }
  }

  private Map<String, Object> clients(Map<String, Object> further) {
    Map<String, Object> all = new HashMap<>(further);
    all.put("bootstrap.servers", servers.kafka.bootstrapServers());
    return all;
  }

  private ConsumerGroupMetadata member() {
    Map<String, Object> settings = clients(Map.of("group.id", application));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(input));
      await()
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100));
                return !consumer.assignment().isEmpty();
              });
      return consumer.groupMetadata(); // the member leaves the group when it is closed
    }
  }

  private ThreadProducer producer(Map<String, Object> settings) {
    return new ThreadProducer(
        settings, new TopicPartition(output, 0), new RefusedRecords(RecordSizes.any()));
  }

  private void release(KafkaProducer<byte[], byte[]> producer, ConsumerGroupMetadata member) {
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(output, new byte[] {1}));
    producer.sendOffsetsToTransaction(Map.of(), member);
    producer.commitTransaction();
  }

  @Test
  void nothingThatItLetsGoIsCommitted() throws Exception {
    ConsumerGroupMetadata gone = member();
    Map<String, Object> settings = clients(Map.of("transactional.id", application));
    try (KafkaProducer<byte[], byte[]> producer = producer(settings)) {
      assertThatThrownBy(() -> release(producer, gone)).isInstanceOf(CommitFailedException.class);
      producer.abortTransaction();
    }
    servers.publish(output, List.of(new byte[] {2}), List.of(new byte[] {2}));
    assertThat(servers.read(List.of(output), read -> !read.isEmpty()))
        .extracting(record -> record.value()[0])
        .containsExactly((byte) 2);
  }

  /**
   * Shows that the fence is needed. If this fails, brokers have begun to refuse such transactions.
   */
  @Test
  void anyOtherProducerIsNotRefused() {
    ConsumerGroupMetadata gone = member();
    Map<String, Object> settings = clients(Map.of("transactional.id", application));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      release(producer, gone);
    }
    assertThat(servers.read(List.of(output), read -> read.size() == 1)).hasSize(1);
  }

  /** The partition does not exist, which is a retriable failure. */
  @Test
  void everyFlushFailsAfterARecordWasLost() {
    try (ThreadProducer producer = producer(clients(Map.of("max.block.ms", 1_000)))) {
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

  @Test
  void everyFlushFailsAfterADirectlySentRecordWasRefused() {
    try (ThreadProducer producer = producer(clients(Map.of("max.request.size", 100)))) {
      assertThat(producer.trySend(new ProducerRecord<>(output, new byte[1_000]))).isTrue();
      for (int task = 0; task < 3; task++) {
        assertThatThrownBy(producer::flush).hasCauseInstanceOf(RecordTooLargeException.class);
      }
    }
  }

  @Test
  void recordsAreSentDirectlyOnlyInATransactionThatKafkaStreamsHasBegun() {
    Map<String, Object> settings = clients(Map.of("transactional.id", application));
    try (ThreadProducer producer = producer(settings)) {
      producer.initTransactions();
      assertThat(producer.trySend(record(0))).isFalse();
      producer.beginTransaction();
      assertThat(producer.trySend(record(0))).isTrue();
      producer.commitTransaction();
      assertThat(producer.trySend(record(0))).isFalse();
      producer.beginTransaction();
      assertThat(producer.trySend(record(0))).isTrue();
      producer.abortTransaction();
      assertThat(producer.trySend(record(0))).isFalse();
    }
    assertThat(servers.read(List.of(output), read -> read.size() == 1)).hasSize(1);
  }

  @Test
  void aTransactionWithARefusedRecordIsNotCommitted() {
    Map<String, Object> settings =
        clients(Map.of("transactional.id", application, "max.request.size", 100));
    try (ThreadProducer producer = producer(settings)) {
      producer.initTransactions();
      producer.beginTransaction();
      assertThat(producer.trySend(new ProducerRecord<>(output, new byte[1_000]))).isTrue();
      assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
      producer.abortTransaction();
    }
  }

  private ProducerRecord<byte[], byte[]> record(int partition) {
    return new ProducerRecord<>(output, partition, null, new byte[] {1});
  }
}
