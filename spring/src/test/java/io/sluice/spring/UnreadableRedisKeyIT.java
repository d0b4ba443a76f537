package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.spring.metering.RedisGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import redis.clients.jedis.Jedis;

/** A key in Redis of another type: its calls do without Redis, and no others. */
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
                "sluice.limit.open.quota=2/1h",
                "sluice.limit.open.backend=redis",
                "sluice.limit.open.redis.unavailable=allow")) {
      Api api = app.bean(Api.class);
      assertThat(api.shut("broken") + api.open("broken")).isEqualTo("inin");
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
    }
  }
}
