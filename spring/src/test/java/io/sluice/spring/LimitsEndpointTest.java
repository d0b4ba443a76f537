package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision;
import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.metering.RedisGate;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.proxy.StartCheck;
import io.sluice.spring.watch.LimitsEndpoint;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Waits in milliseconds, of limits that count in microseconds. */
class LimitsEndpointTest {
  /** Each permit takes 333,333 and a third microseconds to return. */
  private static final String THIRDS = "3/1s";

  private static final InstantSource STOPPED = () -> Instant.EPOCH;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Post.class)
  static class Application {}

  static class Post {
    @RateLimit(limit = "reply", key = "#to")
    void send(String to) {}
  }

  @Test
  void theResetIsRoundedUp() throws Exception {
    try (App app = App.plain(Application.class, "sluice.limit.reply.quota=" + THIRDS)) {
      FollowedLimits limits = app.bean(FollowedLimits.class);
      LimitedMethods methods = app.bean(LimitedMethods.class);
      RedisGate redis = app.bean(RedisGate.class);
      CallMeter meter = new CallMeter(redis, limits, STOPPED);
      LimitsEndpoint endpoint =
          new LimitsEndpoint(
              app.context().getBeanFactory(),
              app.bean(StartCheck.class),
              methods,
              meter,
              limits,
              STOPPED);
      MethodLimit reply =
          methods
              .of(Post.class.getDeclaredMethod("send", String.class), Post.class)
              .limits()
              .get(0);
      meter.meter(List.of(reply.ask(List.of("ada"))), 1);
      assertThat(endpoint.left("reply", "ada").resetAfterMs()).isEqualTo(334);
      assertThat(endpoint.left("reply", "bob").resetAfterMs()).isZero();
    }
  }

  @Test
  void theWaitInAMessageIsRoundedUp() {
    Decision refused = new Decision.NonConforming(0, 400, 400);
    assertThat(new RateLimitExceededException("reply", refused, List.of("reply")))
        .hasMessage("over the limit reply; retry after 1 ms");
    Decision blocked = new Decision.Blocked(333_334, 333_334);
    assertThat(new RateLimitExceededException("reply", blocked, List.of("reply")))
        .hasMessage("over the limit reply; retry after 334 ms");
  }
}
