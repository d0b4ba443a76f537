package io.sluice.streams;

import io.sluice.topology.config.SluiceConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** Application with throttled streams in Kafka Streams' test driver, whose clock the test moves. */
final class Driven implements AutoCloseable {
  static final Instant NOON = Instant.parse("2024-06-01T12:00:00Z");

  final Throttle throttle;
  final TopologyTestDriver driver;

  /**
   * @param application adds its streams to the builder
   */
  Driven(BiConsumer<StreamsBuilder, Throttle> application, String... settings) {
    throttle = Throttle.of(SluiceConfig.of(given(settings)));
    StreamsBuilder builder = new StreamsBuilder();
    application.accept(builder, throttle);
    Properties streams = throttle.streamsProperties();
    streams.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    streams.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    driver = new TopologyTestDriver(builder.build(streams), streams, NOON);
  }

  static Map<String, String> given(String... settings) {
    Map<String, String> given = new HashMap<>();
    given.put("bootstrap.servers", "localhost:9092");
    given.put("application.id", "shop");
    given.put("sluice.topics.partitions", "1"); // the test driver has one partition of everything
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      given.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return given;
  }

  /** Publishes a record whose timestamp is this many milliseconds after noon. */
  void send(String topic, String key, String value, long afterNoonMs, Header... headers) {
    TestRecord<String, String> record = new TestRecord<>(key, value, NOON.plusMillis(afterNoonMs));
    for (Header header : headers) record.headers().add(header);
    driver
        .createInputTopic(topic, new StringSerializer(), new StringSerializer())
        .pipeInput(record);
  }

  /** Returns the records written to a topic since the last read. */
  List<TestRecord<String, String>> read(String topic) {
    Deserializer<String> text = new StringDeserializer();
    var output = driver.createOutputTopic(topic, text, text);
    List<TestRecord<String, String>> all = new ArrayList<>();
    while (!output.isEmpty()) all.add(output.readRecord());
    return all;
  }

  /** Returns the values written to a topic since the last read. */
  List<String> values(String topic) {
    return read(topic).stream().map(TestRecord::value).toList();
  }

  static String header(TestRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  void advance(Duration by) {
    driver.advanceWallClockTime(by);
  }

  @Override
  public void close() {
    driver.close();
    throttle.close();
  }
}
