package io.sluice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.util.backoff.FixedBackOff;

/** Listeners whose records wait for their turn, on a real broker. */
@Tag("slow") // records wait for turns of seconds, and groups are rebalanced
class ListenerIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static EmbeddedKafka kafka;
  private String topic;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @BeforeEach
  void createTopic(TestInfo test) throws Exception {
    topic = test.getTestMethod().orElseThrow().getName();
    try (Admin admin = admin()) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    }
  }

  /** Events of all listeners. */
  static class Log {
    final List<String> processed = new CopyOnWriteArrayList<>();
    final List<String> recovered = new CopyOnWriteArrayList<>();
    final List<String> seenByHandlers = new CopyOnWriteArrayList<>();
    final AtomicInteger rebalances = new AtomicInteger();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Base {
    @Bean
    Log log() {
      return new Log();
    }

    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }

    @Bean
    ConsumerAwareRebalanceListener rebalances(Log log) {
      return new ConsumerAwareRebalanceListener() {
        @Override
        public void onPartitionsRevokedBeforeCommit(
            Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
          log.rebalances.incrementAndGet();
        }

        @Override
        public void onPartitionsLost(
            Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
          log.rebalances.incrementAndGet();
        }
      };
    }

    @Bean
    DefaultErrorHandler errorHandler(Log log) {
      DefaultErrorHandler handler =
          new DefaultErrorHandler(
              (record, thrown) -> log.recovered.add(record.value() + ": " + root(thrown)),
              new FixedBackOff(0, 1));
      handler.setRetryListeners(
          (record, thrown, attempt) ->
              log.seenByHandlers.add(record.value() + ": " + root(thrown) + " " + attempt));
      return handler;
    }

    @Bean
    KafkaListenerErrorHandler swallow(Log log) {
      return (message, thrown) -> {
        log.seenByHandlers.add("swallowed " + root(thrown));
        return null;
      };
    }

    private static String root(Throwable thrown) {
      Throwable root = thrown;
      while (root.getCause() != null) root = root.getCause();
      return root.getClass().getSimpleName();
    }
  }

  private App app(Class<?> source, String... settings) {
    List<String> all = new ArrayList<>(Arrays.asList(settings));
    all.add("topic=" + topic);
    all.add("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
    all.add("spring.kafka.consumer.group-id=" + topic);
    all.add("spring.kafka.consumer.auto-offset-reset=earliest");
    all.add("spring.kafka.consumer.properties.session.timeout.ms=6000");
    return App.plain(source, all.toArray(String[]::new));
  }

  private void publish(int partition, List<String> values) {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      values.forEach(value -> producer.send(new ProducerRecord<>(topic, partition, "key", value)));
    }
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private long committed(int partition) throws Exception {
    try (Admin admin = admin()) {
      OffsetAndMetadata offset =
          admin
              .listConsumerGroupOffsets(topic)
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(topic, partition));
      return offset == null ? 0 : offset.offset();
    }
  }

  private static double count(App app, String verdict) {
    Counter counter =
        app.bean(MeterRegistry.class).find("sluice.events").tag("verdict", verdict).counter();
    return counter == null ? 0 : counter.count();
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).collect(toList());
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Slow.class})
  static class SlowApplication {}

  static class Slow {
    private final Log log;

    Slow(Log log) {
      this.log = log;
    }

    @KafkaListener(topics = "${topic}", errorHandler = "swallow")
    @RateLimit(quota = "5/1500ms", algorithm = "sliding-window-log")
    String listen(String value) {
      log.processed.add(value);
      return "no reply is asked for";
    }
  }

  /** A wait is longer than {@code max.poll.interval.ms}. */
  @Test
  void allAreProcessedOnceAndInOrderWithoutARebalance() throws Exception {
    publish(0, numbers(1, 20));
    String away = "spring.kafka.consumer.properties.max.poll.interval.ms=1000";
    try (App app = app(SlowApplication.class, away)) {
      Log log = app.bean(Log.class);
      await().atMost(SOON).until(() -> log.processed.size() >= 20);
      await().atMost(SOON).until(() -> committed(0) == 20);

      assertThat(log.processed).isEqualTo(numbers(1, 20));
      assertThat(count(app, "allowed")).isEqualTo(20);
      assertThat(count(app, "rejected")).isGreaterThanOrEqualTo(3);
      assertThat(log.rebalances).hasValue(0);
      assertThat(log.seenByHandlers).isEmpty();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, OneAnHour.class, Unlimited.class})
  static class OneAnHourApplication {}

  static class OneAnHour {
    private final Log log;

    OneAnHour(Log log) {
      this.log = log;
    }

    @KafkaListener(id = "held", idIsGroup = false, topics = "${topic}")
    @RateLimit(limit = "held", key = "'all'")
    void listen(ConsumerRecord<String, String> record) {
      log.processed.add(record.value());
    }
  }

  static class Unlimited {
    private final List<String> processed = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "${topic}", groupId = "others")
    void listen(String value) {
      processed.add(value);
    }

    List<String> processed() {
      return processed;
    }
  }

  @Test
  void whoStopsMeanwhileLosesNothing() throws Exception {
    publish(0, numbers(1, 3));
    try (App app = app(OneAnHourApplication.class, "sluice.limit.held.quota=1/1h")) {
      Log log = app.bean(Log.class);
      MessageListenerContainer container =
          app.bean(KafkaListenerEndpointRegistry.class).getListenerContainer("held");
      await().atMost(SOON).until(() -> count(app, "rejected") == 1 && committed(0) == 1);
      await().atMost(SOON).until(() -> app.bean(Unlimited.class).processed().size() == 3);
      assertThat(log.processed).isEqualTo(numbers(1, 1));

      container.stop();
      assertThat(container.isChildRunning()).isFalse();
      assertThat(log.processed).isEqualTo(numbers(1, 1));
    }
    assertThat(committed(0)).isEqualTo(1);
    try (App app = app(OneAnHourApplication.class, "sluice.limit.held.quota=2/1h")) {
      await().atMost(SOON).until(() -> committed(0) == 3);
      assertThat(app.bean(Log.class).processed).isEqualTo(numbers(2, 3));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Away.class})
  static class AwayApplication {}

  static class Away {
    private final Log log;

    Away(Log log) {
      this.log = log;
    }

    /** The first call takes until the group has removed the consumer. */
    @KafkaListener(topics = "${topic}")
    @RateLimit(limit = "away", key = "'all'")
    void listen(ConsumerRecord<String, String> record) {
      boolean isFirst = log.processed.isEmpty();
      log.processed.add(record.value());
      if (isFirst) await().atMost(SOON).until(() -> isEmpty(record.topic()));
    }

    private static boolean isEmpty(String group) throws Exception {
      try (Admin admin = admin()) {
        return admin
            .describeConsumerGroups(List.of(group))
            .all()
            .get()
            .get(group)
            .members()
            .isEmpty();
      }
    }
  }

  /**
   * The commit of the record before the waiting one fails, since its consumer did not poll for too
   * long.
   */
  @Tag("full") // records wait for turns of seconds
  @Test
  void aRecordThatWaitsIsNoFailureIfACommitFails() throws Exception {
    publish(0, numbers(1, 2));
    String away = "spring.kafka.consumer.properties.max.poll.interval.ms=1000";
    try (App app = app(AwayApplication.class, away, "sluice.limit.away.quota=1/1h")) {
      Log log = app.bean(Log.class);
      await().atMost(SOON).until(() -> log.rebalances.get() > 0 && count(app, "rejected") >= 2);
      assertThat(log.processed).isEqualTo(numbers(1, 1));
      assertThat(log.seenByHandlers).isEmpty();
      assertThat(log.recovered).isEmpty();
    }
    assertThat(committed(0)).isEqualTo(0);
    try (App app = app(AwayApplication.class, away, "sluice.limit.away.quota=9/1h")) {
      await().atMost(SOON).until(() -> app.bean(Log.class).processed.contains("2"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Odd.class, Mailer.class})
  static class OddApplication {}

  static class Odd {
    private final Log log;
    private final Mailer mailer;

    Odd(Log log, Mailer mailer) {
      this.log = log;
      this.mailer = mailer;
    }

    @KafkaListener(topics = "${topic}")
    @RateLimit(quota = "5/1s", key = "'all'", cost = "#value.length()")
    void listen(String value) {
      if (value.equals("bad")) throw new IllegalArgumentException(value);
      if (value.equals("mail")) mailer.send();
      log.processed.add(value);
    }
  }

  static class Mailer {
    private final AtomicInteger sent = new AtomicInteger();

    @RateLimit(quota = "1/1h")
    void send() {
      sent.incrementAndGet();
    }
  }

  /** Failures, records that never conform and calls made by a listener do not wait. */
  @Tag("full") // records wait for turns of seconds
  @Test
  void theErrorHandlerGetsWhatFails() throws Exception {
    publish(0, List.of("a", "bad", "too long", "mail", "mail", "z"));
    try (App app = app(OddApplication.class)) {
      Log log = app.bean(Log.class);
      await().atMost(SOON).until(() -> committed(0) == 6);
      assertThat(log.processed).containsExactly("a", "mail", "z");
      assertThat(log.recovered)
          .containsExactly(
              "bad: IllegalArgumentException",
              "too long: RateLimitExceededException",
              "mail: RateLimitExceededException");
      assertThat(log.seenByHandlers)
          .containsExactly(
              "bad: IllegalArgumentException 1",
              "bad: IllegalArgumentException 2",
              "too long: RateLimitExceededException 1",
              "too long: RateLimitExceededException 2",
              "mail: RateLimitExceededException 1",
              "mail: RateLimitExceededException 2");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Less.class})
  static class LessApplication {}

  static class Less {
    private final Log log;

    Less(Log log) {
      this.log = log;
    }

    @KafkaListener(topics = "${topic}")
    @RateLimit(quota = "2/1h", fallback = "less", algorithm = "sliding-window-log")
    @RateLimit(quota = "3/1h")
    void listen(String value) {
      log.processed.add(value);
    }

    void less(String value) {
      log.processed.add("less " + value);
    }
  }

  @Test
  void aFallbackIsCalledInsteadOfWaiting() throws Exception {
    publish(0, numbers(1, 4));
    try (App app = app(LessApplication.class)) {
      await().atMost(SOON).until(() -> committed(0) == 4);
      assertThat(app.bean(Log.class).processed).containsExactly("1", "2", "less 3", "less 4");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Copies.class})
  static class CopiesApplication {}

  static class Copies {
    private final Log log;
    private final KafkaTemplate<String, String> template;

    Copies(Log log, KafkaTemplate<String, String> template) {
      this.log = log;
      this.template = template;
    }

    @KafkaListener(topics = "${topic}")
    @RateLimit(quota = "2/1s", key = "'all'")
    void listen(String value) {
      template.send("copies", value);
      log.processed.add(value);
    }
  }

  /**
   * Whichever partition the third record is in, records of the other partition are polled after it.
   */
  @Tag("full") // records wait for turns of seconds
  @Test
  void aTransactionWaitsAsWell() throws Exception {
    publish(0, numbers(1, 4));
    publish(1, numbers(11, 14));
    try (App app = app(CopiesApplication.class, "spring.kafka.producer.transaction-id-prefix=tx")) {
      Log log = app.bean(Log.class);
      await().atMost(SOON).until(() -> log.processed.size() >= 8);
      assertThat(log.processed.stream().filter(value -> value.length() == 1))
          .isEqualTo(numbers(1, 4));
      assertThat(log.processed.stream().filter(value -> value.length() == 2))
          .isEqualTo(numbers(11, 14));
      assertThat(count(app, "allowed")).isEqualTo(8);
      assertThat(log.seenByHandlers).isEmpty();
    }
  }

  /** Repeated at once, the transaction would be refused many times. */
  @Test
  void aTransactionIsRolledBackOnceForEachWait() throws Exception {
    publish(0, numbers(1, 3));
    String transactional = "spring.kafka.producer.transaction-id-prefix=tx";
    try (App app = app(OneAnHourApplication.class, transactional, "sluice.limit.held.quota=2/1h")) {
      MessageListenerContainer container =
          app.bean(KafkaListenerEndpointRegistry.class).getListenerContainer("held");
      await().atMost(SOON).untilAsserted(() -> assertThat(committed(0)).isEqualTo(2));
      await().atMost(SOON).untilAsserted(() -> assertThat(count(app, "rejected")).isGreaterThan(0));
      await().atMost(SOON).until(() -> app.bean(Unlimited.class).processed().size() == 3);
      assertThat(container.isPartitionPaused(new TopicPartition(topic, 0))).isTrue();
      container.stop();
      assertThat(count(app, "rejected")).isEqualTo(1);
      assertThat(app.bean(Log.class).processed).isEqualTo(numbers(1, 2));
    }
    assertThat(committed(0)).isEqualTo(2);
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Handlers.class})
  static class HandlersApplication {}

  @KafkaListener(topics = "${topic}")
  static class Handlers {
    private final Log log;

    Handlers(Log log) {
      this.log = log;
    }

    @KafkaHandler
    @RateLimit(quota = "2/1s")
    void listen(String value) {
      log.processed.add(value);
    }
  }

  @Test
  void aHandlerOfAClassWaitsAsWell() throws Exception {
    publish(0, numbers(1, 5));
    try (App app = app(HandlersApplication.class)) {
      await().atMost(SOON).until(() -> committed(0) == 5);
      Log log = app.bean(Log.class);
      assertThat(log.processed).isEqualTo(numbers(1, 5));
      assertThat(count(app, "allowed")).isEqualTo(5);
      assertThat(log.seenByHandlers).isEmpty();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Retried.class})
  static class RetriedApplication {}

  static class Retried {
    private final Log log;

    Retried(Log log) {
      this.log = log;
    }

    @RetryableTopic(attempts = "2")
    @KafkaListener(topics = "${topic}")
    @RateLimit(quota = "2/1s", key = "'all'")
    void listen(ConsumerRecord<String, String> record) {
      boolean first = record.topic().equals("onlyFailuresGoToTheRetryTopic");
      if (first && record.value().equals("bad")) throw new IllegalArgumentException("bad");
      log.processed.add(first ? record.value() : "again " + record.value());
    }
  }

  @Tag("full") // records wait for turns of seconds
  @Test
  void onlyFailuresGoToTheRetryTopic() throws Exception {
    publish(0, List.of("1", "2", "bad", "3", "4", "5"));
    try (App app = app(RetriedApplication.class)) {
      Log log = app.bean(Log.class);
      await().atMost(SOON).until(() -> committed(0) == 6 && log.processed.size() == 6);
      assertThat(log.processed).containsSubsequence("1", "2", "3", "4", "5").contains("again bad");
      assertThat(count(app, "allowed")).isEqualTo(7);
    }
  }

  @Test
  void aRecordWaitsForARedisThatRejects() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      redis.kill();
      publish(0, numbers(1, 3));
      try (App app =
          app(
              OneAnHourApplication.class,
              "sluice.redis.uri=" + redis.uri(),
              "sluice.limit.held.quota=9/1h",
              "sluice.limit.held.backend=redis",
              "sluice.limit.held.redis.unavailable=reject")) {
        Log log = app.bean(Log.class);
        await().atMost(SOON).until(() -> app.bean(Unlimited.class).processed().size() == 3);
        assertThat(log.processed).isEmpty();
        redis.start();
        await().atMost(SOON).until(() -> committed(0) == 3);
        assertThat(log.processed).isEqualTo(numbers(1, 3));
        assertThat(log.seenByHandlers).isEmpty();
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Advised.class})
  static class AdvisedApplication {
    /** Advice that treats every exception as a failure, and drops the record. */
    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> advice(
        Log log) {
      MethodInterceptor advice =
          invocation -> {
            try {
              return invocation.proceed();
            } catch (RuntimeException e) {
              log.recovered.add(Base.root(e));
              return null;
            }
          };
      return container -> container.getContainerProperties().setAdviceChain(advice);
    }
  }

  static class Advised {
    private final Log log;

    Advised(Log log) {
      this.log = log;
    }

    @KafkaListener(id = "advised", idIsGroup = false, topics = "${topic}", concurrency = "2")
    @RateLimit(quota = "2/1s", key = "'all'")
    void listen(String value) {
      if (value.equals("bad")) throw new IllegalArgumentException(value);
      log.processed.add(value);
    }
  }

  /** The advice is around the user's listener once, however often the container starts. */
  @Tag("full") // records wait for turns of seconds
  @Test
  void anAdviceSeesNothingOfRecordsThatWait() throws Exception {
    publish(0, List.of("1", "2", "3", "bad", "4"));
    try (App app = app(AdvisedApplication.class)) {
      Log log = app.bean(Log.class);
      await().atMost(SOON).until(() -> committed(0) == 5);
      assertThat(log.processed).isEqualTo(numbers(1, 4));

      MessageListenerContainer container =
          app.bean(KafkaListenerEndpointRegistry.class).getListenerContainer("advised");
      container.stop();
      publish(0, numbers(5, 8));
      container.start();
      await().atMost(SOON).until(() -> committed(0) == 9);
      assertThat(log.processed).isEqualTo(numbers(1, 8));
      assertThat(log.recovered).containsExactly("IllegalArgumentException");
      assertThat(log.seenByHandlers).isEmpty();
    }
  }

  /** Another consumer may have processed the record for which the partition was paused. */
  @Tag("full") // records wait for turns of seconds
  @Test
  void aPartitionThatComesBackIsAskedAboutAgain() throws Exception {
    publish(0, numbers(1, 2));
    try (App app = app(OneAnHourApplication.class, "sluice.limit.held.quota=1/1h")) {
      await().atMost(SOON).until(() -> count(app, "rejected") == 1);
      try (KafkaConsumer<String, String> other = consumer()) {
        other.subscribe(List.of(topic));
        await()
            .atMost(SOON)
            .until(
                () -> {
                  other.poll(Duration.ofMillis(100));
                  return !other.assignment().isEmpty();
                });
        other.seekToEnd(other.assignment());
        other.assignment().forEach(other::position);
        other.commitSync();
      }
      publish(0, numbers(3, 3));
      await().atMost(SOON).until(() -> count(app, "rejected") >= 2);
      assertThat(app.bean(Log.class).processed).isEqualTo(numbers(1, 1));
    }
  }

  private KafkaConsumer<String, String> consumer() {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            topic,
            "auto.offset.reset",
            "earliest");
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Base.class, Informed.class})
  static class InformedApplication {
    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        count() {
      return container -> container.getContainerProperties().setDeliveryAttemptHeader(true);
    }
  }

  static class Informed {
    private final Log log;

    Informed(Log log) {
      this.log = log;
    }

    @KafkaListener(topics = "${topic}", info = "shop")
    @RateLimit(quota = "1/1s", key = "'all'")
    void listen(ConsumerRecord<String, String> record) {
      List<String> headers = new ArrayList<>();
      record
          .headers()
          .forEach(
              header -> {
                byte[] value = header.value();
                boolean isText = header.key().equals(KafkaHeaders.LISTENER_INFO);
                headers.add(
                    isText
                        ? new String(value, UTF_8)
                        : "attempt " + ByteBuffer.wrap(value).getInt());
              });
      log.processed.add(record.value() + " " + headers);
      if (record.value().equals("bad")) throw new IllegalArgumentException("bad");
    }
  }

  /**
   * The container adds headers each time it offers a record, and waiting records stay in memory.
   */
  @Tag("full") // records wait for turns of seconds
  @Test
  void aRecordThatHasWaitedHasTheHeadersOfOneOffer() throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      ProducerRecord<String, String> forwarded = new ProducerRecord<>(topic, 0, "key", "forwarded");
      forwarded.headers().add(KafkaHeaders.LISTENER_INFO, "before".getBytes(UTF_8));
      for (String each : List.of("first", "second", "bad")) {
        producer.send(new ProducerRecord<>(topic, 0, "key", each));
      }
      producer.send(forwarded);
    }
    try (App app = app(InformedApplication.class)) {
      await().atMost(SOON).until(() -> committed(0) == 4);
      assertThat(count(app, "rejected")).isGreaterThanOrEqualTo(4);
      assertThat(app.bean(Log.class).processed)
          .containsExactly(
              "first [attempt 1, shop]",
              "second [attempt 1, shop]",
              "bad [attempt 1, shop]",
              "bad [attempt 2, shop]",
              "forwarded [before, attempt 1, shop]");
    }
  }
}
