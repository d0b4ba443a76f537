package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.SimulateCli;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import io.sluice.server.Sluice;
import io.sluice.topology.config.SluiceConfig;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compares a simulation of topics with an application that reads the same topics. */
@Timeout(180)
@Tag("full") // an hour of events, simulated and run
class SimulateAsApplicationIT {
  private static final int SCHEMA_ID = 7;
  private static PastTopics topics;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    topics = new PastTopics();
  }

  @AfterAll
  static void stop() {
    topics.close();
  }

  /**
   * Sizes: an hour of many users in two topics, in all formats; some records are out of order, some
   * are not events.
   */
  @Test
  void theVerdictsAreThoseOfTheRunningApplication() throws Exception {
    Path schemas = Files.createDirectory(folder.resolve("schemas"));
    Files.writeString(schemas.resolve(SCHEMA_ID + ".avsc"), UserAction.getClassSchema().toString());
    Map<String, String> settings =
        topics.settings(
            "mixed-a,mixed-b",
            "state.dir=" + folder,
            "sluice.time.lateness=2h", // topics are read at different speeds
            "sluice.schemas.folder=" + schemas,
            "sluice.topics.allowed=mixed-allowed",
            "sluice.topics.rejected=mixed-rejected",
            "sluice.topics.delayed=mixed-delayed",
            "sluice.topics.dead-letter=mixed-dead-letter",
            "sluice.limits=post,sms",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=2/60s",
            "sluice.limit.sms.exceeded=delay",
            "sluice.limit.sms.delay.max=15s");
    topics.create(3, "mixed-a", "mixed-b");
    int published = publishAnHour(new SplittableRandom(11));
    topics.create(1, settings.get("application.id") + "-limits");
    publishRevisions(settings.get("application.id") + "-limits");

    SimulateCli.Result simulated =
        PastTopics.simulate(folder, settings).run("", "--quiet", "--since", "2h");
    Map<String, String> verdicts = ComparableVerdicts.ofLines(simulated.out());
    assertThat(simulated.exitCode()).isZero();
    assertThat(verdicts.size() + simulated.err().size()).isEqualTo(published + 1);
    assertThat(simulated.err())
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches("mixed-[ab]-[012]-\\d+: (the value is empty|unknown .*)")
                    || line.startsWith("warning: revision r4 changes nothing: "));
    assertThat(verdicts.keySet()).anyMatch(id -> id.matches("mixed-[ab]-[012]-\\d+"));
    assertThat(verdicts.values())
        .anyMatch(verdict -> verdict.contains("delay-too-long"))
        .anyMatch(verdict -> verdict.contains("over-limit"))
        .anyMatch(verdict -> verdict.contains("denied"))
        .anyMatch(verdict -> verdict.matches("allowed sms \\d+  \\d+ \\d{13}  1"));

    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      List<String> outputs = List.of("mixed-allowed", "mixed-rejected");
      assertThat(
              ComparableVerdicts.ofTopics(
                  topics.kafka.bootstrapServers(), outputs, verdicts.size()))
          .isEqualTo(verdicts);
    }
  }

  /** Publishes changes of limits within the hour. */
  private static void publishRevisions(String topic) {
    long nowMs = System.currentTimeMillis();
    List<String> revisions =
        List.of(
            "{'limit':'post','effectiveAt':%d,'set':{'quota':'5/60s'}}"
                .formatted(nowMs - 1_800_000),
            "{'limit':'post','effectiveAt':%d,'set':{'algorithm':'funnel'}}"
                .formatted(nowMs - 900_000),
            "{'limit':'*','for':{'userId':'user4'},'effectiveAt':%d,'until':%d,'set':{'verdict':'reject'}}"
                .formatted(nowMs - 2_400_000, nowMs - 1_200_000),
            "{'limit':'sms','for':{'userId':'user7'},'effectiveAt':%d,'set':{'quota':'9/60s'}}"
                .formatted(nowMs - 2_000_000),
            "{'limit':'post','effectiveAt':1,'set':{'quota':'no quota'}}");
    try (KafkaProducer<byte[], byte[]> producer = topics.producer()) {
      for (int i = 0; i < revisions.size(); i++) {
        byte[] value = revisions.get(i).replace('\'', '"').getBytes(UTF_8);
        producer.send(new ProducerRecord<>(topic, ("r" + i).getBytes(UTF_8), value));
      }
    }
  }

  private static int publishAnHour(SplittableRandom random) throws Exception {
    long nowMs = System.currentTimeMillis();
    Map<String, Long> offsets = new HashMap<>();
    int published = 0;
    try (KafkaProducer<byte[], byte[]> producer = topics.producer()) {
      for (long atMs = nowMs - 3_600_000; atMs < nowMs - 300_000; atMs += random.nextInt(4_000)) {
        int user = random.nextInt(20);
        String topic = user % 2 == 0 ? "mixed-a" : "mixed-b";
        byte[] key = ("user" + user).getBytes(UTF_8);
        int partition = Utils.toPositive(Utils.murmur2(key)) % 3;
        long offset = offsets.merge(topic + "-" + partition, 1L, Long::sum) - 1;
        long happenedMs = atMs - (random.nextInt(10) == 0 ? random.nextInt(30_000) : 0);
        boolean says = random.nextInt(4) > 0;
        String id = says ? "e" + published : topic + "-" + partition + "-" + offset;
        byte[] value = says ? value(random, id, "user" + user, happenedMs) : silent(random, user);
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, partition, happenedMs, key, value);
        record.headers().add(ComparableVerdicts.ID, id.getBytes(UTF_8));
        assertThat(producer.send(record).get().offset()).isEqualTo(offset);
        published++;
      }
    }
    return published;
  }

  /** Creates a record that is not an event, or an event whose id and time are the record's. */
  private static byte[] silent(SplittableRandom random, int user) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> "hello".getBytes(UTF_8);
      default -> "{\"userId\":\"user%d\",\"action\":\"post\"}".formatted(user).getBytes(UTF_8);
    };
  }

  private static byte[] value(SplittableRandom random, String id, String user, long atMs) {
    String action = List.of("post", "sms", "like").get(random.nextInt(3));
    UserAction avro =
        UserAction.newBuilder()
            .setEventId(id)
            .setUserId(user)
            .setAction(action)
            .setOccurredAt(Instant.ofEpochMilli(atMs))
            .build();
    return switch (random.nextInt(3)) {
      case 0 -> UserActionCodec.encode(avro);
      case 1 -> confluent(UserActionCodec.encode(avro));
      default -> PastTopics.json(id, user, action, atMs);
    };
  }

  private static byte[] confluent(byte[] singleObject) {
    byte[] body = Arrays.copyOfRange(singleObject, 10, singleObject.length);
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(SCHEMA_ID).put(body).array();
  }
}
