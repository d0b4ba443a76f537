package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Sluice;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of queries to real instances, whose answers must agree with the verdicts. */
@Tag("slow") // instances start, restart and take over
class AskIT {
  static final String[] LIMITS = {
    "sluice.limits=funnel,log,remote,sms,pair,call,text",
    "sluice.limit.funnel.match.action=funnel",
    "sluice.limit.funnel.quota=5/60s",
    "sluice.limit.log.match.action=log",
    "sluice.limit.log.quota=5/60s",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.remote.match.action=remote",
    "sluice.limit.remote.quota=5/60s",
    "sluice.limit.remote.backend=redis",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/60s",
    "sluice.limit.sms.exceeded=delay",
    "sluice.limit.sms.delay.max=10m",
    "sluice.limit.pair.match.action=pair",
    "sluice.limit.pair.quota=5/60s",
    "sluice.limit.pair.key=userId,target",
    "sluice.limit.call.match.action=call",
    "sluice.limit.call.quota=1/1h",
    "sluice.limit.call.exceeded=queue",
    "sluice.limit.text.match.action=text",
    "sluice.limit.text.quota=1/1h",
    "sluice.limit.text.backend=redis",
    "sluice.limit.text.exceeded=queue",
    "sluice.http.port=0"
  };

  private final Servers servers = Servers.shared();
  private final List<Sluice> running = new ArrayList<>();
  private static Sluice shared;
  private static Map<String, String> sharedSettings;

  @AfterEach
  void stop() {
    running.forEach(Sluice::close);
  }

  @AfterAll
  static void stopShared() {
    if (shared != null) shared.close();
  }

  /**
   * Returns the address of an instance with default settings, shared by tests that need only one.
   */
  private URI shared() throws Exception {
    if (shared == null) {
      sharedSettings = servers.settings(LIMITS);
      shared = Sluice.start(SluiceConfig.of(sharedSettings));
      assertThat(shared.awaitRunning()).isTrue();
    }
    return shared.httpAddress().orElseThrow();
  }

  private Sluice start(Map<String, String> settings) throws Exception {
    Sluice sluice = Sluice.start(SluiceConfig.of(settings));
    running.add(sluice);
    assertThat(sluice.awaitRunning()).isTrue();
    return sluice;
  }

