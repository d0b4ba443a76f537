package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.SimulateCli;
import io.sluice.embedded.EmbeddedKafka;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Simulations of topics that cannot be read, or only in part. */
@Timeout(180)
@Tag("full") // processes that wait for a broker
class SimulateDeniedIT {
  private static AclBinding mayRead(String topic) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:reader", "*", AclOperation.READ, AclPermissionType.ALLOW));
  }

  @TempDir private Path folder;

  /** The right to read the topic is enough. */
  @Test
  void theRightToReadIsNeededAndNoOther() throws Exception {
    Map<String, String> passwords = Map.of("admin", "secret", "reader", "secret too");
    EmbeddedKafka secured = EmbeddedKafka.builder().users(passwords).start();
    try (PastTopics topics = new PastTopics(secured, secured.login("admin"));
        KafkaProducer<byte[], byte[]> producer = topics.producer()) {
      topics.create(2, "secured");
      PastTopics.publish(producer, "secured", 2, 10);
      Map<String, String> settings = topics.settings("secured");
      settings.putAll(secured.login("reader"));
      SimulateCli simulate = PastTopics.simulate(folder, settings);
      SimulateCli.Result denied = simulate.run("", "--since", "1h");
      assertThat(denied.exitCode()).isEqualTo(1);
      assertThat(denied.err())
          .singleElement()
          .asString()
          .startsWith("not allowed to READ topic simulated-secured-limits as User:reader; grant");
      topics.admin.createAcls(List.of(mayRead("simulated-secured-limits"))).all().get();
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(simulate.run("", "--since", "1h").err())
                      .singleElement()
                      .asString()
                      .startsWith("not allowed to READ topic secured as User:reader; grant it: "));

      topics.admin.createAcls(List.of(mayRead("secured"))).all().get();
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(simulate.run("", "--quiet", "--since", "1h").out()).hasSize(8));
    }
  }

  @Test
  void aBrokerThatGoesAwayIsAFailureInOneLine() throws Exception {
    try (PastTopics topics = new PastTopics()) {
      Runnable end = topics.kafka::close;
      topics.create(3, "mortal");
      try (KafkaProducer<byte[], byte[]> producer = topics.producer()) {
        PastTopics.publish(producer, "mortal", 0, 3_000);
      }
      ByteArrayOutputStream out =
          new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int offset, int length) {
              end.run();
              super.write(bytes, offset, length);
            }
          };
      SimulateCli.Result result =
          PastTopics.simulate(
                  folder,
                  topics.settings(
                      "mortal",
                      "max.poll.records=100",
                      "max.partition.fetch.bytes=20000",
                      "default.api.timeout.ms=3000",
                      "request.timeout.ms=3000"))
              .run(new byte[0], out, "--quiet", "--since", "1h");
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err())
          .containsExactly(
              "no broker answers at " + topics.kafka.bootstrapServers() + " (bootstrap.servers)");
    }
  }
}
