package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.spring.settings.LimitMistakesException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.PriorityOrdered;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

/** Mistakes in annotations and settings are all reported at start, together. */
@Tag("slow") // starts an application for each mistake
class MistakesTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Wrong.class, Sealed.class})
  static class Application {}

  static class Wrong {
    @RateLimit(limit = "relpy", key = "#author")
    void misspelt(String author) {}

    @RateLimit(limit = "sms", key = "#author")
    void delayed(String author) {}

    @RateLimit(limit = "vendor", key = "#author")
    void queued(String author) {}

    @RateLimit(limit = "cards")
    void distinct() {}

    @RateLimit(quota = "5/fortnight")
    void quota() {}

    @RateLimit(quota = "5/60s", algorithm = "sliding-window-log", burst = 9)
    void burst() {}

    @RateLimit(period = 30)
    void halfPlain() {}

    @RateLimit(quota = "5/60s", limit = "reply")
    void twoSources() {}

    @RateLimit(quota = "5/60s", key = "#autor")
    void key(String author) {}

    @RateLimit(quota = "5/60s", key = "#author +")
    void expression(String author) {}

    @RateLimit(quota = "5/60s", cost = "#p2")
    void cost(String author) {}

    @RateLimit(limit = "pair")
    void noKey() {}

    @RateLimit(quota = "5/60s", fallback = "other")
    String fallback(String author) {
      return author;
    }

    int other(String author) {
      return 0;
    }

    @RateLimit(limit = "reply", key = "'a'")
    @RateLimit(limit = "reply", key = "'b'")
    void twice() {}

    @RateLimit(quota = "5/60s", cost = "2")
    @RateLimit(quota = "9/60s")
    void costs() {}

    @RateLimit(quota = "5/60s")
    private void unseen() {}

    @RateLimit(quota = "5/60s")
    final void last() {}

    void use() {
      unseen();
    }
  }

  static final class Sealed {
    @RateLimit(quota = "5/60s")
    void open() {}
  }

  @Test
  void allAreFoundAtOnceAndNameBeanAndMethod() {
    assertThat(
            mistakes(
                Application.class,
                "sluice.limit.reply.quota=5/60s",
                "sluice.limit.reply.redis.unavailable=allow",
                "sluice.limit.pair.quota=5/60s",
                "sluice.limit.pair.key=userId,target",
                "sluice.limit.pair.qouta=6/60s",
                "sluice.limit.sms.quota=1/2s",
                "sluice.limit.sms.exceeded=delay",
                "sluice.limit.vendor.quota=20/1s",
                "sluice.limit.vendor.exceeded=queue",
                "sluice.limit.vendor.queue.max.wait=1h",
                "sluice.limit.cards.quota=3/24h",
                "sluice.limit.cards.distinct=attributes.card",
                "sluice.limit.cards.algorithm=hyperloglog",
                "sluice.limit.far.quota=5/60s",
                "sluice.limit.far.backend=redis",
                "sluice.limit.far.redis.unavailable=wait",
                "sluice.bootstrap.servers=localhost",
                "sluice.topics.limits=a b",
                "sluice.limits.live=maybe",
                "sluice.retry.backoff.ms=-1",
                "sluice.ssl.keystore.password=secret",
                "sluice.reconnect.backoff.ms=soon",
                "sluice.redis.timeout=fast",
                "sluice.topics.input=clicks"))
        .extracting(line -> line.replace("bean io.sluice.spring.MistakesTest$", "bean "))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.redis.unavailable=allow: only applies with backend=redis",
            "sluice.limit.pair.qouta: unknown; did you mean sluice.limit.pair.quota?",
            "sluice.limit.far.redis.unavailable=wait: a call cannot wait for Redis; accepted are"
                + " allow, reject, state-store",
            "sluice.topics.limits=a b: at most 249 letters, digits, ., _ and -",
            "sluice.limits.live=maybe: accepted are true, false",
            "sluice.retry.backoff.ms=-1: Value must be at least 0",
            "sluice.bootstrap.servers=localhost: not an address; a comma list of host:port, such as"
                + " localhost:9092",
            "sluice.reconnect.backoff.ms=soon: Not a number of type LONG",
            "sluice.topics.input: unknown, or only for a stream; accepted are"
                + " sluice.application.id, sluice.bootstrap.servers, sluice.limits,"
                + " sluice.limits.live, sluice.redis.expiry.grace, sluice.redis.key.prefix,"
                + " sluice.redis.timeout, sluice.redis.uri, sluice.topics.limits, sluice.limit.N.*,"
                + " and settings of Kafka's consumers with the prefix sluice.",
            "sluice.redis.timeout=fast: milliseconds or a period, 1ms to 10s",
            "sluice.redis.uri: missing; needed by limits on redis: far; such as"
                + " redis://localhost:6379",
            "bean Wrong, Wrong.misspelt: limit=relpy: not configured; did you mean reply?",
            "bean Wrong, Wrong.delayed: limit=sms: a method's limit can only reject; exceeded=delay,"
                + " retry and queue are only for a stream",
            "bean Wrong, Wrong.queued: limit=vendor: a method's limit can only reject;"
                + " exceeded=delay, retry and queue are only for a stream",
            "bean Wrong, Wrong.distinct: limit=cards: a method's limit counts calls; distinct and"
                + " algorithm=bloom are only for a stream",
            "bean Wrong, Wrong.quota: quota=5/fortnight: a quota's period is 500ms, 60s, 10m, 1h,"
                + " 1d, ISO-8601 such as PT1M, or hour, day, week, month or year",
            "bean Wrong, Wrong.burst: burst=9: only a funnel has a burst, not a sliding-window-log",
            "bean Wrong, Wrong.halfPlain: period (seconds) and threshold must be at least 1",
            "bean Wrong, Wrong.twoSources: set exactly one of limit, quota, or period with"
                + " threshold",
            "bean Wrong, Wrong.key: key=#autor: no parameter #autor; there are #author",
            "bean Wrong, Wrong.expression: key=#author +: not a SpEL expression: "
                + "EL1042E: Problem parsing right operand",
            "bean Wrong, Wrong.cost: cost=#p2: no parameter #p2; there are #author",
            "bean Wrong, Wrong.noKey: key: missing; the limit counts by userId,target, so a list is"
                + " needed, such as {#a, #b}",
            "bean Wrong, Wrong.fallback: fallback: other returns int, not String",
            "bean Wrong, Wrong.twice: limit=reply: twice on the method, but a call is charged to it"
                + " once",
            "bean Wrong, Wrong.costs: cost: must be the same for all limits of a method, but is 2"
                + " and 1",
            "bean Wrong, Wrong.unseen: a private method cannot be limited: calls to it bypass the"
                + " proxy",
            "bean Wrong, Wrong.last: a final method cannot be limited: calls to it bypass the"
                + " proxy",
            "bean Sealed: a final class has no proxy, so these methods are not limited:"
                + " Sealed.open");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class TooEarly {
    @Bean
    static Early early() {
      return new Early();
    }

    @Bean
    static Needy needy(Early early) {
      return new Needy(early);
    }
  }

  static class Early {
    @RateLimit(quota = "5/60s")
    void open() {}

    @RateLimit(quota = "5/60s")
    void close() {}
  }

  /** Created, with its dependency, before post-processors without an order. */
  record Needy(Early early) implements BeanPostProcessor, PriorityOrdered {
    @Override
    public int getOrder() {
      return 0;
    }
  }

  @Test
  void aBeanThatIsMadeTooEarlyIsOne() {
    assertThat(mistakes(TooEarly.class))
        .containsExactly(
            "bean early: created before @RateLimit is active, so these methods are not limited:"
                + " Early.close and Early.open; a BeanPostProcessor and the beans that it needs"
                + " cannot have limits");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Handler.class)
  static class Reactive {}

  @RestController
  static class Handler {
    @RateLimit(quota = "5/60s")
    @GetMapping("/hi")
    String hi() {
      return "hi";
    }

    @RateLimit(quota = "5/60s")
    @GetMapping("/many")
    ParallelFlux<String> many() {
      return Flux.just("a", "b").parallel();
    }
  }

  @Test
  void aReactiveHandlerWhoseCallerIsNotKnownIsOne() {
    Throwable thrown = catchThrowable(() -> App.webFlux(Reactive.class).close());
    assertThat(thrown)
        .hasMessageContaining("Handler.hi: a limited handler in WebFlux must return a Mono or Flux")
        .hasMessageContaining(
            "Handler.many: a limited handler in WebFlux must return a Mono or Flux")
        .isInstanceOf(LimitMistakesException.class);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Listeners.class)
  static class Listening {}

  static class Listeners {
    @KafkaListener(topics = "orders", groupId = "orders", batch = "true")
    @RateLimit(quota = "5/60s")
    void batch(List<String> orders) {}

    @KafkaListener(topics = "orders", groupId = "orders")
    @RateLimit(quota = "5/60s")
    CompletableFuture<String> later(String order) {
      return CompletableFuture.completedFuture(order);
    }

    @KafkaListener(topics = "orders", groupId = "orders")
    @RateLimit(quota = "5/60s")
    Mono<String> reactive(String order) {
      return Mono.just(order);
    }

    @KafkaListener(topics = "orders", groupId = "orders", containerPostProcessor = "mine")
    @RateLimit(quota = "5/60s")
    void prepared(String order) {}
  }

  @Test
  void aListenerThatCannotWaitIsOne() {
    assertThat(mistakes(Listening.class, "spring.kafka.listener.auto-startup=false"))
        .extracting(line -> line.replace("bean io.sluice.spring.MistakesTest$", "bean "))
        .containsExactlyInAnyOrder(
            "bean Listeners, Listeners.batch: a limited @KafkaListener must take one record at a"
                + " time, not a batch; limit a method that the listener calls for each record",
            "bean Listeners, Listeners.later: a limited @KafkaListener must return when the record"
                + " is processed: return no CompletableFuture",
            "bean Listeners, Listeners.reactive: a limited @KafkaListener must return when the"
                + " record is processed: return no Mono",
            "bean Listeners, Listeners.prepared: a limited @KafkaListener cannot have a"
                + " containerPostProcessor, because Sluice sets it to make records wait; use a"
                + " ContainerCustomizer instead");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(OfBatches.class)
  static class ListeningToBatches {}

  static class OfBatches {
    @KafkaListener(id = "batches", topics = "orders")
    @RateLimit(quota = "5/60s")
    void listen(List<String> orders) {}
  }

  @Test
  void aContainerOfBatchesIsOne() {
    assertThat(
            mistakes(
                ListeningToBatches.class,
                "spring.kafka.listener.auto-startup=false",
                "spring.kafka.listener.type=batch"))
        .containsExactly(
            "listener batches: a limited @KafkaListener must take one record at a time, not a"
                + " batch; limit a method that the listener calls for each record");
  }

  @Test
  void aContainerThatAcknowledgesInAnyOrderIsOne() {
    assertThat(
            mistakes(
                ListeningToBatches.class,
                "spring.kafka.listener.auto-startup=false",
                "spring.kafka.listener.async-acks=true"))
        .containsExactly(
            "listener batches: a limited @KafkaListener acknowledges records in their order: remove"
                + " asyncAcks, and methods of its class that return a future or a Mono");
  }

  /** The consumer would commit records that wait in memory; after a restart they would be lost. */
  @Test
  void aConsumerThatCommitsByItselfIsOne() {
    assertThat(
            mistakes(
                ListeningToBatches.class,
                "spring.kafka.listener.auto-startup=false",
                "spring.kafka.consumer.enable-auto-commit=true"))
        .containsExactly(
            "listener batches: a limited @KafkaListener commits records when they are processed:"
                + " remove enable.auto.commit=true, which also commits waiting records");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(OfBatches.class)
  static class FixingOffsets {
    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> fix() {
      return container -> container.getContainerProperties().setFixTxOffsets(true);
    }
  }

  @Test
  void aContainerThatCommitsWhereItHasReadToIsOne() {
    assertThat(mistakes(FixingOffsets.class, "spring.kafka.listener.auto-startup=false"))
        .containsExactly(
            "listener batches: a limited @KafkaListener commits records when they are processed:"
                + " remove fixTxOffsets, which also commits waiting records");
  }

  private static List<String> mistakes(Class<?> source, String... settings) {
    Throwable thrown = catchThrowable(() -> App.plain(source, settings).close());
    assertThat(thrown).isInstanceOf(LimitMistakesException.class);
    return thrown.getMessage().lines().toList();
  }
}
