package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code sluice top} over two instances that share the partitions. */
@Tag("full") // an application under load for as long as its counts take to move
class TopIT {
  private static final int USERS = 12;
  private static final String TOKEN = "a-token-of-some-length";
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private final Map<String, String> settings =
      new TreeMap<>(
          Servers.shared()
              .settings(
                  "sluice.limits=reply",
                  "sluice.limit.reply.quota=3/1h",
                  "sluice.topics.partitions=4",
                  "num.standby.replicas=0",
                  "sluice.http.token=" + TOKEN));

  @Test
  void instancesAddUpAndOneThatIsGoneIsMissed() throws Exception {
    int firstPort = freePort();
    int secondPort = freePort();
    try (Sluice first = instance(firstPort)) {
      try (Sluice second = instance(secondPort)) {
        assertThat(first.awaitRunning() && second.awaitRunning()).isTrue();
        awaitThat(firstPort, "of 2 instances");
        awaitThat(secondPort, "of 2 instances");
        awaitHalf(firstPort); // neither instance counts events of a moving partition
        awaitHalf(secondPort);
        publish();
        List<String> lines = awaitThat(firstPort, "user0   reply         9        9");
        assertThat(lines.get(0)).isEqualTo("key     limit  rejected  at most");
        assertThat(lines.stream().filter(line -> line.matches("user\\d+ +reply +9 +9")))
            .hasSize(USERS);
        assertThat(here(firstPort) + here(secondPort)).isEqualTo(USERS * 9);
        assertThat(here(firstPort)).isBetween(1, USERS * 9 - 1);
        await() // an instance that needs over 2 s counts as missing
            .atMost(SOON)
            .untilAsserted(() -> assertThatTheLimitsCountBoth(firstPort, secondPort));
      }
      String second = "[{]\"instance\":\"127.0.0.1:" + secondPort + "\",\"why\":\"[^\"]+\"[}]";
      await() // the cached answer expires; the group may have removed it
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(get(firstPort, "/api/limits"))
                      .contains("\"answered\":[\"127.0.0.1:" + firstPort + "\"]")
                      .containsPattern("\"unanswered\":\\[(" + second + ")?\\]"));
      assertThat(here(firstPort)).isPositive();
    }
    assertThat(top(firstPort, "--once").get(0))
        .startsWith("http://127.0.0.1:" + firstPort + " does not answer");
  }

  /** Waits until this instance meters two of the four partitions, and no partition moves. */
  private static void awaitHalf(int port) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(get(port, "/api/instances?local=true"))
                    .contains("\"state\":\"RUNNING\"")
                    .containsPattern("\"active\":\\[\\d,\\d\\]"));
  }

  /** Each instance reports the counts of both, and names the instances that answered. */
  private static void assertThatTheLimitsCountBoth(int first, int second) throws Exception {
    int mine = rejected(first, "?local=true");
    int others = rejected(second, "?local=true");
    assertThat(mine).isBetween(1, USERS * 9 - 1);
    assertThat(mine + others).isEqualTo(USERS * 9);
    assertThat(rejected(first, "")).isEqualTo(USERS * 9);
    assertThat(get(second, "/api/limits"))
        .contains("\"rejected\":" + USERS * 9)
        .contains("\"answered\":[\"127.0.0.1:" + second + "\",\"127.0.0.1:" + first + "\"]")
        .contains("\"unanswered\":[]");
    assertThat(get(first, "/api/limits?local=true")).contains("\"answered\":[]");
    assertThat(get(first, "/api/limits?local=maybe")).contains("local must be true or false");
  }

  private static int rejected(int port, String query) throws Exception {
    return number(get(port, "/api/limits" + query), "rejected");
  }

  private static int number(String body, String field) {
    return Integer.parseInt(body.replaceAll("(?s).*\"" + field + "\":(\\d+).*", "$1"));
  }

  private Sluice instance(int port) {
    Map<String, String> own = new TreeMap<>(settings);
    own.put("state.dir", Servers.folder().toString());
    own.put("sluice.http.port", Integer.toString(port));
    own.put("sluice.http.advertised", "127.0.0.1:" + port);
    return Sluice.start(SluiceConfig.of(own));
  }

  private void publish() throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < USERS * 12; i++) {
      String user = "user" + i % USERS;
      keys.add(user.getBytes(UTF_8));
      values.add(
          "{\"userId\":\"%s\",\"action\":\"reply\",\"eventId\":\"e%d\"}"
              .formatted(user, i)
              .getBytes(UTF_8));
    }
    Servers.shared().publish(settings.get("sluice.topics.input"), keys, values);
  }

  private List<String> awaitThat(int port, String line) {
    List<String> lines = new ArrayList<>();
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              lines.clear();
              lines.addAll(top(port, "--once"));
              assertThat(lines).contains(line);
              assertThat(lines.stream().filter(each -> each.startsWith("user")))
                  .allMatch(each -> each.endsWith(" 9        9"));
            });
    return lines;
  }

  /** Returns the lines that the command prints on both outputs. */
  private List<String> top(int port, String... options) throws IOException {
    Path file = folder.resolve("top.properties");
    List<String> text =
        Stream.concat(
                settings.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()),
                Stream.of("sluice.http.port=" + port))
            .toList();
    Files.write(file, text);
    StringWriter out = new StringWriter();
    List<String> args = new ArrayList<>(List.of("top", "--config", file.toString()));
    args.addAll(List.of(options));
    SluiceMain.commandLine(CommandLine.defaultFactory())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(args.toArray(new String[0]));
    return out.toString().lines().toList();
  }

  /** Returns the number of events that this instance rejected. */
  private static int here(int port) throws Exception {
    return number(get(port, "/api/top?limit=reply&local=true"), "events");
  }

  private static String get(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + TOKEN)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
