package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.testing.StoredTraffic;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The real topology under Kafka's test driver, whose clock the test moves. */
public final class Harness implements AutoCloseable {
  public static final long NOON_MS = StoredTraffic.NOON_MS;

  public final SluiceConfig config;
  private final AtomicReference<LimitsInForce> limits;
  final AtomicLong wallMs = new AtomicLong(NOON_MS);
  public final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> input;
  private final TestInputTopic<byte[], byte[]> waitingRoom;
  private int sent;

  /** Record on an output topic. */
  public record Out(byte[] key, byte[] value, Map<String, String> headers, long timestampMs) {
    public String text() {
      return new String(value, StandardCharsets.UTF_8);
    }

    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  public Harness(String... settings) {
    this(
        () -> {
          throw new AssertionError("Redis is not expected to be asked");
        },
        settings);
  }

  public Harness(java.util.function.Supplier<RedisMeter> redis, String... settings) {
    Map<String, String> given = new HashMap<>();
    given.put("bootstrap.servers", "localhost:9092");
    given.put("application.id", "test");
    given.put("state.dir", Servers.folder().toString()); // tests may run in parallel
    given.put("sluice.topics.partitions", "1");
    config = SluiceConfig.of(SettingLines.put(given, settings));
    limits = new AtomicReference<>(LimitsInForce.of(config.limitsConfig()));
    Properties streams = config.streams();
    driver =
        new TopologyTestDriver(
            ThrottleTopology.build(
                config,
                limits::get,
                config.topics().partitions(),
                EventOpener.of(
                    config,
                    limits::get,
                    config.eventDecoder(),
                    () -> Instant.ofEpochMilli(wallMs.get())),
                redis),
            streams,
            Instant.ofEpochMilli(NOON_MS));
    input =
        driver.createInputTopic(
            config.topics().inputs().get(0), new ByteArraySerializer(), new ByteArraySerializer());
    waitingRoom =
        driver.createInputTopic(
            config.topics().delayed(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Adds a revision.
   *
   * @param afterNoonMs start of the revision, ms after noon
   * @param json its other fields, in single quotes and without times
   */
  public void revise(String id, long afterNoonMs, String json) {
    String line = "{'id':'" + id + "','effectiveAt':" + (NOON_MS + afterNoonMs) + "," + json + "}";
    try {
      revise(new RevisionReader().ofLine(line.replace('\'', '"'), 1));
    } catch (UnreadableRevisionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  void revise(LimitRevision revision) {
    limits.updateAndGet(before -> before.with(revision));
    assertThat(limits.get().revision(revision.id(), NOON_MS).refusals()).isEmpty();
  }

  /** Publishes a user's event with a time in ms after noon. */
  public void send(String user, String action, long afterNoonMs, String... moreFields) {
    StringBuilder json =
        new StringBuilder("{\"userId\":\"" + user + "\",\"action\":\"" + action + "\"");
    json.append(",\"occurredAt\":").append(NOON_MS + afterNoonMs);
    boolean named = false;
    for (String field : moreFields) {
      json.append(',').append(field);
      named |= field.startsWith("\"eventId\"");
    }
    if (!named) json.append(",\"eventId\":\"e").append(++sent).append('"');
    send(json.append('}').toString().getBytes(StandardCharsets.UTF_8), new RecordHeaders());
  }

  /** Publishes to one of several input topics. */
  void sendTo(String topic, byte[] value) {
    sendTo(topic, value, new RecordHeaders());
  }

  void sendTo(String topic, byte[] value, Headers headers) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new Dated("key".getBytes(StandardCharsets.UTF_8), value, headers, NOON_MS));
  }

  public void send(byte[] value, Headers headers) {
    send("key".getBytes(StandardCharsets.UTF_8), value, headers);
  }

  public void send(byte[] value, Headers headers, long timestampMs) {
    send("key".getBytes(StandardCharsets.UTF_8), value, headers, timestampMs);
  }

  public void send(byte[] key, byte[] value, Headers headers) {
    send(key, value, headers, NOON_MS + 7);
  }

  public void send(byte[] key, byte[] value, Headers headers, long timestampMs) {
    input.pipeInput(new Dated(key, value, headers, timestampMs));
  }

  /** Writes to the topic of delayed events, as any client may. */
  public void delay(byte[] key, byte[] value, Headers headers) {
    delay(key, value, headers, NOON_MS + 7);
  }

  public void delay(byte[] key, byte[] value, Headers headers, long timestampMs) {
    waitingRoom.pipeInput(new Dated(key, value, headers, timestampMs));
  }

  /** Moves the wall clock to a time in ms after noon, tick by tick. */
  public void runTo(long afterNoonMs) {
    while (wallMs.get() < NOON_MS + afterNoonMs) {
      long leftMs = NOON_MS + afterNoonMs - wallMs.get();
      advanceWall(Duration.ofMillis(Math.min(config.delayTickMs(), leftMs)));
    }
  }

  public void advanceWall(Duration by) {
    wallMs.addAndGet(by.toMillis());
    driver.advanceWallClockTime(by);
  }

  public List<Out> allowed() {
    return read(config.topics().allowed().names().get(0));
  }

  public List<Out> rejected() {
    return read(config.topics().rejected().names().get(0));
  }

  public List<Out> delayed() {
    return read(config.topics().delayed());
  }

  public List<Out> deadLetters() {
    return read(config.topics().deadLetter().names().get(0));
  }

  /** Record with any timestamp. Brokers accept some that Java's own record class refuses. */
  private static final class Dated extends TestRecord<byte[], byte[]> {
    private final long timestampMs;

    Dated(byte[] key, byte[] value, Headers headers, long timestampMs) {
      super(key, value, headers);
      this.timestampMs = timestampMs;
    }

    @Override
    public Long timestamp() {
      return timestampMs;
    }

    @Override
    public Instant getRecordTime() {
      return Instant.ofEpochMilli(timestampMs);
    }
  }

  public static String text(Header header) {
    byte[] text = header.value();
    return text == null ? "null" : new String(text, StandardCharsets.UTF_8);
  }

  public List<Out> read(String topic) {
    var output =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<Out> all = new ArrayList<>();
    while (!output.isEmpty()) {
      TestRecord<byte[], byte[]> record = output.readRecord();
      Map<String, String> headers = new HashMap<>();
      for (Header header : record.headers()) headers.put(header.key(), text(header));
      all.add(new Out(record.key(), record.value(), headers, record.timestamp()));
    }
    return all;
  }

  @Override
  public void close() {
    driver.close();
  }
}
