package io.sluice.topology.simulation;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.topology.config.Topics;
import io.sluice.topology.event.Origin;
import io.sluice.topology.redis.PendingVerdict.StillUnavailableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
  /** Keeps the number of a record with it wherever it goes. */
  private static final String NUMBER = "simulated-number";

  /** The same for where it came from: the driver has offsets of its own. */
  private static final String ORIGIN = "simulated-origin";

  private final TopologyTestDriver driver;
  private final List<String> verdicts;
  private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
  private final TestInputTopic<byte[], byte[]> first;
  private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();

  /**
   * @param topics of which one stands for all outputs but one, so that their order can be seen
   */
  SimulatedStreams(Topology topology, Topics topics, Path folder) {
    driver = new TopologyTestDriver(topology, settings(folder), Instant.EPOCH);
    verdicts =
        List.of(topics.delayed(), topics.allowed().names().get(0)); // delayed first, then let go
    for (String topic : topics.inputs()) inputs.put(topic, input(topic));
    first = inputs.get(topics.inputs().get(0));
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

  private TestInputTopic<byte[], byte[]> input(String topic) {
    return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Publishes a record to its topic, or to the first one if that is no input of ours. */
  void publish(ConsumerRecord<byte[], byte[]> record, long number, Origin origin) {
    Headers headers = new RecordHeaders(record.headers());
    headers.add(NUMBER, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    headers.add(ORIGIN, origin.toString().getBytes(StandardCharsets.UTF_8));
    Instant timestamp = Instant.ofEpochMilli(record.timestamp());
    TestInputTopic<byte[], byte[]> input = inputs.getOrDefault(record.topic(), first);
    run(() -> input.pipeInput(new TestRecord<>(record.key(), record.value(), headers, timestamp)));
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

  /** The number that a record was published with. */
  static long number(Headers headers) {
    return ByteBuffer.wrap(headers.lastHeader(NUMBER).value()).getLong();
  }

  /** Where it came from. */
  static Origin origin(Headers headers) {
    return Origin.parse(SimulatedVerdict.header(headers, ORIGIN));
  }

  @Override
  public void close() {
    driver.close();
  }
}
