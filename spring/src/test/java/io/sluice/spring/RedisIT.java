package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.spring.metering.RedisGate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Limits that applications share in a real Redis, over HTTP, with and without Redis. */
class RedisIT {
  private static final String[] SETTINGS = {
    "sluice.limit.crowd.quota=10/60s",
    "sluice.limit.crowd.algorithm=sliding-window-log",
    "sluice.limit.crowd.backend=redis",
    "sluice.limit.open.quota=1/60s",
    "sluice.limit.open.backend=redis",
    "sluice.limit.open.redis.unavailable=allow",
    "sluice.limit.shut.quota=1000/60s",
    "sluice.limit.shut.backend=redis",
    "sluice.limit.shut.redis.unavailable=reject",
    "sluice.limit.own.quota=2/60s",
    "sluice.limit.own.backend=redis",
    "sluice.limit.total.quota=3/60s",
    "sluice.limit.total.backend=redis",
    "sluice.limit.total.key="
  };
  private static EmbeddedRedis redis;
  private static App one;
  private static App two;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  @RestController
  static class Api {
    @RateLimit(limit = "crowd", key = "#room")
    @GetMapping("/crowd")
    String crowd(@RequestParam String room) {
      return "in";
    }

    @RateLimit(limit = "open", key = "'all'")
    @GetMapping("/open")
    String open() {
      return "in";
    }

    @RateLimit(limit = "shut", key = "'all'")
    @GetMapping("/shut")
    String shut() {
      return "in";
    }

    @RateLimit(limit = "own", key = "#room")
    @GetMapping("/own")
    String own(@RequestParam String room) {
      return "in";
    }

    @RateLimit(limit = "total")
    @GetMapping("/total")
    String total() {
      return "in";
    }

    @RateLimit(limit = "own", key = "#room")
    @RateLimit(quota = "1/60s", key = "#room")
    @GetMapping("/mixed")
    String mixed(@RequestParam String room) {
      return "in";
    }

    @RateLimit(limit = "own", key = "'later'")
    CompletableFuture<String> later() {
      return CompletableFuture.completedFuture("in");
    }
  }

  @BeforeAll
  static void start() {
    redis = EmbeddedRedis.builder().start();
    one = start(redis.uri());
    two = start(redis.uri());
  }

  private static App start(String uri) {
    String[] settings = Arrays.copyOf(SETTINGS, SETTINGS.length + 1);
    settings[SETTINGS.length] = "sluice.redis.uri=" + uri;
    return App.mvc(Application.class, settings);
  }

  @AfterAll
  static void stop() {
    one.close();
    two.close();
    redis.close();
  }

  @Test
  void ofAHundredThreadsTenGetIn() {
    assertThat(Http.statuses(200, 100, "/crowd?room=one", one)).isEqualTo(10);
  }

  @Test
  void ofAHundredThreadsTenGetInToTwoApplicationsTogether() {
    assertThat(Http.statuses(200, 100, "/crowd?room=two", one, two)).isEqualTo(10);
  }

  /** Makes the bucket of an event as a stream does, without running one. */
  @Test
  void whatAStreamChargesToTheLimitIsCountedToo() {
    Map<String, String> settings =
        Map.of("quota", "10/60s", "algorithm", "sliding-window-log", "backend", "redis");
    Limit limit = LimitTexts.none().read("crowd", settings).limit();
    long now = System.currentTimeMillis() * 1_000;
    try (RedisMeter stream = new RedisMeter(RedisSettings.of(redis.uri()))) {
      for (int i = 0; i < 4; i++) {
        Arrival arrival = new Arrival("event-" + i, 1, now);
        List<Bucket> buckets = Limit.buckets(List.of(limit), new Reply("shared"));
        assertThat(stream.meter(Request.of(arrival, buckets)).admitted()).isTrue();
      }
    }
    assertThat(Http.statuses(200, 100, "/crowd?room=shared", one, two)).isEqualTo(6);
  }

  /** Event of a stream. */
  private record Reply(String userId) implements Event {
    @Override
    public String eventId() {
      return "";
    }

    @Override
    public String action() {
      return "reply";
    }

    @Override
    public String topic() {
      return "replies";
    }

    @Override
    public long occurredAtMs() {
      return 0;
    }

    @Override
    public long cost() {
      return 1;
    }

    @Override
    public String target() {
      return "thread-1";
    }

    @Override
    public String attribute(String name) {
      return "";
    }
  }

  @Test
  void aLimitWithoutAKeyOfItsOwnIsOneCountForAll() {
    assertThat(Http.statuses(200, 10, "/total", one, two)).isEqualTo(3);
  }

  @Test
  void whatRedisRefusesIsNotChargedInProcess() {
    assertThat(Http.get(one, "/own?room=x").statusCode()).isEqualTo(200);
    assertThat(Http.get(one, "/own?room=x").statusCode()).isEqualTo(200);
    assertThat(Http.get(one, "/mixed?room=x").statusCode()).isEqualTo(429);
    assertThat(Http.header(Http.get(one, "/mixed?room=x"), "RateLimit"))
        .contains("\"Api.mixed-2\";r=1")
        .contains("\"own\";r=0");
  }

  @Test
  void whatIsRefusedInProcessIsNotChargedInRedis() {
    assertThat(Http.get(one, "/mixed?room=y").statusCode()).isEqualTo(200);
    assertThat(Http.get(one, "/mixed?room=y").statusCode()).isEqualTo(429);
    assertThat(Http.get(one, "/own?room=y").statusCode()).isEqualTo(200);
    assertThat(Http.get(one, "/own?room=y").statusCode()).isEqualTo(429);
  }

  @Test
  void aFutureIsRefusedByFailing() {
    Api api = one.bean(Api.class);
    assertThat(api.later().join()).isEqualTo("in");
    assertThat(api.later().join()).isEqualTo("in");
    CompletableFuture<String> over = api.later();
    assertThat(over.handle((value, thrown) -> thrown).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RateLimitExceededException.class);
  }

  @Test
  void withoutRedisEachLimitDoesAsConfigured() {
    try (EmbeddedRedis gone = EmbeddedRedis.builder().start();
        App app = start(gone.uri())) {
      assertThat(Http.get(app, "/own?room=z").statusCode()).isEqualTo(200);
      assertThat(Http.get(app, "/shut").statusCode()).isEqualTo(200);
      gone.kill();

      assertThat(Http.statuses(200, 20, "/own?room=z", app)).isEqualTo(2); // counted in process now
      assertThat(Http.statuses(200, 20, "/open", app)).isEqualTo(20);
      assertThat(Http.get(app, "/shut").statusCode()).isEqualTo(503);
      assertThat(app.bean(RedisGate.class).isOpen()).isFalse();

      gone.start();
      await().until(() -> app.bean(RedisGate.class).isOpen());
      assertThat(Http.statuses(200, 20, "/open", app)).isEqualTo(1);
    }
  }
}
