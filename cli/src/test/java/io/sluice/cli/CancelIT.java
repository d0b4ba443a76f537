package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice waiting} and {@code sluice cancel}, and the same over HTTP. */
@Tag("slow") // an instance with an exactly-once commit for each step
class CancelIT {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final String READ_TOKEN = "a-token-only-to-read";
  private static final String TOKEN = "a-token-of-some-length";

  @TempDir private Path folder;
  private final Map<String, String> settings =
      Servers.shared()
          .settings(
              "sluice.limits=phone,vendor",
              "sluice.limit.phone.key=userId",
              "sluice.limit.phone.quota=1/1h",
              "sluice.limit.phone.exceeded=queue",
              "sluice.limit.vendor.key=userId,action",
              "sluice.limit.vendor.quota=1/1h",
              "sluice.limit.vendor.exceeded=queue",
              "sluice.topics.partitions=3",
              "sluice.http.token=" + TOKEN,
              "sluice.http.token.read=" + READ_TOKEN,
              "sluice.http.write=true",
              "sluice.http.port=0");
  private Path file;
  private String address = "";

  @Test
  void waitingEventsAreShownAndCancelled() throws Exception {
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      address = sluice.httpAddress().orElseThrow().toString();
      file = file();
      publish("ada", "a0", "a1", "a2", "a3");
      publish("bob", "b0", "b1", "b2");
      await()
          .atMost(SOON)
          .until(() -> waiting("--limit", "vendor").out().matches("(?s).*vendor +[*] +5 .*"));
      assertThat(waiting("--limit", "vendor", "--max", "3").out())
          .containsPattern("vendor +\\* +5 ")
          .contains("and 2 more");
      assertThat(waiting("--for", "userId=ada").out())
          .containsPattern("a1 +ada +sms +\\* .* 1 ")
          .containsPattern("a3 +ada +sms +\\* .* 3 ")
          .doesNotContain("bob");
      assertThat(waiting("--limit", "none").code()).isEqualTo(2);

      cancelOne();
      cancelAll();
      cancelOverHttp();
      assertThat(waiting().out()).contains("no events wait in line");
      assertThat(rejected()).containsExactlyInAnyOrder("a1", "a2", "a3", "b1", "b2");
    }
    file = file();
    AskCli.Said said = cancel("--for", "userId=ada");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .contains("it is unknown how many waiting events match", "published order");
  }

  private void cancelOne() {
    AskCli.Said none = cancel("--event", "a9", "--for", "userId=ada");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("no waiting event matches: nothing is cancelled");
    AskCli.Said dry = cancel("--event", "a2", "--for", "userId=ada", "--dry-run");
    assertThat(dry.out()).contains("1 waiting event matches", "dry run");
    AskCli.Said said = cancel("--event", "a2", "--for", "userId=ada");
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out())
        .contains("1 waiting event matches", "to 3 partitions of", "they do not wait any more");
    assertThat(waiting("--for", "userId=ada").out()).contains("a1", "a3").doesNotContain("a2");
  }

  private void cancelAll() {
    AskCli.Said said = cancel("--for", "userId=ada", "--limit", "phone");
    assertThat(said.out()).contains("2 waiting events match", "they do not wait any more");
    assertThat(waiting().out()).contains("b1", "b2").doesNotContain("ada");
  }

  private void cancelOverHttp() throws Exception {
    assertThat(get("/api/waiting?userId=bob&max=1", READ_TOKEN))
        .contains("\"count\":2", "\"eventId\":\"b1\"", "\"missing\":[]");
    String order = "{\"for\":{\"userId\":\"bob\"},\"by\":\"ops\"}";
    assertThat(post(order, READ_TOKEN).statusCode()).isEqualTo(403);
    assertThat(post("{\"event\":\"b1\"}", TOKEN).statusCode()).isEqualTo(400);
    String unknown = "{\"for\":{\"userId\":\"bob\"},\"limit\":\"none\"}";
    assertThat(post(unknown, TOKEN).statusCode()).isEqualTo(404);
    for (String half :
        List.of(
            "\"bob\"},\"event\":\"\\ud800\"}", "\"bob\"},\"by\":\"\\ud800\"}", "\"\\udc00\"}}")) {
      HttpResponse<String> refused = post("{\"for\":{\"userId\":" + half, TOKEN);
      assertThat(refused.statusCode()).as(half).isEqualTo(400);
      assertThat(refused.body()).contains("half of a surrogate pair");
    }
    assertThat(post("{\"for\":{\"userId\":\"eve\"}}", TOKEN).body())
        .contains("\"order\":\"\"", "\"matches\":0", "\"all\":true");
    assertThat(post(order, TOKEN).body()).contains("\"matches\":2", "\"all\":true");
    await()
        .atMost(SOON)
        .until(() -> get("/api/waiting?userId=bob", READ_TOKEN).contains("\"count\":0"));
  }

  private List<String> rejected() {
    List<String> ids = new ArrayList<>();
    List<String> topic = List.of(settings.get("sluice.topics.rejected"));
    for (ConsumerRecord<byte[], byte[]> each :
        Servers.shared().read(topic, all -> all.size() >= 5)) {
      assertThat(Servers.header(each, "sluice-reason")).isEqualTo("cancelled");
      ids.add(new String(each.value(), UTF_8).replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1"));
    }
    return ids;
  }

  private void publish(String user, String... ids) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (String each : ids) {
      keys.add(user.getBytes(UTF_8));
      values.add(
          "{\"userId\":\"%s\",\"action\":\"sms\",\"eventId\":\"%s\"}"
              .formatted(user, each)
              .getBytes(UTF_8));
    }
    Servers.shared().publish(settings.get("sluice.topics.input"), keys, values);
  }

  private AskCli.Said waiting(String... options) {
    return run("waiting", options);
  }

  private AskCli.Said cancel(String... options) {
    return run("cancel", options);
  }

  private AskCli.Said run(String command, String... options) {
    List<String> all = new ArrayList<>(List.of(command, "--config", file.toString()));
    all.addAll(List.of(options));
    return new AskCli(Map.of()).run(all.toArray(String[]::new));
  }

  private Path file() throws Exception {
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    lines.removeIf(each -> each.startsWith("sluice.http.port="));
    lines.add("sluice.http.port=" + address.replaceFirst(".*:", ""));
    return Files.write(folder.resolve("my.properties"), lines);
  }

  private String get(String path, String token) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(address + path)).GET(), token).body();
  }

  private HttpResponse<String> post(String body, String token) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(address + "/api/cancel"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)),
        token);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request, String token)
      throws Exception {
    HttpRequest whole = request.header("Authorization", "Bearer " + token).build();
    return HttpClient.newHttpClient().send(whole, HttpResponse.BodyHandlers.ofString());
  }
}
