package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.AskCli;
import io.sluice.cli.AskCli.Said;
import io.sluice.server.Sluice;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice ask --last} on the topics of a real broker. */
class LastEventsIT {
  private static final int PARTITIONS = 6;
  private static final String ADA = "--for=userId=ada";

  private final Servers servers = Servers.shared();
  private final Map<String, String> settings =
      servers.settings(
          "sluice.limits=reply,sms",
          "sluice.limit.reply.match.action=reply",
          "sluice.limit.reply.quota=2/1h",
          "sluice.limit.reply.algorithm=sliding-window-log",
          "sluice.limit.sms.match.action=sms",
          "sluice.limit.sms.quota=1/1s",
          "sluice.limit.sms.exceeded=delay",
          "sluice.tombstones=allow",
          "sluice.topics.partitions=" + PARTITIONS,
          "sluice.http.port=0");
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte[]> values = new ArrayList<>();

  @TempDir private Path folder;
  private String config;
  private String at = "--http=http://127.0.0.1:1";

  @BeforeEach
  void write() throws IOException {
    Path file = folder.resolve("my.properties");
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    Files.write(file, lines);
    config = "--config=" + file;
  }

  private static byte[] event(String id, String user, String action) {
    return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"%s\"}"
        .formatted(id, user, action)
        .getBytes(UTF_8);
  }

  private void add(String key, String id, String user, String action) {
    keys.add(key.getBytes(UTF_8));
    values.add(event(id, user, action));
  }

  private Said say(String... options) {
    List<String> args = new ArrayList<>(List.of("ask", config, at, ADA, "--last=1h"));
    args.addAll(List.of(options));
    return new AskCli(Map.of()).run(args.toArray(String[]::new));
  }

  /** Parses the events in the JSON output; the limits come before them. */
  private static List<JsonNode> events(Said said) {
    return said.out()
        .lines()
        .filter(line -> line.startsWith("{\"atMs\""))
        .map(LastEventsIT::json)
        .toList();
  }

  private static JsonNode json(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String told(JsonNode event) {
    return event.path("eventId").asText() + " " + event.path("verdict").asText();
  }

  /** Finds a key in another partition than "ada" by trial. */
  private static String keyElsewhere() {
    ToIntFunction<String> partition =
        key ->
            org.apache.kafka.clients.producer.internals.BuiltInPartitioner.partitionForKey(
                key.getBytes(UTF_8), PARTITIONS);
    for (int i = 0; ; i++) {
      if (partition.applyAsInt("k" + i) != partition.applyAsInt("ada")) return "k" + i;
    }
  }

  @Test
  void itTellsEachVerdictWithItsReasonAndItsRule() throws Exception {
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      at = "--http=" + sluice.httpAddress().orElseThrow();
      Said set =
          new AskCli(Map.of()).run("limits", "set", "reply", "quota=3/1h", ADA, "--at=-1m", config);
      assertThat(set.code()).as(set.err()).isZero();
      String id = set.out().replaceAll("(?s).*published ([0-9a-f-]{36}).*", "$1");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> new AskCli(Map.of()).run("ask", config, at, ADA).out().contains("override"));

      keys.add("ada".getBytes(UTF_8));
      values.add(null);
      for (int i = 1; i <= 4; i++) add("ada", "r" + i, "ada", "reply");
      for (int i = 1; i <= 2; i++) add("ada", "s" + i, "ada", "sms");
      for (int i = 1; i <= 3; i++) add("ada", "b" + i, "bob", "reply");
      add(keyElsewhere(), "far", "ada", "post");
      servers.publish(settings.get("sluice.topics.input"), keys, values);
      writeWhatIsNoVerdict();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(events(say("--json")))
                      .extracting(LastEventsIT::told)
                      .containsExactlyInAnyOrder(
                          "r1 allowed",
                          "r2 allowed",
                          "r3 allowed",
                          "r4 rejected",
                          "s1 allowed",
                          "s2 delayed",
                          "s2 allowed",
                          "far allowed"));

