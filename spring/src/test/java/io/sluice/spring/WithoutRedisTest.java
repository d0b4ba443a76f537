package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.limiter.LimiterUnavailableException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Limits that reject while Redis is unavailable. */
class WithoutRedisTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  static class Api {
    @RateLimit(limit = "watched", key = "'all'")
    String watched() {
      return "in";
    }

    @RateLimit(limit = "watched", key = "'all'")
    @RateLimit(limit = "enforced", key = "'all'")
    String both() {
      return "in";
    }
  }

  @Test
  void oneThatOnlyWatchesRejectsNothing() {
    try (App app =
        App.plain(
            Application.class,
            "sluice.redis.uri=redis://127.0.0.1:1",
            "sluice.limit.watched.quota=1/60s",
            "sluice.limit.watched.mode=shadow",
            "sluice.limit.watched.backend=redis",
            "sluice.limit.watched.redis.unavailable=reject",
            "sluice.limit.enforced.quota=1/60s",
            "sluice.limit.enforced.backend=redis",
            "sluice.limit.enforced.redis.unavailable=reject")) {
      Api api = app.bean(Api.class);
      assertThat(api.watched()).isEqualTo("in");
      assertThat(api.watched()).isEqualTo("in");
      assertThat(catchThrowable(api::both))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining("the limit enforced rejects until it is back");
    }
  }
}
