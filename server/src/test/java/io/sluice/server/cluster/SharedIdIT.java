package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.rules.StartException;
import io.sluice.server.ChildSluice;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of two applications with the same {@code application.id}, of which one must not run. */
@Tag("slow") // waits until the session of a killed member ends
class SharedIdIT {
  private final Servers servers = Servers.shared();

  /** Settings of another application, with the same id and other topics. */
  private static Map<String, String> another(Map<String, String> settings) {
    Map<String, String> other = new HashMap<>(settings);
    other.put("sluice.topics.input", settings.get("sluice.topics.input") + "-other");
    other.put("state.dir", Servers.folder().toString());
    return other;
  }

  private Map<String, String> settings(String... settings) {
    Map<String, String> given = servers.settings(settings);
    given.put("sluice.limits", "post");
    given.put("sluice.limit.post.quota", "5/60s");
    return given;
  }

  private Set<String> topics() throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      return admin.listTopics().names().get();
    }
  }

  static Stream<String> groupProtocols() {
    return Servers.variants("classic", "streams");
  }

  @ParameterizedTest
  @MethodSource("groupProtocols")
  void whoComesSecondDoesNotStartAndIsToldWhoseTheIdIs(String protocol) throws Exception {
    Map<String, String> settings = settings("group.protocol=" + protocol);
    try (Sluice first = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(first.awaitRunning()).isTrue();
      SluiceConfig second = SluiceConfig.of(another(settings));
      assertThatThrownBy(() -> Sluice.start(second).close())
          .isInstanceOf(StartException.class)
          .hasMessageStartingWith(
              "application.id="
                  + settings.get("application.id")
                  + " is used by another application")
          .hasMessageContaining(settings.get("sluice.topics.input") + ",");
      assertThat(topics()).doesNotContain(settings.get("sluice.topics.input") + "-other");

      Map<String, String> more = another(settings);
      more.merge("sluice.topics.input", settings.get("sluice.topics.input"), (a, b) -> a + "," + b);
      assertThatThrownBy(() -> Sluice.start(SluiceConfig.of(more)).close())
          .as("one more input than the others")
          .isInstanceOf(StartException.class)
          .hasMessageContaining("is used by another application");
      try (Sluice same = Sluice.start(SluiceConfig.of(settings))) {
        assertThat(same.awaitRunning()).as("of the same application").isTrue();
      }
    }
  }

  @Tag("full") // two instances wait for each other's session
  @Test
  void ofTwoThatStartAtTheSameMomentOneEnds() throws Exception {
    Map<String, String> settings = settings();
    List<CompletableFuture<Sluice>> starting =
        Stream.of(settings, another(settings))
            .map(SluiceConfig::of)
            .map(config -> CompletableFuture.supplyAsync(() -> Sluice.start(config)))
            .toList();
    try {
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> starting.stream().filter(SharedIdIT::isRefused).count() == 1);
      Sluice other = starting.stream().filter(each -> !isRefused(each)).findFirst().get().get();
      assertThat(other.awaitRunning()).isTrue();
      assertThat(other.hasFailed()).isFalse();
    } finally {
      for (CompletableFuture<Sluice> each : starting) each.thenAccept(Sluice::close);
    }
  }

  private static boolean isRefused(CompletableFuture<Sluice> started) {
    if (!started.isDone()) return false;
    return started.isCompletedExceptionally() || started.join().hasFailed();
  }

  static Stream<String> consumerProtocols() {
    return Servers.variants("classic", "consumer");
  }

  @ParameterizedTest
  @MethodSource("consumerProtocols")
  void anIdThatPlainConsumersUseIsTheirs(String protocol) throws Exception {
    Map<String, String> settings = settings();
    Map<String, Object> consumer =
        Map.of(
            "bootstrap.servers", servers.kafka.bootstrapServers(),
            "group.id", settings.get("application.id"),
            "group.protocol", protocol);
    servers.publish("mails", Collections.singletonList(null), List.of(new byte[1]));
    try (KafkaConsumer<byte[], byte[]> mailer =
        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      mailer.subscribe(List.of("mails"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                mailer.poll(Duration.ofMillis(100));
                return !mailer.assignment().isEmpty();
              });
      assertThatThrownBy(() -> Sluice.start(SluiceConfig.of(settings)).close())
          .isInstanceOf(StartException.class)
          .hasMessageContaining("are plain consumers");
    }
  }

  @Tag("full") // an instance is killed, and its session must end
  @Test
  void whoIsWaitedForAfterAKillIsSaid() {
    Map<String, String> settings = new TreeMap<>(settings());
    // Longer than the next instance takes to start on a busy machine.
    settings.put("main.consumer.session.timeout.ms", "30000");
    try (ChildSluice killed = ChildSluice.start(settings)) {
      killed.kill();
    }
    try (ChildSluice next = ChildSluice.start(settings)) {
      assertThat(next.log())
          .contains("waiting for the group of application.id=" + settings.get("application.id"))
          .contains("session.timeout.ms");
    }
  }
}
