package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Committed records in an application's output topics, with checks of them. */
public final class Outputs implements AutoCloseable {
  private static final Pattern EVENT =
      Pattern.compile(
          "\\{\"eventId\":\"(.*)\",\"userId\":\"(.*)\",\"action\":\"(.*)\",\"occurredAt\":(\\d+)}");

  /** Event with its verdict. */
  public record Out(
      String id, String user, String action, long atMs, String verdict, String reason) {
    public boolean isAllowed() {
      return verdict.equals("allowed");
    }
  }

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<Out> all = new ArrayList<>();

  public Outputs(String bootstrapServers, List<String> topics) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : topics) {
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** All records so far. */
  public List<Out> all() {
    for (var batch = poll(); !batch.isEmpty(); batch = poll()) {
      for (ConsumerRecord<byte[], byte[]> record : batch) all.add(out(record));
    }
    return all;
  }

  private List<ConsumerRecord<byte[], byte[]>> poll() {
    List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
    consumer.poll(Duration.ofMillis(50)).forEach(batch::add);
    return batch;
  }

  /** Reads to the current end of all topics, after publishing has stopped. */
  public List<Out> allToTheEnd() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue()))
      for (ConsumerRecord<byte[], byte[]> record : poll()) all.add(out(record));
    return all;
  }

  private static Out out(ConsumerRecord<byte[], byte[]> record) {
    Matcher event = EVENT.matcher(new String(record.value(), UTF_8));
    assertThat(event.matches()).isTrue();
    return new Out(
        event.group(1),
        event.group(2),
        event.group(3),
        Long.parseLong(event.group(4)),
        Servers.header(record, "sluice-verdict"),
        Servers.header(record, "sluice-reason"));
  }

  /** Asserts that every published event is there exactly once. */
  public static void areExactly(List<Out> outs, List<String> published) {
    Map<String, Long> times = outs.stream().collect(groupingBy(Out::id, counting()));
    assertThat(published).as("lost").allSatisfy(id -> assertThat(times).containsKey(id));
    assertThat(times).as("twice").allSatisfy((id, n) -> assertThat(n).isEqualTo(1));
    assertThat(times).as("made up").hasSameSizeAs(published);
  }

  /**
   * Asserts for each user that no more than the permits are allowed in any period, by brute force.
   */
  public static void neverExceedLog(List<Out> outs, String action, int permits, long periodMs) {
    allowedTimes(outs, action)
        .forEach(
            (user, times) -> {
              for (int i = permits; i < times.size(); i++) {
                assertThat(times.get(i) - times.get(i - permits))
                    .as("%s of %s: %d allowed from %d", action, user, permits + 1, times.get(i))
                    .isGreaterThanOrEqualTo(periodMs);
              }
            });
  }

  /**
   * Asserts for each user that between any two instants no more events are allowed than the burst
   * and the permits of that time.
   */
  public static void neverExceedFunnel(
      List<Out> outs, String action, int permits, long periodMs, int burst) {
    allowedTimes(outs, action)
        .forEach(
            (user, times) -> {
              for (int i = 0; i < times.size(); i++) {
                for (int j = i; j < times.size(); j++) {
                  long added = (times.get(j) - times.get(i)) * permits / periodMs;
                  assertThat((long) j - i + 1)
                      .as("%s of %s from %d to %d", action, user, times.get(i), times.get(j))
                      .isLessThanOrEqualTo(burst + added);
                }
              }
            });
  }

  private static Map<String, List<Long>> allowedTimes(List<Out> outs, String action) {
    return outs.stream()
        .filter(out -> out.isAllowed() && out.action().equals(action))
        .sorted((a, b) -> Long.compare(a.atMs(), b.atMs()))
        .collect(
            groupingBy(
                Out::user,
                java.util.stream.Collectors.mapping(
                    Out::atMs, java.util.stream.Collectors.toList())));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
