package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka client of the demo: publishes events and reads verdicts, as a user's application does. */
final class DemoClient {
  private static final int MOST_POLLS = 300;

  private final String bootstrapServers;

  DemoClient(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Waits until all partitions of all topics have a leader that answers, including internal topics.
   * Otherwise records that are sent at full speed to a topic just created can be reordered.
   */
  void awaitTopics() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      Set<String> topics =
          admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      admin
          .describeTopics(topics)
          .allTopicNames()
          .get()
          .forEach(
              (topic, description) ->
                  description
                      .partitions()
                      .forEach(
                          info ->
                              ends.put(
                                  new TopicPartition(topic, info.partition()),
                                  OffsetSpec.latest())));
      admin.listOffsets(ends).all().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException("interrupted while waiting for topics", e);
    } catch (ExecutionException e) {
      throw new CommandFailedException("topics cannot be used: " + e.getCause().getMessage(), e);
    }
  }

  /** Sends the messages in order, and returns when the broker has acknowledged all of them. */
  void publish(String topic, List<DemoTraffic.Message> messages) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "enable.idempotence", true, "linger.ms", 5);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (DemoTraffic.Message message : messages) {
        sent.add(producer.send(new ProducerRecord<>(topic, message.key(), message.json())));
      }
      for (Future<RecordMetadata> each : sent) each.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException("interrupted while publishing", e);
    } catch (ExecutionException e) {
      throw new CommandFailedException("publishing failed: " + e.getCause().getMessage(), e);
    }
  }

  /**
   * Reads committed verdicts from the topics until {@code expected} verdicts are read, or {@link
   * #MOST_POLLS} polls are made.
   */
  List<DemoVerdict> verdicts(List<String> topics, int expected) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : topics) {
        consumer
            .partitionsFor(topic)
            .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      List<DemoVerdict> verdicts = new ArrayList<>();
      for (int i = 0; i < MOST_POLLS && verdicts.size() < expected; i++) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(record -> verdicts.add(DemoVerdict.of(record)));
      }
      return verdicts;
    }
  }

  static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
