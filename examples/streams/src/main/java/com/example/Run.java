package com.example;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.streams.Throttle;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;

/** Runs the shop with an embedded broker, and prints the results of six wishes. */
public class Run {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 1) {
      System.err.println("usage: com.example.Run FILE, such as src/main/resources/shop.properties");
      System.exit(2);
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      Map<String, Object> client =
          Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
      createTopics(client);
      Map<String, String> environment =
          Map.of(
              "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
              kafka.bootstrapServers(),
              "SLUICE_KAFKA_STATE_DIR",
              Files.createTempDirectory("shop").toString());
      SluiceConfig config = SluiceConfig.load(Path.of(arguments[0]), environment);
      try (Throttle throttle = Throttle.of(config);
          KafkaStreams streams = throttle.streams(Shop.topology(throttle))) {
        streams.setUncaughtExceptionHandler(failure -> REPLACE_THREAD);
        publish(client);
        streams.start();
        print(client, "wishes-checked", 4);
        print(client, "wishes-refused", 1);
        print(client, "wishes-odd", 1);
      }
    }
  }

  static void createTopics(Map<String, Object> client) throws Exception {
    try (Admin admin = Admin.create(client)) {
      List<NewTopic> topics =
          List.of("customers", "wishes", "wishes-checked", "wishes-refused", "wishes-odd").stream()
              .map(name -> new NewTopic(name, Optional.of(1), Optional.empty()))
              .toList();
      admin.createTopics(topics).all().get();
    }
  }

  static void publish(Map<String, Object> client) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("customers", "session-1", "ada")).get();
      List<String> wishes =
          List.of("order tea", "order milk", "order cake", "gift ribbon", "gift bow", "gift");
      for (String wish : wishes) {
        producer.send(new ProducerRecord<>("wishes", "session-1", wish)).get();
      }
    }
  }

  static void print(Map<String, Object> client, String topic, int most) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      for (int printed = 0; printed < most; ) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
          System.out.println(topic + ": " + record.value());
          printed++;
        }
      }
    }
  }
}
