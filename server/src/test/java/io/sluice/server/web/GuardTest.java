package io.sluice.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.server.web.Route.Reply;
import io.sluice.server.web.Route.Request;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the clients that may read and that may write. */
class GuardTest {
  private static final String TOKEN = "a-token-of-some-length";
  private static final String BEARER = "Authorization: Bearer " + TOKEN;
  private static final Map<String, String> ANYWHERE = Map.of("sluice.http.host", "0.0.0.0");
  private static final Map<String, String> WITH_TOKEN =
      Map.of("sluice.http.host", "0.0.0.0", "sluice.http.token", TOKEN);

  /** Route that returns the request. */
  private record Echo(String path) implements Route {
    @Override
    public Reply reply(Request request) {
      String below = List.copyOf(request.below()).toString();
      String asked = request.method() + below + request.parameters() + request.body();
      return Reply.problem(200, asked + " may write: " + request.mayWrite());
    }
  }

  private static Served served(Map<String, String> settings) {
    return new Served(settings, new Echo("/api/echo"));
  }

  private static int status(String answer) {
    assertThat(answer).startsWith("HTTP/1.1 ");
    return Integer.parseInt(answer.substring(9, 12));
  }

  @Test
  void thisMachineAsksWithoutAToken() throws Exception {
    try (Served served = served(Map.of())) {
      for (String name : List.of("127.0.0.1", "localhost", "LOCALHOST", "[::1]")) {
        String host = "Host: " + name + ":" + served.port();
        assertThat(status(served.ask("GET /api/echo", host))).as(name).isEqualTo(200);
      }
    }
  }

  @Test
  void aNameThatSomebodyElseHasPointHereIsRefused() throws Exception {
    try (Served served = served(Map.of("sluice.http.advertised", "Sluice.example.org:80"))) {
      for (String name :
          List.of("evil.example", "localhost.evil.example", "localhost", "127.0.0.1", "")) {
        String port = name.contains("evil") ? ":" + served.port() : "";
        String answer = served.ask("GET /api/echo", "Host: " + name + port);
        assertThat(status(answer)).as(name).isIn(400, 403);
        assertThat(status(served.ask("GET /", "Host: " + name + port))).isIn(400, 403);
      }
      String other = "Host: localhost:" + (served.port() - 1);
      assertThat(served.ask("GET /api/echo", other))
          .startsWith("HTTP/1.1 403")
          .contains("sluice.http.advertised");
      String advertised = "Host: sluice.example.org:80";
      assertThat(status(served.ask("GET /api/echo", advertised))).isEqualTo(200);
    }
  }

  @Test
  void metricsAndHealthAreForEverybody() throws Exception {
    try (Served served = served(ANYWHERE)) {
      assertThat(status(served.ask("GET /metrics", "Host: any"))).isEqualTo(200);
      assertThat(status(served.ask("GET /health/live", "Host: any"))).isEqualTo(200);
      assertThat(status(served.ask("GET /health/ready", "Host: any"))).isEqualTo(503);
    }
  }

