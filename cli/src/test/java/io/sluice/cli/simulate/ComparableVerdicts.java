package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Last verdicts by event id, in one format for a simulation and for a running application. */
final class ComparableVerdicts {
  /** Header that carries the event id, by which a test recognizes its records. */
  static final String ID = "id-of-a-test";

  private static final List<String> FIELDS =
      List.of(
          "verdict",
          "limit",
          "remaining",
          "retryAfterMs",
          "resetAfterMs",
          "releaseAtMs",
          "reason",
          "attempt");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_POLLS = 300;

  private ComparableVerdicts() {}

  static Map<String, String> ofLines(List<String> lines) throws JsonProcessingException {
    Map<String, String> verdicts = new TreeMap<>();
    for (String line : lines) {
      JsonNode verdict = JSON.readTree(line);
      verdicts.put(verdict.get("eventId").asText(), text(field -> verdict.path(field).asText()));
    }
    return verdicts;
  }

  /**
   * Reads verdicts from the topics until there are as many as expected, or the polls are used up.
   */
  static Map<String, String> ofTopics(String bootstrapServers, List<String> topics, int count) {
    Map<String, String> verdicts = new TreeMap<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          topics.stream()
              .flatMap(topic -> consumer.partitionsFor(topic).stream())
              .map(each -> new TopicPartition(each.topic(), each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      for (int i = 0; i < MOST_POLLS && verdicts.size() < count; i++) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          verdicts.put(header(record, ID), text(field -> header(record, headerOf(field))));
        }
      }
    }
    return verdicts;
  }

  private static String text(UnaryOperator<String> values) {
    return FIELDS.stream().map(values).collect(Collectors.joining(" "));
  }

  /** Converts a field to its header name, such as {@code sluice-retry-after-ms}. */
  private static String headerOf(String field) {
    return "sluice-" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }
}
