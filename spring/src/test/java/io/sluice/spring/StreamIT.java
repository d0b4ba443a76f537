package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.streams.Action;
import io.sluice.streams.Throttle;
import io.sluice.streams.Throttled;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A stream and two applications share one limit in Redis. */
@Tag("slow") // two applications and a stream run together
class StreamIT {
  private static final Serde<String> TEXT = Serdes.String();
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Map<String, String> LIMIT =
      Map.of(
          "sluice.limit.crowd.quota", "10/60s",
          "sluice.limit.crowd.algorithm", "sliding-window-log",
          "sluice.limit.crowd.backend", "redis");

  private static EmbeddedKafka kafka;
  private static EmbeddedRedis redis;

  @BeforeAll
  static void start() throws Exception {
    redis = EmbeddedRedis.builder().start();
    kafka = EmbeddedKafka.start();
    try (Admin admin = Admin.create(client())) {
      admin
          .createTopics(
              Stream.of("knocks", "in", "out")
                  .map(name -> new NewTopic(name, 1, (short) 1))
                  .toList())
          .all()
          .get();
    }
  }

  @AfterAll
  static void stop() {
    kafka.close();
    redis.close();
  }

  private static Map<String, Object> client() {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Door.class)
  static class Application {}

  @RestController
  static class Door {
    @RateLimit(limit = "crowd", key = "#room")
    @GetMapping("/knock")
    String knock(@RequestParam String room) {
      return "in";
    }
  }

  /**
   * The stream runs at least once, because exactly once would meter a knock only after a commit,
   * when the applications have used up the limit.
   */
  @Test
  void ofAllWhoKnockAtBothApplicationsAndTheStreamTenGetIn(@TempDir Path state) throws Exception {
    try (App one = application();
        App two = application();
        Throttle throttle = Throttle.of(config(state, "at_least_once"))) {
      try (KafkaStreams stream = stream(throttle);
          KafkaProducer<String, String> producer = producer()) {
        stream.start();
        knock(producer, "warm-up", 1);
        assertThat(answers("warm-up", 1)).containsExactly("in");
        assertThat(Http.statuses(200, 2, "/knock?room=warm-up", one, two)).isEqualTo(2);

        CompletableFuture<Void> knocks =
            CompletableFuture.runAsync(() -> knock(producer, "hall", 50));
        long overHttp = Http.statuses(200, 100, "/knock?room=hall", one, two);
        knocks.get();
        List<String> answers = answers("hall", 50);
        assertThat(overHttp + answers.stream().filter("in"::equals).count()).isEqualTo(10);
      }
    }
  }

  @Tag("full") // two applications and a stream run together
  @Test
  void whatTheApplicationsHaveLetInIsCountedByTheStream(@TempDir Path state) throws Exception {
    try (App one = application();
        App two = application();
        Throttle throttle = Throttle.of(config(state, "exactly_once_v2"))) {
      assertThat(Http.statuses(200, 3, "/knock?room=attic", one)).isEqualTo(3);
      assertThat(Http.statuses(200, 3, "/knock?room=attic", two)).isEqualTo(3);
      try (KafkaStreams stream = stream(throttle);
          KafkaProducer<String, String> producer = producer()) {
        stream.start();
        knock(producer, "attic", 3);
        assertThat(answers("attic", 3)).containsOnly("in");
        assertThat(Http.statuses(200, 100, "/knock?room=attic", one, two)).isEqualTo(1);
      }
    }
  }

  private static App application() {
    return App.mvc(
        Application.class,
        Stream.concat(
                Stream.of("sluice.redis.uri=" + redis.uri()),
                LIMIT.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()))
            .toArray(String[]::new));
  }

  private static SluiceConfig config(Path state, String guarantee) {
    Map<String, String> settings = new HashMap<>(LIMIT);
    settings.put("sluice.limits", "crowd");
    settings.put("sluice.redis.uri", redis.uri());
    settings.put("application.id", state.getFileName().toString());
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("state.dir", state.toString());
    settings.put("sluice.topics.partitions", "1");
    settings.put("processing.guarantee", guarantee);
    return SluiceConfig.of(settings);
  }

  private static KafkaStreams stream(Throttle throttle) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> knocks = builder.stream("knocks", Consumed.with(TEXT, TEXT));
    Throttled<String, String> throttled =
        throttle
            .with(TEXT, TEXT)
            .by((key, room) -> Action.of(room, "knock"))
            .apply(builder, knocks);
    throttled.allowed().to("in", Produced.with(TEXT, TEXT));
    throttled.rejected().to("out", Produced.with(TEXT, TEXT));
    throttle.prepareTopics();
    return throttle.streams(builder.build());
  }

  private static KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(client(), new StringSerializer(), new StringSerializer());
  }

  private static void knock(KafkaProducer<String, String> producer, String room, int times) {
    for (int i = 0; i < times; i++) producer.send(new ProducerRecord<>("knocks", room));
    producer.flush();
  }

  /** Returns the output topics of a room's knocks, once there are this many. */
  private static List<String> answers(String room, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(client(), new StringDeserializer(), new StringDeserializer())) {
      List<String> topics = new ArrayList<>();
      List<TopicPartition> partitions =
          Stream.of("in", "out").map(topic -> new TopicPartition(topic, 0)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await()
          .atMost(SOON)
          .until(
              () -> {
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) {
                  if (each.value().equals(room)) topics.add(each.topic());
                }
                return topics.size() >= count;
              });
      return topics;
    }
  }
}
