package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.App;
import io.sluice.server.ChildSluice;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of the charts over two instances, of which one freezes and is killed. */
@Tag("full") // three instances, one of which is killed
class PageInstancesIT {
  private static final int USERS = 12;
  private static final String NOTE = "#charts-note";

  private final Map<String, String> settings =
      Servers.shared()
          .settings(
              "sluice.limits=reply",
              "sluice.limit.reply.quota=2/1h",
              "sluice.topics.partitions=4",
              "num.standby.replicas=0");

  @Test
  void chartsShowWhatAllHaveCountedAlsoIfOneFreezesOrIsGone() throws Exception {
    int first = freePort();
    int second = freePort();
    try (OpenPage page = new OpenPage();
        App app = new App(Servers.shared(), lines(at(first)));
        ChildSluice other = ChildSluice.start(at(second))) {
      page.open(address(second), 1200, "light");
      page.shows(NOTE, "Counts of 2 instances.");
      awaitPartitions(first, second);
      publish(app);
      shows(page, 24, 12);
      long here = rejected(first);
      assertThat(here).isBetween(1L, USERS - 1L);
      assertThat(here + rejected(second)).isEqualTo(USERS);

      page.open(address(first), 1200, "light");
      shows(page, 24, 12);
      other.freeze();
      page.shows(NOTE, "Without localhost:" + second + ": request timed out.");
      shows(page, 24, 12);
      publish(app);
      shows(page, 24, 12 + 3 * here);
      other.goOn();
      page.shows(NOTE, "Counts of 2 instances.");
      shows(page, 24, 12 + 36);

      other.kill();
      eventually( // earlier answers are cached for a while
          () ->
              assertThat(get(first, "/api/limits"))
                  .contains("\"answered\":[\"localhost:" + first + "\"]")
                  .contains(
                      "\"unanswered\":[{\"instance\":\"localhost:" + second + "\",\"why\":\""));
      page.shows(NOTE, "Without localhost:" + second);
      shows(page, 24, 12 + 36);
      page.browser.open(address(first));
      shows(page, 24, 12 + 36);
    }
  }

  private static void awaitPartitions(int... ports) {
    for (int port : ports) {
      eventually(
          () ->
              assertThat(get(port, "/api/instances"))
                  .contains("localhost:" + ports[0], "localhost:" + ports[1], "\"active\":[")
                  .doesNotContain("\"active\":[]", "UNREACHABLE"));
    }
  }

  /** Publishes three events of each user. */
  private static void publish(App app) {
    for (int user = 0; user < USERS; user++) app.load.publishTimes("user" + user, "reply", 3);
  }

  private static void shows(OpenPage page, long allowed, long rejected) {
    String says = "reply, the last 15 minutes: %d allowed, %d rejected, 0 delayed";
    eventually(() -> assertThat(page.saysOf("reply")).isEqualTo(says.formatted(allowed, rejected)));
  }

  /** Number of events that one instance has rejected. */
  private static long rejected(int port) throws Exception {
    String numbers = get(port, "/api/counts").replaceAll("(?s).*\"rejected\":\\[([^]]*).*", "$1");
    return Arrays.stream(numbers.split(",")).mapToLong(Long::parseLong).sum();
  }

  private static String get(int port, String path) throws Exception {
    return Scrape.get(address(port), path).body();
  }

  private static URI address(int port) {
    return URI.create("http://localhost:" + port);
  }

  private Map<String, String> at(int port) {
    Map<String, String> own = new TreeMap<>(settings);
    own.put("sluice.http.port", "" + port);
    own.put("sluice.http.advertised", "localhost:" + port);
    own.put("state.dir", Servers.folder().toString());
    return own;
  }

  private static String[] lines(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .toArray(String[]::new);
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
