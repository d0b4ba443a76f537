package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.App;
import io.sluice.spring.RateLimit;
import io.sluice.spring.RateLimitExceededException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Calls whose web request has ended before they are metered. */
@Tag("slow") // waits until the server ends requests
class EndedRequestTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Mailer.class)
  static class Application {
    @Bean
    WebCallSource ended() {
      return Ended::new;
    }
  }

  /** Ended request that behaves like Tomcat's. */
  private record Ended() implements WebCall {
    @Override
    public Optional<String> principal() {
      return Optional.of("ada");
    }

    @Override
    public Optional<String> remoteAddress() {
      return Optional.empty();
    }

    @Override
    public Optional<String> header(String name) {
      return Optional.empty();
    }

    @Override
    public RateLimitFields fields() {
      throw new IllegalStateException("recycled");
    }

    @Override
    public void answer(String header, String text) {
      throw new IllegalStateException("recycled");
    }
  }

  static class Mailer {
    @RateLimit(quota = "1/60s")
    CompletableFuture<String> send() {
      return CompletableFuture.completedFuture("sent");
    }
  }

  @Test
  void areDecidedAsAnyOther() {
    try (App app = App.plain(Application.class)) {
      Mailer mailer = app.bean(Mailer.class);
      assertThat(mailer.send()).isCompletedWithValue("sent");
      assertThat(mailer.send())
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .withCauseInstanceOf(RateLimitExceededException.class);
    }
  }
}
