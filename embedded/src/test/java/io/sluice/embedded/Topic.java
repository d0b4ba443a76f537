package io.sluice.embedded;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Client of a topic of strings with one partition. */
record Topic(EmbeddedKafka kafka, String name) {

  static Topic create(EmbeddedKafka kafka, String name) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty()))).all().get();
      Map<TopicPartition, OffsetSpec> partition =
          Map.of(new TopicPartition(name, 0), OffsetSpec.latest());
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> admin.listOffsets(partition).all().get().size() == 1);
    }
    return new Topic(kafka, name);
  }

  void send(String... values) throws Exception {
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      for (String value : values) producer.send(new ProducerRecord<>(name, value)).get();
    }
  }

  void sendInTransaction(String value, boolean commit) throws Exception {
    try (KafkaProducer<String, String> producer = producer(Map.of("transactional.id", "t"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(name, value)).get();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
  }

  /** Reads as a member of a new group, until there are as many values. */
  List<String> read(int count) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            "readers-" + System.nanoTime(),
            "auto.offset.reset",
            "earliest",
            "isolation.level",
            "read_committed");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(name));
      while (values.size() < count) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          values.add(record.value());
        }
      }
    }
    return values;
  }

  private KafkaProducer<String, String> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }
}
