package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.proxy.StartCheck;
import io.sluice.spring.watch.LimitsEndpoint;
import java.time.InstantSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A cost of 0 conforms to every limit, so the endpoint must also look at the remaining permits. */
class KeyAtItsLimitTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Post.class)
  static class Application {}

  static class Post {
    @RateLimit(limit = "funnel", key = "#to")
    void funnel(String to) {}

    @RateLimit(limit = "log", key = "#to")
    void log(String to) {}

    @RateLimit(limit = "counter", key = "#to")
    void counter(String to) {}
  }

  private static final String[] LIMITS = {
    "sluice.limit.funnel.quota=2/1h",
    "sluice.limit.log.quota=2/1h",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.counter.quota=2/24h",
    "sluice.limit.counter.algorithm=sliding-window-counter"
  };

  private static void call(Post post, String limit) {
    switch (limit) {
      case "funnel" -> post.funnel("ada");
      case "log" -> post.log("ada");
      default -> post.counter("ada");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"funnel", "log", "counter"})
  void aKeyAtItsLimitDoesNotConform(String limit) {
    try (App app = App.plain(Application.class, LIMITS)) {
      LimitsEndpoint endpoint =
          new LimitsEndpoint(
              app.context().getBeanFactory(),
              app.bean(StartCheck.class),
              app.bean(LimitedMethods.class),
              app.bean(CallMeter.class),
              app.bean(FollowedLimits.class),
              InstantSource.system());
      Post post = app.bean(Post.class);
      call(post, limit);
      assertThat(endpoint.left(limit, "ada").conforms()).isTrue();
      call(post, limit);
      assertThat(endpoint.left(limit, "ada").remaining()).isZero();
      assertThat(endpoint.left(limit, "ada").conforms()).isFalse();
      assertThat(endpoint.left(limit, "bob").conforms()).isTrue();
    }
  }
}
