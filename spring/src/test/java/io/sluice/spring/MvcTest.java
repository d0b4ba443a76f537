package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.web.CallerOf;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Limited methods in a servlet application, over HTTP. */
class MvcTest extends WebContract {
  private static App app;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Api.class, Mailer.class})
  static class Application {
    @Bean
    RateLimitKeyResolver byApiKey() {
      return caller -> caller.header("X-Api-Key").orElseGet(() -> CallerOf.byDefault(caller));
    }

    @Bean
    Filter login() {
      return (request, response, chain) ->
          chain.doFilter(new LoggedIn((HttpServletRequest) request), response);
    }
  }

  /** Request whose header X-User names the authenticated user. */
  static class LoggedIn extends HttpServletRequestWrapper {
    LoggedIn(HttpServletRequest request) {
      super(request);
    }

    @Override
    public Principal getUserPrincipal() {
      String name = getHeader("X-User");
      return name == null ? null : () -> name;
    }
  }

  @RestController
  static class Api {
    private final Mailer mailer;

    Api(Mailer mailer) {
      this.mailer = mailer;
    }

    @RateLimit(period = 30, threshold = 2)
    @GetMapping("/hi")
    String hi() {
      return "hi";
    }

    @RateLimit(quota = "10/60s", algorithm = "sliding-window-log")
    @GetMapping("/crowd")
    String crowd() {
      return "in";
    }

    @RateLimit(quota = "1/60s", algorithm = "sliding-window-log")
    @GetMapping("/once")
    String once() {
      return "once";
    }

    @RateLimit(limit = "reply", key = "#author", cost = "#parts")
    @GetMapping("/reply")
    String reply(@RequestParam String author, @RequestParam(defaultValue = "1") int parts) {
      return "replied";
    }

    @RateLimit(quota = "1/60s", fallback = "less")
    @GetMapping("/more")
    String more(@RequestParam String topic) {
      return "all of " + topic;
    }

    String less(String topic, RateLimitExceededException exceeded) {
      return "a little of " + topic + ", " + exceeded.limit();
    }

    @RateLimit(quota = "1/60s")
    @GetMapping("/later")
    CompletableFuture<String> later() {
      return CompletableFuture.completedFuture("now");
    }

    @RateLimit(quota = "3/60s", key = "'both'")
    @RateLimit(quota = "2/60s", key = "#author")
    @GetMapping("/both")
    String both(@RequestParam String author) {
      return "both";
    }

    @GetMapping("/mail")
    String mail() {
      return mailer.send("ada");
    }
  }

  static class Mailer {
    @RateLimit(quota = "1/60s", key = "#to")
    String send(String to) {
      return "sent";
    }
  }

  @BeforeAll
  static void start() {
    app = App.mvc(Application.class, "sluice.limit.reply.quota=5/60s");
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
  void aConfiguredLimitCountsByItsKeyAndCost() {
    assertThat(Http.get(app, "/reply?author=ada&parts=4").statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/reply?author=ada&parts=2").statusCode()).isEqualTo(429);
    assertThat(Http.get(app, "/reply?author=ada&parts=1").statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/reply?author=bob&parts=5").statusCode()).isEqualTo(200);
  }

  @Test
  void whatCostsMoreThanTheLimitEverAllowsIsNotToldToWait() {
    HttpResponse<String> over = Http.get(app, "/reply?author=eve&parts=6");
    assertThat(over.statusCode()).isEqualTo(429);
    assertThat(over.headers().firstValue("Retry-After")).isEmpty();
  }

  @Test
  void aCostThatIsNoneIsAMistakeAndNotAWayAround() {
    assertThat(Http.get(app, "/reply?author=mal&parts=-5").statusCode()).isEqualTo(500);
    assertThat(Http.get(app, "/reply?author=mal&parts=5").statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/reply?author=mal&parts=-5").statusCode()).isEqualTo(500);
    assertThat(Http.get(app, "/reply?author=mal").statusCode()).isEqualTo(429);
    assertThat(Http.get(app, "/reply?author=mal&parts=0").statusCode()).isEqualTo(500);
  }

  @Test
  void aFallbackAnswersInstead() {
    assertThat(Http.get(app, "/more?topic=cats").body()).isEqualTo("all of cats");
    HttpResponse<String> over = Http.get(app, "/more?topic=cats");
    assertThat(over.statusCode()).isEqualTo(200);
    assertThat(over.body()).isEqualTo("a little of cats, Api.more");
    assertThat(over.headers().firstValue("Retry-After")).isEmpty();
  }

  @Test
  void aFutureIsLimitedToo() {
    assertThat(Http.get(app, "/later").body()).isEqualTo("now");
    assertThat(Http.get(app, "/later").statusCode()).isEqualTo(429);
  }

  @Test
  void severalLimitsAreChargedTogetherOrNotAtAll() {
    assertThat(Http.get(app, "/both?author=ada").statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/both?author=ada").statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/both?author=ada").statusCode()).isEqualTo(429);
    HttpResponse<String> bobs = Http.get(app, "/both?author=bob");
    assertThat(bobs.statusCode()).isEqualTo(200);
    assertThat(Http.header(bobs, "RateLimit-Policy"))
        .isEqualTo("\"Api.both\";q=3;w=60, \"Api.both-2\";q=2;w=60");
  }

  @Test
  void aMethodThatIsNoHandlerIsLimitedToo() {
    assertThat(Http.get(app, "/mail").statusCode()).isEqualTo(200);
    HttpResponse<String> over = Http.get(app, "/mail");
    assertThat(over.statusCode()).isEqualTo(429);
    assertThat(Http.header(over, "RateLimit-Policy")).isEqualTo("\"Mailer.send\";q=1;w=60");
  }

  @Test
  void callersAreCountedByTheResolver() {
    String[] ada = {"X-Api-Key", "ada"};
    assertThat(Http.get(app, "/hi", ada).statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/hi", ada).statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/hi", ada).statusCode()).isEqualTo(429);
    assertThat(Http.get(app, "/hi", "X-Api-Key", "bob").statusCode()).isEqualTo(200);
  }
}
