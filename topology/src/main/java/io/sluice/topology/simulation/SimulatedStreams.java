package io.sluice.topology.simulation;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.topology.config.Topics;
import io.sluice.topology.redis.StillUnavailableException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.test.TestRecord;

/** Kafka Streams without Kafka: one partition, and a clock that stands until it is moved. */
final class SimulatedStreams implements AutoCloseable {
  /** Keeps the offset of a record with it wherever it goes. */
  private static final String OFFSET = "simulated-offset";

  private final TopologyTestDriver driver;
  private final List<String> verdicts;
  private final TestInputTopic<byte[], byte[]> input;
  private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();

  /**
   * @param topics of which one stands for all outputs but one, so that their order can be seen
   */
  SimulatedStreams(Topology topology, Topics topics, Path folder) {
    driver = new TopologyTestDriver(topology, settings(folder), Instant.EPOCH);
    verdicts = List.of(topics.delayed(), topics.allowed()); // delayed first, then let go
    input =
        driver.createInputTopic(
            topics.inputs().get(0), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Nothing of what the configuration gives Kafka: none of it has a bearing on verdicts, and some
   * of it leads to real systems. The driver commits after each record, which transactions would
   * only make slower.
   */
  private static Properties settings(Path folder) {
    Properties settings = new Properties();
    settings.setProperty(StreamsConfig.APPLICATION_ID_CONFIG, "simulation");
    settings.setProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "simulation:9092");
    settings.setProperty(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    settings.setProperty(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, "-1");
    return settings;
  }

  void publish(byte[] value, long offset, long timestampMs) {
    Headers headers = new RecordHeaders();
    headers.add(OFFSET, ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
    Instant timestamp = Instant.ofEpochMilli(timestampMs);
    run(() -> input.pipeInput(new TestRecord<>(null, value, headers, timestamp)));
  }

  void advance(long byMs) {
    run(() -> driver.advanceWallClockTime(Duration.ofMillis(byMs)));
  }

  /** Streams wraps what a processor throws. */
  private static void run(Runnable step) {
    try {
      step.run();
    } catch (StreamsException e) {
      for (Throwable each = e; each != null; each = each.getCause()) {
        if (each instanceof StillUnavailableException) {
          throw new LimiterUnavailableException(each.getMessage(), each);
        }
        if (each instanceof LimiterUnavailableException unavailable) throw unavailable;
      }
      throw e;
    }
  }

  /** Hands over what has come out since, in order, and forgets what went to internal topics. */
  void drain(Consumer<TestRecord<byte[], byte[]>> verdict) {
    for (String topic : verdicts) drain(topic, verdict);
    for (String topic : List.copyOf(driver.producedTopicNames())) drain(topic, internal -> {});
  }

  private void drain(String topic, Consumer<TestRecord<byte[], byte[]>> reader) {
    TestOutputTopic<byte[], byte[]> output = outputs.computeIfAbsent(topic, this::output);
    while (!output.isEmpty()) reader.accept(output.readRecord());
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return driver.createOutputTopic(
        topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The offset that a record was published with. */
  static long offset(Headers headers) {
    return ByteBuffer.wrap(headers.lastHeader(OFFSET).value()).getLong();
  }

  @Override
  public void close() {
    driver.close();
  }
}