      assertTheTombstoneIsPassedOn(sluice);
      Said all = say("--json");
      assertThat(all.code()).isZero();
      assertThat(all.err()).contains("1 records are not readable").hasLineCount(1);
      for (JsonNode each : events(all)) {
        boolean reply = each.path("limit").asText().equals("reply");
        assertThat(each.path("because").asText())
            .isEqualTo(reply ? "override" : each.has("limit") ? "file" : "");
        if (reply)
          assertThat(each.path("revisions")).extracting(JsonNode::asText).containsExactly(id);
        assertThat(each.has("releaseAtMs")).isEqualTo(told(each).startsWith("s2"));
        if (told(each).equals("r4 rejected")) {
          assertThat(each.path("reason").asText()).isEqualTo("over-limit");
          assertThat(each.path("remaining").asInt(-1)).isZero();
          assertThat(each.path("retryAfterMs").asLong()).isBetween(1L, 3_600_000L);
        }
      }
      assertThat(events(all)).extracting(each -> each.path("atMs").asLong()).isSorted();
      assertThat(events(say("--json", "--keyed")))
          .extracting(LastEventsIT::told)
          .hasSize(7)
          .contains("s2 delayed", "s2 allowed", "r4 rejected")
          .doesNotContain("far allowed");
      Said two = say("--json", "--most=2");
      assertThat(events(two)).isEqualTo(events(all).subList(6, 8));
      assertThat(two.err()).contains("the newest 2 of 8 events; --most shows more");
      assertTheTableLinesUp(say().out(), id);
      String far =
          new AskCli(Map.of()).run("ask", config, at, "--for=userId=eve", "--last=1h").err();
      assertThat(far).contains("no events of userId=eve since ");
    }
    at = "--http=http://127.0.0.1:1";
    Said alone = say("--json");
    assertThat(alone.code()).isEqualTo(1);
    assertThat(alone.err()).contains("does not answer");
    assertThat(events(alone)).hasSize(8);
  }

  private static void assertTheTableLinesUp(String out, String id) {
    List<String> lines = out.substring(out.indexOf("\nat ") + 1).lines().toList();
    assertThat(lines).hasSize(9);
    int source = lines.get(0).indexOf("source");
    assertThat(lines)
        .filteredOn(line -> line.contains(" reply "))
        .hasSize(4)
        .allMatch(line -> line.startsWith("override " + id.substring(0, 8) + "  ", source));
    assertThat(lines)
        .filteredOn(line -> line.contains(" sms "))
        .hasSize(3)
        .allMatch(line -> line.startsWith("the file ", source));
  }

  /** A tombstone in the allowed topic has no user, and is not reported as unreadable. */
  private static void assertTheTombstoneIsPassedOn(Sluice sluice) throws Exception {
    Scrape scrape = Scrape.of(sluice.httpAddress().orElseThrow());
    String[] labels = {"outcome=\"allowed\"", "reason=\"tombstone\""};
    assertThat(scrape.value("sluice_unmetered_records_total", labels)).isEqualTo(1);
    assertThat(scrape.value("sluice_dead_letters_total", "reason=\"empty\"")).isZero();
  }

  /** Writes a record that is not an event, and one that is not committed. */
  private void writeWhatIsNoVerdict() throws Exception {
    String allowed = settings.get("sluice.topics.allowed");
    servers.publish(allowed, List.of("ada".getBytes(UTF_8)), List.of(new byte[] {'{', 7}));
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers",
            settings.get("bootstrap.servers"),
            "transactional.id",
            "aborted-" + allowed);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      byte[] key = "ada".getBytes(UTF_8);
      producer.send(new ProducerRecord<>(allowed, key, event("aborted", "ada", "post"))).get();
      producer.abortTransaction();
    }
  }

  /**
   * Only records of the last hour are read, by their timestamps, in a topic whose timestamps are
   * out of order.
   */
  @Test
  void itLooksAtRecordsSinceThen() throws Exception {
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue(); // creates the topics
    }
    long nowMs = System.currentTimeMillis();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", settings.get("bootstrap.servers")),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (long minutes : new long[] {90, 61, 59, 30, 70}) {
        byte[] value = event("m" + minutes, "ada", "reply");
        long atMs = nowMs - minutes * 60_000;
        String topic = settings.get("sluice.topics.rejected");
        producer.send(new ProducerRecord<>(topic, 0, atMs, null, value)).get();
      }
    }
    Said said = say("--json");
    assertThat(events(said))
        .extracting(LastEventsIT::told)
        .containsExactly("m59 rejected", "m30 rejected");
    assertThat(said.err().lines()).singleElement().asString().contains("does not answer");
  }
}
