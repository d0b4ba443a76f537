package io.sluice.topology.simulation;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.simulation.SimulatedVerdict.Marks;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;

/** Whole topology in Streams' own test driver, with which a simulation must agree. */
final class DrivenTopology implements SimulatedStreams {
  private final TopologyTestDriver driver;
  private final List<String> verdicts;
  private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
  private final TestInputTopic<byte[], byte[]> first;
  private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();

  /**
   * @param topics one of them stands for all outputs but the delayed one, so that the order is seen
   */
  DrivenTopology(Topology topology, Topics topics, Path folder) {
    driver = new TopologyTestDriver(topology, settings(folder), Instant.EPOCH);
    verdicts = List.of(topics.delayed(), topics.allowed().names().get(0)); // delayed ones first
    for (String topic : topics.inputs()) inputs.put(topic, input(topic));
    first = inputs.get(topics.inputs().get(0));
  }

  private static Properties settings(Path folder) {
    Properties settings = new Properties();
    settings.setProperty(StreamsConfig.APPLICATION_ID_CONFIG, "simulation");
    settings.setProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "simulation:9092");
    settings.setProperty(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    settings.setProperty(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, "-1");
    return settings;
  }

  private TestInputTopic<byte[], byte[]> input(String topic) {
    return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void publish(
      ConsumerRecord<byte[], byte[]> record, long number, Origin origin, Optional<Event> event) {
    Headers headers = Marks.added(record.headers(), number, origin);
    Instant timestamp = Instant.ofEpochMilli(record.timestamp());
    inputs
        .getOrDefault(record.topic(), first)
        .pipeInput(new TestRecord<>(record.key(), record.value(), headers, timestamp));
  }

  @Override
  public void advance(long byMs) {
    driver.advanceWallClockTime(Duration.ofMillis(byMs));
  }

  @Override
  public void drain(Consumer<Record<byte[], EventRecord>> verdict) {
    for (String topic : verdicts) drain(topic, each -> verdict.accept(record(each)));
    for (String topic : List.copyOf(driver.producedTopicNames())) drain(topic, internal -> {});
  }

  private static Record<byte[], EventRecord> record(TestRecord<byte[], byte[]> from) {
    EventRecord event = new EventRecord(from.value());
    return new Record<>(from.key(), event, from.timestamp(), from.headers());
  }

  private void drain(String topic, Consumer<TestRecord<byte[], byte[]>> reader) {
    TestOutputTopic<byte[], byte[]> output = outputs.computeIfAbsent(topic, this::output);
    while (!output.isEmpty()) reader.accept(output.readRecord());
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return driver.createOutputTopic(
        topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    driver.close();
  }
}
