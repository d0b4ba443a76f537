package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.BusyRedis;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.spring.metering.RedisGate;
import io.sluice.spring.proxy.BackgroundCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Many asynchronous calls while Redis does not answer, or answers slowly. */
@Tag("slow") // many calls wait for a Redis that does not answer
class FrozenRedisIT {
  private static final int CALLS = 200;

  /** Maximum number of threads in Redis' client: one that sends, and one that probes. */
  private static final int FEW = 2;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  static class Api {
    @RateLimit(limit = "open", key = "'all'")
    Mono<String> open() {
      return Mono.just("in");
    }

    @RateLimit(limit = "shut", key = "'all'")
    Flux<String> shut() {
      return Flux.just("in");
    }

    @RateLimit(limit = "own", key = "'all'")
    @RateLimit(quota = "20/60m", key = "'all'")
    Mono<String> own() {
      return Mono.just("in");
    }

    @RateLimit(limit = "many", key = "'all'")
    @RateLimit(quota = "5/60m", key = "'all'")
    Mono<String> both() {
      return Mono.just("in");
    }

    @RateLimit(limit = "shut", key = "'all'")
    @RateLimit(quota = "1000/60m", key = "'all'")
    Mono<String> late() {
      return Mono.just("in");
    }

    @RateLimit(limit = "many", key = "'all'")
    Mono<String> all() {
      return Mono.just("in");
    }

    @RateLimit(limit = "open", key = "'all'")
    CompletableFuture<String> openLater() {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @RateLimit(limit = "shut", key = "'all'")
    CompletableFuture<String> shutLater() {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @RateLimit(limit = "own", key = "'all'")
    @RateLimit(quota = "20/60m", key = "'all'")
    CompletableFuture<String> ownLater() {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }
  }

  /** The two kinds of asynchronous methods. */
  enum Kind {
    PUBLISHERS(
        api -> api.open().toFuture(),
        api -> api.shut().next().toFuture(),
        api -> api.own().toFuture()),
    FUTURES(Api::openLater, Api::shutLater, Api::ownLater);

    final Function<Api, CompletableFuture<String>> open;
    final Function<Api, CompletableFuture<String>> shut;
    final Function<Api, CompletableFuture<String>> own;

    Kind(
        Function<Api, CompletableFuture<String>> open,
        Function<Api, CompletableFuture<String>> shut,
        Function<Api, CompletableFuture<String>> own) {
      this.open = open;
      this.shut = shut;
      this.own = own;
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void callsHoldNoThreadsAndAreAnsweredAsConfigured(Kind kind) {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = start(redis)) {
      Api api = app.bean(Api.class);
      assertThat(kind.open.apply(api).join()).isNotNull(); // connects
      redis.pause();
      List<CompletableFuture<String>> open = call(api, kind.open);
      List<CompletableFuture<String>> shut = call(api, kind.shut);
      List<CompletableFuture<String>> own = call(api, kind.own);
      assertThat(open).as("nobody waits for Redis").noneMatch(CompletableFuture::isDone);
      List<CompletableFuture<String>> threads = new ArrayList<>();
      for (CompletableFuture<String> each : all(open, shut, own)) {
        threads.add(each.handle((value, failure) -> Thread.currentThread().getName()));
      }

      assertThat(mostThreadsInRedisUntil(threads)).isBetween(1L, (long) FEW);

      assertThat(threads)
          .as("who asks Redis has no time for others")
          .noneMatch(each -> each.join().startsWith("sluice-redis"));

      assertThat(open).allMatch(each -> failure(each) == null);
      assertThat(shut).allMatch(each -> failure(each) instanceof LimiterUnavailableException);
      assertThat(own).filteredOn(each -> failure(each) == null).hasSize(10);
      assertThat(own)
          .filteredOn(each -> failure(each) != null)
          .allMatch(each -> failure(each) instanceof RateLimitExceededException);
      redis.resume();
      await().until(() -> app.bean(RedisGate.class).isOpen());
      assertThat(kind.shut.apply(api).join()).isNotNull();
    }
  }

  @Tag("full") // many calls wait for a Redis that does not answer
  @Test
  void whoFindsTooManyCallsWaitingForAThreadIsAnsweredOnItsOwn() {
    CountDownLatch held = new CountDownLatch(1);
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = start(redis)) {
      Api api = app.bean(Api.class);
      assertThat(api.openLater().join()).startsWith("sluice-call-");
      BackgroundCalls background = app.bean(BackgroundCalls.class);
      for (int i = 0; i < 10_016; i++) background.execute(() -> awaitOpen(held));
      assertThat(api.openLater()).isCompletedWithValue(Thread.currentThread().getName());
      held.countDown();
    }
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A long timeout gives the test time to cancel calls. */
  @Tag("full") // many calls wait for a Redis that does not answer
  @Test
  void whoCancelsBeforeRedisIsAskedIsNotCharged() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = start(redis, "sluice.redis.timeout=10s")) {
      Api api = app.bean(Api.class);
      assertThat(api.own().block()).isEqualTo("in"); // 9 are left
      redis.pause();
      CompletableFuture<String> first = api.own().toFuture();
      await().until(() -> threadsInRedis() == 1);
      for (int i = 0; i < CALLS; i++) api.own().subscribe().dispose();
      redis.resume();
      assertThat(first.join()).isEqualTo("in"); // 8 are left
      assertThat(call(api, each -> each.own().toFuture()))
          .filteredOn(each -> failure(each) == null)
          .hasSize(8);
    }
  }

  /** The decision in this process for one call does not know of other calls in the same batch. */
  @Test
  void redisIsChargedForFewWhoAreRefusedHere() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = start(redis)) {
      Api api = app.bean(Api.class);
      assertThat(call(api, each -> each.both().toFuture()))
          .filteredOn(each -> failure(each) == null)
          .hasSize(5);
      List<CompletableFuture<String>> rest = call(api, each -> each.all().toFuture());
      assertThat(rest).filteredOn(each -> failure(each) == null).hasSizeBetween(100 - 5 - 15, 95);
    }
  }

  /** Redis answers each batch, but these calls are sent a few at a time. */
  @Tag("full") // many calls wait for a Redis that does not answer
  @Test
  void whoWaitsTooLongForOthersIsAnsweredAsConfigured() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = start(redis)) {
      Api api = app.bean(Api.class);
      assertThat(api.late().block()).isEqualTo("in");
      try (BusyRedis busy = new BusyRedis(redis.port(), Duration.ofMillis(150), 2)) {
        await().until(() -> busy.slices() > 0);
        List<CompletableFuture<String>> late = new ArrayList<>();
        for (int i = 0; i < 2; i++) late.addAll(call(api, each -> each.late().toFuture()));
        await().until(() -> late.stream().allMatch(CompletableFuture::isDone));
        assertThat(late).anyMatch(each -> failure(each) == null);
        assertThat(late).anyMatch(each -> failure(each) instanceof LimiterUnavailableException);
      }
    }
  }

  private static App start(EmbeddedRedis redis, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sluice.redis.uri=" + redis.uri(),
                "sluice.limit.open.quota=1000/60s",
                "sluice.limit.open.backend=redis",
                "sluice.limit.open.redis.unavailable=allow",
                "sluice.limit.shut.quota=1000/60s",
                "sluice.limit.shut.backend=redis",
                "sluice.limit.shut.redis.unavailable=reject",
                "sluice.limit.own.quota=10/60m",
                "sluice.limit.own.backend=redis",
                "sluice.limit.many.quota=100/60m",
                "sluice.limit.many.backend=redis"));
    settings.addAll(List.of(more));
    return App.plain(Application.class, settings.toArray(String[]::new));
  }

  private static List<CompletableFuture<String>> call(
      Api api, Function<Api, CompletableFuture<String>> method) {
    return IntStream.range(0, CALLS).mapToObj(i -> method.apply(api)).toList();
  }

  @SafeVarargs
  private static <T> List<T> all(List<T>... some) {
    List<T> all = new ArrayList<>();
    for (List<T> each : some) all.addAll(each);
    return all;
  }

  private static long mostThreadsInRedisUntil(List<CompletableFuture<String>> ends) {
    long[] most = new long[1];
    await()
        .until(
            () -> {
              most[0] = Math.max(most[0], threadsInRedis());
              return ends.stream().allMatch(CompletableFuture::isDone);
            });
    return most[0];
  }

  private static long threadsInRedis() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack ->
                Arrays.stream(stack)
                    .anyMatch(each -> each.getClassName().startsWith("io.sluice.limiter.redis.")))
        .count();
  }

  private static Throwable failure(CompletableFuture<String> call) {
    Throwable thrown = call.handle((value, failure) -> failure).join();
    return thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown;
  }
}
