package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.EventDecoder;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.testing.Servers;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DirectOutput;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.intake.RecordSizes.Most;
import io.sluice.topology.intake.RecordSizes.Sending;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of events that have passed the intake and are too large for a topic whose size limit was
 * lowered: each becomes one dead letter, and later records are processed.
 */
class TooLargeLaterTest {
  private static final int PLENTY = 1 << 20;
  private static final int TIGHT = 100_000;

  /** Size limits of the topics at the broker. */
  private final Map<String, Integer> settings = new HashMap<>();

  private final RecordSizes sizes =
      new RecordSizes(
          Map.of(),
          new Sending(PLENTY, Compression.NONE),
          (topic, now, then) ->
              then.accept(new Most(settings.getOrDefault(topic, PLENTY), "max.message.bytes")));

  private TopologyTestDriver driver;

  private void start(String... lines) {
    Map<String, String> texts =
        ConfigText.without(
            "application.id=app",
            "state.dir=" + Servers.folder(),
            "sluice.topics.partitions=1",
            "sluice.limits=post,sms,mail",
            "sluice.limit.post.match.action=post",
            "sluice.limit.post.quota=5/60s",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=1/60s",
            "sluice.limit.sms.exceeded=delay",
            "sluice.limit.mail.match.action=mail",
            "sluice.limit.mail.quota=1/60s",
            "sluice.limit.mail.exceeded=retry");
    SluiceConfig config = SluiceConfig.of(ConfigText.put(texts, lines));
    EventDecoder decoder = config.eventDecoder();
    CurrentLimits limits = CurrentLimits.of(config.limitsConfig());
    Instruments instruments = new Instruments(config.limits());
    driver =
        new TopologyTestDriver(
            ThrottleTopology.build(
                config.topics(),
                1,
                ThrottleNodes.of(
                    new MeteringServices(
                        config,
                        limits,
                        HomePartitioner.of(config, 1),
                        EventOpener.of(config, limits, decoder, sizes),
                        RedisBreaker.of("app", () -> null, instruments.redis()),
                        instruments),
                    sizes,
                    InputLag.none(),
                    DirectOutput.NONE)),
            config.streams());
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  /** Lowers a topic's size limit, and reports a refused record. */
  private void shrink(String topic) {
    settings.put(topic, TIGHT);
    sizes.refused(topic, null, new byte[TIGHT], new RecordHeaders());
  }

  private static byte[] event(String id, String action, int bytes) {
    return "{\"eventId\":\"%s\",\"userId\":\"ada\",\"action\":\"%s\",\"more\":\"%s\"}"
        .formatted(id, action, "m".repeat(bytes))
        .getBytes(UTF_8);
  }

  private void send(String topic, byte[] value, Headers headers) {
    send(topic, value, headers, Instant.now());
  }

  private void send(String topic, byte[] value, Headers headers, Instant at) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>("ada".getBytes(UTF_8), value, headers, at));
  }

  private void send(String id, String action, int bytes) {
    send("user-actions", event(id, action, bytes), new RecordHeaders());
  }

  /** Returns the unread records of a topic, by the ids of their events. */
  private Map<String, TestRecord<byte[], byte[]>> read(String topic) {
    List<TestRecord<byte[], byte[]>> records =
        driver
            .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList();
    Map<String, TestRecord<byte[], byte[]>> read = new HashMap<>();
    List<String> ids = new ArrayList<>();
    for (TestRecord<byte[], byte[]> each : records) {
      String id = new String(each.value(), UTF_8).split("\"", 5)[3];
      ids.add(id);
      read.put(id, each);
    }
    assertThat(ids).doesNotHaveDuplicates();
    return read;
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private void assertLetter(String id, String topic, String origin) {
    Map<String, TestRecord<byte[], byte[]>> letters = read("dead-letter-actions");
    assertThat(letters).containsOnlyKeys(id);
    TestRecord<byte[], byte[]> letter = letters.get(id);
    assertThat(header(letter, "sluice-error"))
        .contains(" bytes are too many for " + topic + ": its max.message.bytes is " + TIGHT);
    assertThat(header(letter, "sluice-error-origin")).isEqualTo(origin);
    assertThat(letter.headers().lastHeader("sluice-verdict")).isNull();
    assertThat(letter.headers().lastHeader("theirs").value()).containsExactly(7);
    assertThat(letter.key()).isEqualTo("ada".getBytes(UTF_8));
  }

  private static Headers theirs() {
    return new RecordHeaders().add("theirs", new byte[] {7});
  }

  @Test
  void aRecordThatIsPassedOnWithoutMeteringMustFitToo() {
    start("sluice.event.missing=allow");
    shrink("allowed-actions");
    String value = "{\"eventId\":\"a\",\"more\":\"%s\"}";
    send("user-actions", value.formatted("m".repeat(TIGHT)).getBytes(UTF_8), theirs());
    assertLetter("a", "allowed-actions", "user-actions-0-0");
    send("user-actions", value.formatted("m").getBytes(UTF_8), theirs());
    assertThat(read("allowed-actions")).containsOnlyKeys("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"allowed-actions", "rejected-actions", "app-limits-changelog"})
  void anEventOnItsWayHomeIsRefusedThere(String topic) {
    start();
    shrink(topic);
    byte[] hop = "keyed user-actions-0-17 1700000000000".getBytes(UTF_8);
    byte[] large =
        topic.endsWith("changelog")
            ? new String(event("a", "post", 10), UTF_8)
                .replace("ada", "u".repeat(TIGHT))
                .getBytes(UTF_8)
            : event("a", "post", TIGHT);
    send("app-home-repartition", large, theirs().add("sluice-origin", hop));
    send("app-home-repartition", event("b", "post", 9), theirs().add("sluice-origin", hop));

    assertLetter("a", topic, "user-actions-0-17");
    assertThat(read("allowed-actions")).containsOnlyKeys("b");
  }

  /** The header of the hop is removed before the event leaves, so it does not count. */
  @Test
  void whatTheIntakeTookIsTakenAtHome() {
    start();
    settings.put("allowed-actions", TIGHT);
    sizes.refused("allowed-actions", null, new byte[TIGHT], new RecordHeaders());
    int most = TIGHT;
    for (; !taken(most); most--) {}
    byte[] hop = "keyed user-actions-0-17 1700000000000".getBytes(UTF_8);
    send(
        "app-home-repartition",
        event("h", "home", most),
        new RecordHeaders().add("sluice-origin", hop));
    assertThat(read("allowed-actions")).containsOnlyKeys("h");
  }

  private boolean taken(int bytes) {
    send("h", "home", bytes);
    boolean taken = !read("allowed-actions").isEmpty();
    read("dead-letter-actions");
    return taken;
  }

  @Test
  void anEventThatHasWaitedIsRefusedWhenItLeaves() {
    start();
    send("first", "sms", 9);
    send("user-actions", event("large", "sms", TIGHT), theirs());
    send("small", "sms", 9);
    shrink("allowed-actions");
    assertThat(read("allowed-actions")).containsOnlyKeys("first");
    assertThat(read("dead-letter-actions")).isEmpty();
    driver.advanceWallClockTime(Duration.ofSeconds(121));

    assertLetter("large", "allowed-actions", "delayed-actions-0-0");
    assertThat(read("allowed-actions")).containsOnlyKeys("small");
    send("next", "post", 9);
    assertThat(read("allowed-actions")).containsOnlyKeys("next");
  }

  /** The input topic determines the topic of dead letters. */
  @Test
  void aDeadLetterOfOneThatHasWaitedGoesWhereThoseOfItsInputDo() {
    start("sluice.topics.input=posts,mails", "sluice.topics.dead-letter={input}-dead-letter");
    send("mails", event("first", "sms", 9), theirs());
    send("mails", event("large", "sms", TIGHT), theirs());
    shrink("allowed-actions");
    driver.advanceWallClockTime(Duration.ofSeconds(121));

    assertThat(read("posts-dead-letter")).isEmpty();
    TestRecord<byte[], byte[]> letter = read("mails-dead-letter").get("large");
    assertThat(header(letter, "sluice-error-origin")).isEqualTo("mails-0-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"allowed-actions", "rejected-actions", "delayed-actions", "app-waiting-changelog"})
  void anEventThatIsToBeMeteredAgainIsRefusedBefore(String topic) {
    start();
    send("first", "mail", 9);
    send("user-actions", event("large", "mail", TIGHT), theirs());
    send("small", "mail", 9);
    shrink(topic);
    assertThat(read("dead-letter-actions")).isEmpty();
    for (int i = 0; i < 20; i++) driver.advanceWallClockTime(Duration.ofSeconds(10));

    assertLetter("large", topic, "user-actions-0-1");
    assertThat(read("allowed-actions")).containsKeys("first", "small");
  }

  /** The event has its verdict before the wall clock reaches its release time. */
  @ParameterizedTest
  @ValueSource(strings = {"allowed-actions", "rejected-actions"})
  void aVerdictThatIsEarlyIsRefusedWhenItLeaves(String topic) {
    start(
        "sluice.time.max.ahead=5m",
        "sluice.time.lateness=5m",
        "sluice.limit.mail.retry.jitter=0",
        "sluice.limit.mail.retry.attempts=2");
    Instant now = Instant.now();
    send("first", "mail", 9);
    boolean rejected = topic.equals("rejected-actions");
    if (rejected) send("second", "mail", 9);
    send("user-actions", event("large", "mail", TIGHT), theirs());
    send("user-actions", event("ahead", "post", 9), new RecordHeaders(), now.plusSeconds(120));
    shrink(topic);
    assertThat(read("dead-letter-actions")).isEmpty();
    driver.advanceWallClockTime(Duration.ofSeconds(121));

    assertLetter("large", topic, rejected ? "user-actions-0-2" : "user-actions-0-1");
    assertThat(read("allowed-actions")).containsKeys("first", "ahead");
  }
}
