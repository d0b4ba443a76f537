package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.spring.metering.RedisGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import redis.clients.jedis.Jedis;

/** If a key in Redis has another type, only the calls with that key do without Redis. */
class UnreadableRedisKeyIT {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  static class Api {
    @RateLimit(limit = "shut", key = "#user")
    String shut(String user) {
      return "in";
    }

    @RateLimit(limit = "open", key = "#user")
    String open(String user) {
      return "in";
    }

    @RateLimit(limit = "shut", key = "#user")
    @RateLimit(limit = "watches", key = "#device")
    String watched(String user, String device) {
      return "in";
    }

    @RateLimit(limit = "shut", key = "#user")
    @RateLimit(limit = "watches", key = "#device")
    CompletableFuture<String> watchedLater(String user, String device) {
      return CompletableFuture.completedFuture("in");
    }

    @RateLimit(limit = "shut", key = "#user")
    CompletableFuture<String> later(String user) {
      return CompletableFuture.completedFuture("in");
    }
  }

  @Test
  void onlyItsCallsDoWithoutRedis() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Jedis jedis = new Jedis("127.0.0.1", redis.port());
        App app =
            App.plain(
                Application.class,
                "sluice.redis.uri=" + redis.uri(),
                "sluice.redis.timeout=10s",
                "sluice.limit.shut.quota=2/1h",
                "sluice.limit.shut.backend=redis",
                "sluice.limit.shut.redis.unavailable=reject",
                "sluice.limit.watches.quota=2/1h",
                "sluice.limit.watches.backend=redis",
                "sluice.limit.watches.mode=shadow",
                "sluice.limit.open.quota=2/1h",
                "sluice.limit.open.backend=redis",
                "sluice.limit.open.redis.unavailable=allow")) {
      ListAppender<ILoggingEvent> warnings = warnings();
      Api api = app.bean(Api.class);
      assertThat(api.shut("broken") + api.open("broken")).isEqualTo("inin");
      assertThat(api.watched("eve", "broken")).isEqualTo("in");
      for (String key : jedis.keys("*{broken}*")) {
        jedis.del(key);
        jedis.rpush(key, "a list");
      }
      for (int i = 0; i < 4; i++) {
        assertThat(catchThrowable(() -> api.shut("broken")))
            .isInstanceOf(UnreadableKeyException.class)
            .hasMessageContaining("WRONGTYPE");
        assertThat(api.open("broken")).isEqualTo("in");
        assertThat(app.bean(RedisGate.class).isOpen()).isTrue();
      }
      assertThat(api.shut("ann")).isEqualTo("in");

      List<CompletableFuture<String>> broken = new ArrayList<>();
      List<CompletableFuture<String>> others = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        broken.add(api.later("broken"));
        others.add(api.later("user" + i));
      }
      assertThat(others).allMatch(each -> each.join().equals("in"));
      assertThat(broken)
          .allMatch(
              each -> catchThrowable(each::join).getCause() instanceof UnreadableKeyException);
      assertThat(app.bean(RedisGate.class).isOpen()).isTrue();

      for (String user : List.of("kim", "lea")) {
        assertThat(api.watched(user, "broken") + api.watchedLater(user, "broken").join())
            .as("a key of a limit that only watches")
            .isEqualTo("inin");
        assertThat(catchThrowable(() -> api.watched(user, "broken")))
            .isInstanceOf(RateLimitExceededException.class);
        assertThat(catchThrowable(() -> api.watchedLater(user, "broken").join()))
            .hasCauseInstanceOf(RateLimitExceededException.class);
      }
      assertThat(warnings.list)
          .as("one for ten seconds, however many calls")
          .hasSizeBetween(1, 9)
          .allMatch(each -> each.getFormattedMessage().contains("WRONGTYPE"));
    }
  }

  private static ListAppender<ILoggingEvent> warnings() {
    ListAppender<ILoggingEvent> warnings = new ListAppender<>();
    warnings.start();
    Logger logger = (Logger) LoggerFactory.getLogger(RedisGate.class);
    logger.setLevel(Level.WARN);
    logger.addAppender(warnings);
    return warnings;
  }
}
