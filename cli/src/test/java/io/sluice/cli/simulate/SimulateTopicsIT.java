package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.SimulateCli;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Simulations of topics on a real broker. */
@Timeout(180)
class SimulateTopicsIT {
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

  private SimulateCli simulate(String input) {
    return PastTopics.simulate(folder, topics.settings(input));
  }

  @Test
  void itReadsFromTheFirstRecordSinceToTheLastBefore() throws Exception {
    topics.create(2, "bounds-a", "bounds-b");
    long nowMs = System.currentTimeMillis();
    try (KafkaProducer<byte[], byte[]> producer = topics.producer()) {
      for (int hours = 4; hours >= 0; hours--) {
        for (int i = 0; i < 3; i++) {
          String topic = i < 2 ? "bounds-a" : "bounds-b";
          long atMs = nowMs - hours * 3_600_000L + i;
          byte[] value = PastTopics.json(hours + "h" + i, "u" + i, "post", atMs);
          producer.send(new ProducerRecord<>(topic, i % 2, atMs, null, value)).get();
        }
      }
    }
    SimulateCli simulate = simulate("bounds-a,bounds-b");
    assertThat(PastTopics.ids(simulate.run("", "--quiet", "--since", "90m")))
        .containsExactly("1h0", "1h1", "1h2", "0h0", "0h1", "0h2");
    assertThat(PastTopics.ids(simulate.run("", "--quiet", "--from", "-150m", "--to", "-90m")))
        .containsExactly("2h0", "2h1", "2h2");
    String exactly = Instant.ofEpochMilli(nowMs - 3 * 3_600_000L + 1).toString();
    String upTo = Instant.ofEpochMilli(nowMs - 2 * 3_600_000L + 1).toString();
    assertThat(PastTopics.ids(simulate.run("", "--quiet", "--from", exactly, "--to", upTo)))
        .containsExactly("3h1", "3h2", "2h0");
    SimulateCli.Result none = simulate.run("", "--from", "-80m", "--to", "-70m");
    assertThat(none.out()).isEmpty();
    assertThat(none.exitCode()).isZero();
    assertThat(none.err().get(0)).startsWith("Reading 0 offsets of bounds-a, bounds-b, from ");
    assertThat(PastTopics.ids(simulate.run("", "--quiet", "--from", "1970-01-01T00:00:00Z")))
        .hasSize(15);
  }

  /**
   * The running application made an event from the future a dead letter, which did not move the
   * partition's clock.
   */
  @Test
  void anEventFromTheFutureIsReportedAndMovesNoClock() throws Exception {
    topics.create(2, "future");
    long nowMs = System.currentTimeMillis();
    long farMs = nowMs + 40L * 365 * 86_400_000;
    try (KafkaProducer<byte[], byte[]> producer = topics.producer()) {
      for (int i = 0; i < 4; i++) {
        long atMs = nowMs - 60_000 + i;
        byte[] value = PastTopics.json("e" + i, "ann", "post", i == 1 ? farMs : atMs);
        producer.send(new ProducerRecord<>("future", i / 3, atMs, null, value)).get();
      }
    }
    SimulateCli.Result result = simulate("future").run("", "--quiet", "--since", "1h");
    assertThat(PastTopics.ids(result)).containsExactly("e0", "e2", "e3");
    assertThat(result.err())
        .singleElement()
        .asString()
        .startsWith("future-0-1: the event's time is in the future");
  }

  @Test
  void whatIsWrittenWhileItReadsIsNotRead() throws Exception {
    topics.create(3, "written");
    AtomicBoolean wrote = new AtomicBoolean();
    try (KafkaProducer<byte[], byte[]> producer = topics.producer()) {
      PastTopics.publish(producer, "written", 0, 3_050);
      ByteArrayOutputStream out =
          new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int offset, int length) {
              if (!wrote.getAndSet(true)) PastTopics.publish(producer, "written", 3_050, 3_600);
              super.write(bytes, offset, length);
            }
          };
      SimulateCli.Result result =
          PastTopics.simulate(folder, topics.settings("written", "max.partition.fetch.bytes=20000"))
              .run(new byte[0], out, "--quiet", "--since", "1h");
      assertThat(PastTopics.ids(result))
          .isEqualTo(IntStream.range(0, 3_050).mapToObj(i -> "e" + i).toList());
    }
  }

  @Test
  void whatIsNotCommittedIsNotSeenAndNotWaitedFor() throws Exception {
    topics.create(1, "transactions");
    long atMs = System.currentTimeMillis() - 60_000;
    try (KafkaProducer<byte[], byte[]> producer = topics.producer("transactional.id=simulated")) {
      producer.initTransactions();
      for (String id : List.of("committed", "aborted", "too", "aborted too", "open")) {
        producer.beginTransaction();
        producer
            .send(
                new ProducerRecord<>(
                    "transactions", 0, atMs, null, PastTopics.json(id, "ann", "post", atMs)))
            .get();
        if (id.startsWith("aborted")) producer.abortTransaction();
        else if (!id.equals("open")) producer.commitTransaction();
      }
      SimulateCli.Result result = simulate("transactions").run("", "--quiet", "--since", "1h");
      assertThat(PastTopics.ids(result)).containsExactly("committed", "too");
      producer.abortTransaction();
    }
    assertThat(PastTopics.ids(simulate("transactions").run("", "--quiet", "--since", "1h")))
        .containsExactly("committed", "too");
    assertThat(topics.admin.listGroups().all().get())
        .noneMatch(group -> group.groupId().contains("transactions"));
  }

  @Test
  void aTopicThatIsMissingIsAFailureInOneLineAndIsNotCreated() throws Exception {
    SimulateCli.Result result = simulate("missing").run("", "--since", "1h");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).containsExactly("there is no topic missing (sluice.topics.input)");
    assertThat(topics.admin.listTopics().names().get()).doesNotContain("missing");
  }
}
