package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.AskCli;
import io.sluice.cli.AskCli.Said;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice ask --record} on the topics of a real broker. */
class AskedRecordIT {
  private final Servers servers = Servers.shared();
  private final Map<String, String> settings =
      servers.settings(
          "sluice.limits=reply",
          "sluice.limit.reply.match.action=reply",
          "sluice.limit.reply.quota=2/1h",
          "sluice.topics.partitions=1",
          "sluice.http.port=0");
  private final String input = settings.get("sluice.topics.input");
  private final String dead = settings.get("sluice.topics.dead-letter");

  @TempDir private Path folder;

  private Said record(String record) throws IOException {
    Path file = folder.resolve("my.properties");
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    Files.write(file, lines);
    return new AskCli(Map.of()).run("ask", "--config=" + file, "--last", "--record=" + record);
  }

  @Test
  void aDeadLetterShowsHowItIsReadBeforeAndAfterACorrection() throws Exception {
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      byte[] event = "{\"user\":{\"id\":42},\"action\":\"reply\"}".getBytes(UTF_8);
      servers.publish(input, List.of("k".getBytes(UTF_8)), List.of(event));
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(record(dead + "-0-0").out()).contains("dead letter of " + input));
    }
    Said before = record(dead + "-0-0");
    assertThat(before.code()).isEqualTo(1);
    assertThat(before.out())
        .startsWith("dead letter of " + input + "-0-0, missing-field: userId is missing")
        .contains("not an event: userId is missing");
    settings.put("sluice.event.user", "user.id");
    Said after = record(dead + "-0-0");
    assertThat(after.code()).as(after.err()).isZero();
    assertThat(after.out())
        .containsPattern("(?m)^userId +user.id +42$")
        .containsPattern("(?m)^reply +yes +userId=42$");
    assertThat(record(input + "-0-0").out()).startsWith("field ").contains("userId=42");
    assertMissingRecordsSayWhichExist();
  }

  private void assertMissingRecordsSayWhichExist() throws Exception {
    assertFails(
        input + "-0-17", "there is no offset 17 in " + input + "-0: it has the offsets 0 to");
    assertFails(
        input + "-5-0", "there is no partition 5 of " + input + ": it has the partitions 0");
    abortOne();
    assertFails(input + "-0-1", input + "-0-1 is no committed record");
    settings.put("sluice.topics.input", input + "x");
    assertFails(input + "x-0-0", "there is no topic " + input + "x in the cluster");
  }

  private void assertFails(String record, String why) throws IOException {
    Said said = record(record);
    assertThat(said.code()).as(said.err()).isEqualTo(1);
    assertThat(said.err()).startsWith(why).hasLineCount(1);
    assertThat(said.out()).isEmpty();
  }

  private void abortOne() throws Exception {
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers",
            settings.get("bootstrap.servers"),
            "transactional.id",
            "aborted-" + input);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(input, "{}".getBytes(UTF_8))).get();
      producer.abortTransaction();
    }
  }
}