  static void publish(Map<String, String> settings, String user, String action, int times)
      throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      keys.add(user.getBytes(UTF_8));
      String event =
          "{\"userId\":\"%s\",\"action\":\"%s\",\"target\":\"t\"}".formatted(user, action);
      values.add(event.getBytes(UTF_8));
    }
    Servers.shared().publish(settings.get("sluice.topics.input"), keys, values);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  static HttpResponse<String> get(URI base, String path) throws Exception {
    return Scrape.get(base, path);
  }

  static String ask(URI base, String limit, String user) throws Exception {
    HttpResponse<String> answer =
        get(base, "/api/limits/" + limit + "/key?userId=" + encoded(user));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  static long number(String json, String field) {
    String text = json.replaceAll("(?s).*\"" + field + "\":(-?[0-9]+).*", "$1");
    return Long.parseLong(text);
  }

  private static void awaitUsed(URI base, String limit, String user, int used) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(number(ask(base, limit, user), "used")).isEqualTo(used));
  }

  static Stream<String> stores() {
    return Servers.variants("memory", "rocksdb");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void whatAKeyHasLeftIsToldAndAskingChangesNothing(String store) throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    settings.put("sluice.state.store", store);
    URI base = start(settings).httpAddress().orElseThrow();
    for (String limit : List.of("funnel", "log", "remote")) {
      assertThat(ask(base, limit, "ada"))
          .contains("\"used\":0,\"remaining\":5,\"retryAfterMs\":0", "\"because\":\"file\"");
      publish(settings, "ada", limit, 3);
      awaitUsed(base, limit, "ada", 3);
      for (int i = 0; i < 10; i++) assertThat(number(ask(base, limit, "ada"), "used")).isEqualTo(3);
      publish(settings, "ada", limit, 2);
      awaitUsed(base, limit, "ada", 5);
      String full = ask(base, limit, "ada");
      assertThat(full).contains("\"verdict\":\"rejected\"", "\"remaining\":0");
      assertThat(number(full, "retryAfterMs")).isBetween(1L, 60_000L);
      assertThat(ask(base, limit, "bob")).contains("\"used\":0,\"remaining\":5");
    }
    assertThat(ask(base, "remote", "ada")).contains("\"role\":\"redis\"");
    assertThat(ask(base, "log", "ada")).contains("\"role\":\"active\"");
  }

  @Test
  void whatWaitsIsToldWithWhenItLeaves() throws Exception {
    URI base = shared();
    publish(sharedSettings, "ada", "sms", 3);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(ask(base, "sms", "ada")).contains("\"count\":2"));
    String answer = ask(base, "sms", "ada");
    assertThat(answer).contains("\"verdict\":\"delayed\"");
    assertThat(number(answer, "nextReleaseMs"))
        .isBetween(number(answer, "asOfMs"), number(answer, "asOfMs") + 60_000);
    assertThat(ask(base, "sms", "ad")).contains("\"count\":0");
    assertThat(ask(base, "funnel", "ada")).contains("\"waiting\":null");
  }

  @Test
  void eventsInLineAreToldWithAnEstimate() throws Exception {
    URI base = shared();
    for (String limit : List.of("call", "text")) {
      publish(sharedSettings, "ada", limit, 4);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(ask(base, limit, "ada")).contains("\"count\":3"));
      String answer = ask(base, limit, "ada");
      assertThat(answer).contains("\"verdict\":\"delayed\"", "\"estimate\":true", "\"before\":0");
      long asOfMs = number(answer, "asOfMs");
      assertThat(number(answer, "oldestMs")).isLessThanOrEqualTo(asOfMs);
      assertThat(number(answer, "nextReleaseMs")).isBetween(asOfMs, asOfMs + 3_600_000);
      // The key's own hour, and an hour for each of the three events in line.
      assertThat(number(answer, "retryAfterMs")).isBetween(3 * 3_600_000L, 4 * 3_600_000L);
      String none = ask(base, limit, "bob");
      assertThat(none).contains("\"verdict\":\"allowed\"", "\"count\":0");
      assertThat(none).doesNotContain("estimate", "oldestMs");
    }
  }

  @Tag("full") // an instance starts and restarts
  @Test
  void partOfAKeyAndWhatIsNoneAreRefused() throws Exception {
    URI base = shared();
    Map<String, String> wrong =
        Map.of(
            "/api/limits/pair/key?userId=ada",
            "400 target is missing",
            "/api/limits/pair/key",
            "400 userId is missing",
            "/api/limits/pair/key?userId=ada&target=",
            "400 target is missing",
            "/api/limits/funnel/key?userId=ada&user=b",
            "400 unknown field; the limit counts by userId only",
            "/api/limits/funnel/key?userId=" + "x".repeat(10_001),
            "400 userId must have at most",
            "/api/limits/none/key?userId=ada",
            "404 no such limit",
            "/api/limits/%22%3C/key?userId=ada",
            "404 no such limit",
            "/api/limits/funnel/none",
            "404 unknown path; use /api/limits",
            "/api/limits/funnel",
            "405 only PUT");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      HttpResponse<String> answer = get(base, each.getKey());
      String text = answer.statusCode() + " " + answer.body().replace("{\"error\":\"", "");
      assertThat(text).as(each.getKey()).startsWith(each.getValue());
    }
    for (String user : List.of("\"<script>", "a\nb\u0000", "😀|\\", "x".repeat(5_000), "%2F/..")) {
      for (String limit : List.of("funnel", "remote", "sms")) {
        assertThat(number(ask(base, limit, user), "used")).isZero();
      }
    }
  }

  @Test
  void anyInstanceAnswersForTheOneThatHasTheKey() throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    List<Map<String, String>> each = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Map<String, String> own = new java.util.HashMap<>(settings);
      int port = freePort();
      own.put("sluice.http.port", "" + port);
      own.put("sluice.http.advertised", "localhost:" + port);
      own.put("state.dir", Servers.folder().toString());
      each.add(own);
    }
    URI one = start(each.get(0)).httpAddress().orElseThrow();
    URI other = start(each.get(1)).httpAddress().orElseThrow();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(get(one, "/api/instances").body())
                    .contains(
                        "localhost:" + one.getPort(),
                        "localhost:" + other.getPort(),
                        "\"active\":[0,",
                        "\"state\":\"RUNNING\"")
                    .doesNotContain("\"active\":[]", "UNREACHABLE"));
    for (int user = 0; user < 12; user++) publish(settings, "u" + user, "funnel", 2);
    List<String> answeredBy = new ArrayList<>();
    for (int user = 0; user < 12; user++) {
      String name = "u" + user;
      awaitUsed(one, "funnel", name, 2);
      awaitUsed(other, "funnel", name, 2);
      String answer = ask(one, "funnel", name);
      assertThat(answer).contains("\"role\":\"active\"");
      assertThat(ask(other, "funnel", name))
          .contains(answer.substring(answer.indexOf("\"answeredBy\"")).trim());
      answeredBy.add(answer.replaceAll("(?s).*\"instance\":\"([^\"]*)\".*", "$1"));
    }
    assertThat(answeredBy).contains("localhost:" + one.getPort(), "localhost:" + other.getPort());
    standbysAnswerWhileNobodyElseDoes(one, other);
  }

  /** Ends the active instance; each remaining one has a copy of its state. */
  private void standbysAnswerWhileNobodyElseDoes(URI one, URI other) throws Exception {
    running.remove(1).close();
    assertThat(other.getPort()).isNotEqualTo(one.getPort());
    for (int user = 0; user < 12; user++) awaitUsed(one, "funnel", "u" + user, 2);
  }

  @Tag("full") // two instances start
  @Test
  void withoutAnAddressItIsSaidWhatToSet() throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    settings.put("num.standby.replicas", "0");
    URI one = start(settings).httpAddress().orElseThrow();
    Map<String, String> second = new java.util.HashMap<>(settings);
    second.put("state.dir", Servers.folder().toString());
    start(second);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              List<String> answers = new ArrayList<>();
              for (int user = 0; user < 12; user++) {
                HttpResponse<String> answer = get(one, "/api/limits/funnel/key?userId=u" + user);
                answers.add(answer.statusCode() + " " + answer.body());
              }
              assertThat(answers).anyMatch(text -> text.startsWith("200 "));
              assertThat(answers)
                  .anyMatch(
                      text -> text.startsWith("421 ") && text.contains("sluice.http.advertised"));
            });
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
