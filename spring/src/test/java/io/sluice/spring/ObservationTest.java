package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Metrics and actuator endpoint, and limited methods that are not called over HTTP. */
class ObservationTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableScheduling
  @Import({Api.class, Clock.class})
  static class Application {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @RestController
  static class Api {
    @RateLimit(limit = "reply", key = "#author")
    @RateLimit(limit = "trial", key = "#author")
    @GetMapping("/reply")
    String reply(@RequestParam String author) {
      return "replied";
    }
  }

  static class Clock {
    private final AtomicInteger ticks = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    @Scheduled(fixedDelay = 5)
    @RateLimit(quota = "2/1h", algorithm = "sliding-window-log", fallback = "refuse")
    public void tick() {
      ticks.incrementAndGet();
    }

    void refuse() {
      refused.incrementAndGet();
    }

    int ticks() {
      return ticks.get();
    }

    int refused() {
      return refused.get();
    }
  }

  private static App start() {
    return App.mvc(
        Application.class,
        "management.endpoints.web.exposure.include=sluicelimits",
        "sluice.limit.reply.quota=2/60s",
        "sluice.limit.trial.quota=1/60s",
        "sluice.limit.trial.mode=shadow");
  }

  @Test
  void callsAreCountedByLimitAndVerdict() {
    try (App app = start()) {
      for (int i = 0; i < 3; i++) Http.get(app, "/reply?author=ada");

      assertThat(count(app, "sluice.events", "reply", "allowed")).isEqualTo(2);
      assertThat(count(app, "sluice.events", "reply", "rejected")).isEqualTo(1);
      assertThat(count(app, "sluice.shadow.events", "trial", "rejected")).isEqualTo(2);
      assertThat(app.bean(MeterRegistry.class).get("sluice.redis.available").gauge().value())
          .isEqualTo(1);
    }
  }

  private static double count(App app, String name, String limit, String verdict) {
    return app.bean(MeterRegistry.class)
        .get(name)
        .tag("limit", limit)
        .tag("verdict", verdict)
        .counter()
        .count();
  }

  @Test
  void theActuatorTellsWhatIsLimitedAndWhatIsLeft() {
    try (App app = start()) {
      Http.get(app, "/reply?author=ada");

      assertThat(Http.get(app, "/actuator/sluicelimits").body())
          .contains("\"method\":\"Api.reply\",\"limit\":\"reply\",\"quota\":\"2 in PT1M\"")
          .contains("\"algorithm\":\"funnel\",\"backend\":\"in process\",\"key\":\"#author\"");
      for (int i = 0; i < 3; i++) {
        assertThat(Http.get(app, "/actuator/sluicelimits/reply?key=ada").body())
            .startsWith("{\"limit\":\"reply\",\"key\":\"ada\",\"conforms\":true,\"remaining\":1,");
      }
      assertThat(Http.get(app, "/actuator/sluicelimits/replie?key=ada").statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void aScheduledMethodIsLimited() {
    try (App app = start()) {
      Clock clock = app.bean(Clock.class);
      await().until(() -> clock.refused() >= 5);
      assertThat(clock.ticks()).isEqualTo(2);
    }
  }
}
