package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow") // each test starts brokers of its own
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class EmbeddedKafkaIT {

  @Test
  void whatIsProducedIsConsumed() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      Topic topic = Topic.create(kafka, "letters");
      topic.send("a", "b");

      assertThat(topic.read(2)).containsExactly("a", "b");
    }
  }

  @Test
  void onlyCommittedTransactionsAreRead() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      Topic topic = Topic.create(kafka, "letters");
      topic.sendInTransaction("a", false);
      topic.sendInTransaction("b", true);

      assertThat(topic.read(1)).containsExactly("b");
    }
  }

  @Test
  void groupsMayUseTheProtocolOfKafkaStreams() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Map<String, FinalizedVersionRange> features =
          admin.describeFeatures().featureMetadata().get().finalizedFeatures();

      assertThat(features.get("streams.version").maxVersionLevel()).isPositive();
      assertThat(features.get("transaction.version").maxVersionLevel()).isEqualTo((short) 2);
    }
  }

  @Test
  void usersMayDoWhatTheyAreAllowedAndTheAdministratorEverything() throws Exception {
    try (EmbeddedKafka kafka =
            EmbeddedKafka.builder().users(Map.of("admin", "a", "ann", "b")).start();
        Admin admin = client(kafka, kafka.login("admin"));
        Admin ann = client(kafka, kafka.login("ann"))) {
      NewTopic topic = new NewTopic("letters", Optional.of(1), Optional.empty());

      assertThat(ann.createTopics(List.of(topic)).all().toCompletionStage().toCompletableFuture())
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableThat()
          .withMessageContaining("uthorization failed");
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  private static Admin client(EmbeddedKafka kafka, Map<String, String> login) {
    Map<String, Object> settings = new HashMap<>(login);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    return Admin.create(settings);
  }

  @Test
  void twoBrokersRunSideBySideAndShareNothing() throws Exception {
    try (EmbeddedKafka stays = EmbeddedKafka.start()) {
      Topic onStays = Topic.create(stays, "letters");
      try (EmbeddedKafka goes = EmbeddedKafka.start()) {
        Topic onGoes = Topic.create(goes, "letters");
        onStays.send("a");
        onGoes.send("b");

        assertThat(onGoes.read(1)).containsExactly("b");
      }
      onStays.send("c");
      assertThat(onStays.read(2)).containsExactly("a", "c");
    }
  }

  @Test
  void aPortInUseIsSaidInOneLine() {
    try (EmbeddedKafka first = EmbeddedKafka.start()) {
      assertThatThrownBy(() -> EmbeddedKafka.builder().port(first.port()).start())
          .isInstanceOf(EmbeddedStartException.class)
          .hasMessage(
              "the Kafka broker could not listen on %s: Address already in use",
              first.bootstrapServers());
    }
  }

  @Test
  void aSettingThatKafkaRefusesIsSaidInOneLine(@TempDir Path data) {
    assertThatThrownBy(
            () ->
                EmbeddedKafka.builder()
                    .data(data)
                    .settings(Map.of("num.io.threads", "none"))
                    .start())
        .isInstanceOf(EmbeddedStartException.class)
        .hasMessageStartingWith("the Kafka broker could not start: ")
        .hasMessageContaining("num.io.threads")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void aFolderThatAnotherBrokerUsesIsSaidInOneLine(@TempDir Path data) {
    try (EmbeddedKafka first = EmbeddedKafka.builder().data(data).start()) {
      assertThat(first.port()).isPositive();
      Set<Thread> before = BrokerThread.allThatHoldTheJvm();

      assertThatThrownBy(() -> EmbeddedKafka.builder().data(data).start())
          .isInstanceOf(EmbeddedStartException.class)
          .hasMessageContaining("lock");
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(BrokerThread.allThatHoldTheJvm()).isSubsetOf(before));
    }
  }

  @Tag("full") // a broker stops and starts again
  @Test
  void aBrokerStartedOnKeptDataHasItsRecords(@TempDir Path data) throws Exception {
    int port;
    try (EmbeddedKafka kafka = EmbeddedKafka.builder().data(data).start()) {
      port = kafka.port();
      Topic.create(kafka, "letters").send("a");
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.builder().data(data).port(port).start()) {
      Topic topic = new Topic(kafka, "letters");
      topic.send("b");

      assertThat(kafka.port()).isEqualTo(port);
      assertThat(topic.read(2)).containsExactly("a", "b");
    }
    assertThat(data).isNotEmptyDirectory();
  }

  @Test
  void nothingIsLeftAfterClose() throws Exception {
    Set<Path> foldersBefore = temporaryFolders();
    Set<Thread> threadsBefore = BrokerThread.allThatHoldTheJvm();
    EmbeddedKafka kafka = EmbeddedKafka.start();
    Topic.create(kafka, "letters").sendInTransaction("a", true);
    assertThat(temporaryFolders()).hasSize(foldersBefore.size() + 1);

    kafka.close();
    kafka.close();

    assertThat(temporaryFolders()).isEqualTo(foldersBefore);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(BrokerThread.allThatHoldTheJvm()).isSubsetOf(threadsBefore));
    LocalPort.requireFree("a later server", kafka.port());
  }

  /** A broker that cannot write its checkpoints halts the JVM if it runs standalone. */
  @Tag("full") // a broker ends in a JVM of its own
  @Test
  void aFatalFaultIsReportedAndEndsNeitherThisJvmNorAnotherBroker() throws Exception {
    Map<String, String> frequentCheckpoints =
        Map.of("log.flush.offset.checkpoint.interval.ms", "50");
    DataFolder data = DataFolder.temporary("sluice-test-");
    try (EmbeddedKafka healthy = EmbeddedKafka.start();
        EmbeddedKafka kafka =
            EmbeddedKafka.builder().data(data.path()).settings(frequentCheckpoints).start()) {
      Topic.create(kafka, "letters").send("a");

      data.remove();

      assertThat(kafka.failure().toCompletableFuture())
          .succeedsWithin(Duration.ofSeconds(30))
          .asString()
          .contains("the Kafka broker", "failed");
      assertThat(healthy.failure().toCompletableFuture()).isNotDone();
      Topic.create(healthy, "letters").send("a");
    } finally {
      data.remove();
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(BrokerThread.allThatHoldTheJvm()).isEmpty());
  }

  private static Set<Path> temporaryFolders() {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(EmbeddedKafka.FOLDER_PREFIX))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
