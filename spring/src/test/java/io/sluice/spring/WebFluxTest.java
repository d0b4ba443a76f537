package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Principal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Limited methods in a WebFlux application, over HTTP. */
@Tag("slow") // starts applications on a reactive server
class WebFluxTest extends WebContract {
  private static App app;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Api.class, Mailer.class})
  static class Application {
    @Bean
    @Order(0)
    WebFilter login() {
      return (exchange, chain) -> chain.filter(loggedIn(exchange));
    }
  }

  /** Returns a request whose header X-User names the authenticated user. */
  private static ServerWebExchange loggedIn(ServerWebExchange exchange) {
    String name = exchange.getRequest().getHeaders().getFirst("X-User");
    if (name == null) return exchange;
    Principal user = () -> name;
    return exchange.mutate().principal(Mono.just(user)).build();
  }

  @RestController
  static class Api {
    private final Mailer mailer;

    Api(Mailer mailer) {
      this.mailer = mailer;
    }

    @RateLimit(period = 30, threshold = 2)
    @GetMapping("/hi")
    Mono<String> hi() {
      return Mono.just("hi");
    }

    @RateLimit(quota = "10/60s", algorithm = "sliding-window-log")
    @GetMapping("/crowd")
    Mono<String> crowd() {
      return Mono.just("in");
    }

    @RateLimit(quota = "1/60s", algorithm = "sliding-window-log")
    @GetMapping("/once")
    Mono<String> once() {
      return Mono.just("once");
    }

    @RateLimit(quota = "1/60s", key = "#topic")
    @GetMapping("/words")
    Flux<String> words(@RequestParam String topic) {
      return Flux.just("a", "b");
    }

    @RateLimit(quota = "1/60s", fallback = "less")
    @GetMapping("/more")
    Mono<String> more() {
      return Mono.just("all");
    }

    Mono<String> less(RateLimitExceededException exceeded) {
      return Mono.just("a little");
    }

    @GetMapping("/mail")
    Mono<String> mail() {
      return mailer.send("ada");
    }
  }

  static class Mailer {
    @RateLimit(quota = "2/60s", key = "#to")
    Mono<String> send(String to) {
      return Mono.just("sent");
    }
  }

  @BeforeAll
  static void start() {
    app = App.webFlux(Application.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Override
  App app() {
    return app;
  }

  @Test
  void aFluxIsLimitedAsAWhole() {
    assertThat(Http.get(app, "/words?topic=x").body()).isEqualTo("ab");
    assertThat(Http.get(app, "/words?topic=x").statusCode()).isEqualTo(429);
    assertThat(Http.get(app, "/words?topic=y").statusCode()).isEqualTo(200);
  }

  @Test
  void aFallbackAnswersInstead() {
    assertThat(Http.get(app, "/more").body()).isEqualTo("all");
    assertThat(Http.get(app, "/more").body()).isEqualTo("a little");
  }

  @Test
  void aMethodThatIsNoHandlerTellsTheAnswerToo() {
    assertThat(Http.header(Http.get(app, "/mail"), "RateLimit"))
        .isEqualTo("\"Mailer.send\";r=1;t=30");
  }

  @Test
  void eachSubscriptionIsACall() {
    Mono<String> mail = app.bean(Mailer.class).send("bob");
    assertThat(mail.block()).isEqualTo("sent");
    assertThat(mail.block()).isEqualTo("sent");
    assertThat(mail.onErrorReturn(RateLimitExceededException.class, "refused").block())
        .isEqualTo("refused");
  }

  @Test
  void callersBehindAProxyAreCountedByTheirOwnAddresses() {
    try (App behind = App.webFlux(Application.class, "server.forward-headers-strategy=framework")) {
      String[] ada = {"X-Forwarded-For", "203.0.113.7"};
      String[] bob = {"X-Forwarded-For", "203.0.113.8"};
      assertThat(Http.get(behind, "/hi", ada).statusCode()).isEqualTo(200);
      assertThat(Http.get(behind, "/hi", ada).statusCode()).isEqualTo(200);
      assertThat(Http.get(behind, "/hi", ada).statusCode()).isEqualTo(429);
      assertThat(Http.get(behind, "/hi", bob).statusCode()).isEqualTo(200);
    }
  }
}
