package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Answers to HTTP clients, the same with servlets and with WebFlux. */
abstract class WebContract {
  /**
   * Returns an application with a class Api: {@code /hi} allows two calls in 30 seconds, {@code
   * /crowd} ten in any 60, and {@code /once} one in any 60. The header X-User names the
   * authenticated user.
   */
  abstract App app();

  @Test
  void whoIsOverTheLimitIsAnswered429WithTheWait() {
    assertThat(Http.get(app(), "/hi").statusCode()).isEqualTo(200);
    HttpResponse<String> last = Http.get(app(), "/hi");
    HttpResponse<String> over = Http.get(app(), "/hi");

    assertThat(last.body()).isEqualTo("hi");
    assertThat(Http.header(last, "RateLimit-Policy")).isEqualTo("\"Api.hi\";q=2;w=30");
    assertThat(Http.header(last, "RateLimit")).isEqualTo("\"Api.hi\";r=0;t=30");
    assertThat(Http.header(last, "Retry-After")).isEmpty();
    assertThat(over.statusCode()).isEqualTo(429);
    assertThat(Http.header(over, "Retry-After")).matches("29|30");
    assertThat(Http.header(over, "RateLimit-Policy")).isEqualTo("\"Api.hi\";q=2;w=30");
    assertThat(Http.header(over, "RateLimit")).matches("\"Api.hi\";r=0;t=(29|30)");
    assertThat(Http.header(over, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(over.body())
        .contains("https://iana.org/assignments/http-problem-types#quota-exceeded")
        .contains("\"violated-policies\":[\"Api.hi\"]");
  }

  @Test
  void ofAHundredThreadsTenGetIn() {
    assertThat(Http.statuses(200, 100, "/crowd", app())).isEqualTo(10);
  }

  @Test
  void whoHasLoggedInIsCountedByNameAndOthersByAddress() {
    assertThat(Http.get(app(), "/once", "X-User", "ada").statusCode()).isEqualTo(200);
    assertThat(Http.get(app(), "/once", "X-User", "ada").statusCode()).isEqualTo(429);
    assertThat(Http.get(app(), "/once", "X-User", "bob").statusCode()).isEqualTo(200);
    assertThat(Http.get(app(), "/once").statusCode()).isEqualTo(200);
    assertThat(Http.get(app(), "/once").statusCode()).isEqualTo(429);
    assertThat(Http.get(app(), "/once", "X-User", "127.0.0.1").statusCode()).isEqualTo(200);
  }
}