  /** As in a pod that has only an IPv6 address. */
  @Test
  void allAddressesIncludeThoseOfIpv6() throws Exception {
    assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null);
    try (Served served = served(ANYWHERE);
        Socket socket = new Socket("::1", served.port())) {
      String request = "GET /health/live HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(status(Served.all(socket.getInputStream()))).isEqualTo(200);
    }
  }

  @Test
  void beyondThisMachineATokenMustBeSet() throws Exception {
    try (Served served = served(ANYWHERE)) {
      for (String path : List.of("/api/echo", "/api", "/", "/any.js")) {
        assertThat(served.ask("GET " + path, "Host: " + served.host(), BEARER))
            .startsWith("HTTP/1.1 403")
            .contains("sluice.http.token");
      }
    }
  }

  @Test
  void theTokenIsWantedWhereverItIsSet() throws Exception {
    for (Map<String, String> settings : List.of(WITH_TOKEN, Map.of("sluice.http.token", TOKEN))) {
      try (Served served = served(settings)) {
        String host = "Host: any.example";
        assertThat(status(served.ask("GET /api/echo", host, BEARER))).isEqualTo(200);
        assertThat(status(served.ask("GET /api/echo", host, BEARER.toLowerCase()))).isEqualTo(200);
        for (String wrong :
            List.of(
                "X: y",
                "Authorization: Bearer",
                "Authorization: Bearer ",
                "Authorization: Basic " + TOKEN,
                BEARER + "x",
                BEARER.substring(0, BEARER.length() - 1),
                "Cookie: sluice-session=" + TOKEN,
                "Cookie: sluice-session=")) {
          String answer = served.ask("GET /api/echo", host, wrong);
          assertThat(answer).startsWith("HTTP/1.1 401").contains("WWW-Authenticate: Bearer");
          assertThat(answer).doesNotContain(TOKEN);
        }
      }
    }
  }

  @Test
  void aTokenMayOnlyRead() throws Exception {
    String read = "another-token-that-reads";
    Map<String, String> settings = new TreeMap<>(WITH_TOKEN);
    settings.put("sluice.http.token.read", read);
    settings.put("sluice.http.write", "true");
    String host = "Host: any.example";
    try (Served served = served(settings)) {
      String form =
          served.send(
              "POST /session", "token=" + read, host, "Content-Type: x-www-form-urlencoded");
      assertThat(form).startsWith("HTTP/1.1 303");
      String cookie = form.replaceAll("(?s).*Set-Cookie: ([^;]*);.*", "Cookie: $1");
      for (String reads : List.of("Authorization: Bearer " + read, cookie)) {
        assertThat(served.ask("GET /api/echo", host, reads))
            .contains("GET[]{}", "may write: false");
        assertThat(status(served.ask("HEAD /api/echo", host, reads))).isEqualTo(200);
        assertThat(status(served.ask("GET /", host, reads))).isEqualTo(200);
        assertThat(served.ask("GET /session", host, reads)).contains("HTTP/1.1 200", "<form");
        for (String method : List.of("PUT", "POST", "DELETE", "PATCH", "OPTIONS")) {
          assertThat(served.send(method + " /api/echo", "{}", host, reads))
              .as(method)
              .startsWith("HTTP/1.1 403")
              .contains("{\"error\":\"this token is read-only (sluice.http.token.read); ");
        }
      }
      assertThat(served.send("PUT /api/echo", "{}", host, BEARER))
          .contains("HTTP/1.1 200", "may write: true");
      assertThat(status(served.ask("GET /api/echo", host, "Authorization: Bearer x" + read)))
          .isEqualTo(401);
    }
  }

  @Test
  void aFormLetsABrowserIn() throws Exception {
    try (Served served = served(WITH_TOKEN)) {
      String host = "Host: " + served.host();
      String form = "Content-Type: application/x-www-form-urlencoded";
      assertThat(served.ask("GET /", host))
          .startsWith("HTTP/1.1 401")
          .contains("<form", "password");
      assertThat(served.send("POST /session", "token=" + TOKEN + "x", host, form))
          .startsWith("HTTP/1.1 401")
          .doesNotContain("Set-Cookie", TOKEN);
      assertThat(served.send("POST /session", "token=", host, form))
          .startsWith("HTTP/1.1 401")
          .doesNotContain("Set-Cookie");
      String entered = served.send("POST /session", "token=" + TOKEN, host, form);
      assertThat(entered)
          .startsWith("HTTP/1.1 303")
          .containsPattern(
              "(?m)^Set-Cookie: sluice-session=[0-9a-f]{64};.*HttpOnly; SameSite=Strict")
          .doesNotContain(TOKEN);
      String cookie = entered.replaceAll("(?s).*Set-Cookie: ([^;]*);.*", "Cookie: $1");
      assertThat(status(served.ask("GET /api/echo", host, cookie))).isEqualTo(200);
      String elsewhere = "Origin: http://evil.example";
      assertThat(served.send("POST /session", "token=" + TOKEN, host, form, elsewhere))
          .startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void nothingIsWrittenUnlessThatIsEnabled() throws Exception {
    try (Served served = served(Map.of())) {
      assertThat(served.send("PUT /api/echo", "{}", "Host: " + served.host()))
          .startsWith("HTTP/1.1 403")
          .contains("sluice.http.write=true");
      assertThat(status(served.send("POST /", "{}", "Host: " + served.host()))).isEqualTo(405);
    }
  }

  @Test
  void onlyAPageOfThisInstanceMayWrite() throws Exception {
    try (Served served = served(Map.of("sluice.http.write", "true"))) {
      String host = "Host: " + served.host();
      String own = "Origin: http://" + served.host();
      assertThat(served.send("PUT /api/echo/a", "{}", host, own))
          .startsWith("HTTP/1.1 200")
          .contains("PUT[a]{}{}");
      assertThat(status(served.send("PUT /api/echo", "{}", host))).isEqualTo(200);
      for (String foreign :
          List.of(
              "Origin: http://evil.example",
              "Origin: null",
              "Origin: http://" + served.host() + ".evil.example",
              "Origin: http://localhost:" + (served.port() - 1),
              "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Site: same-site",
              "Host: evil.example")) {
        String answer =
            foreign.startsWith("Host")
                ? served.send("PUT /api/echo", "{}", foreign)
                : served.send("PUT /api/echo", "{}", host, foreign);
        assertThat(answer).as(foreign).startsWith("HTTP/1.1 403");
      }
      assertThat(served.send("PUT /api/echo", "a=b", host, "Content-Type: text/plain"))
          .startsWith("HTTP/1.1 415");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/api/echo", "/api/none", "/", "/%00", "/x\ny"})
  void everyAnswerForbidsWhatItDoesNotNeed(String path) throws Exception {
    try (Served served = served(Map.of())) {
      assertThat(served.ask("GET " + path, "Host: " + served.host()))
          .contains(
              "Content-Security-Policy: default-src 'none'",
              "frame-ancestors 'none'",
              "X-Content-Type-Options: nosniff",
              "Cache-Control: no-store")
          .doesNotContain("Jetty", "\nServer:", "Access-Control-Allow");
    }
  }
}
