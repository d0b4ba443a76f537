package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.App;
import io.sluice.server.ChildSluice;
import io.sluice.testing.Servers;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the page while Redis or an instance is unavailable, and after the recovery. */
@Tag("slow") // an instance is killed, and its session must end
class PageTroubleIT {
  @Test
  void redisIsGoneAndComesBack() throws Exception {
    try (OpenPage page = new OpenPage();
        EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app =
            new App(
                Servers.shared(),
                "sluice.redis.uri=" + redis.uri(),
                "sluice.limits=reply",
                "sluice.limit.reply.quota=5/1h",
                "sluice.limit.reply.backend=redis",
                "sluice.http.port=0")) {
      page.open(app.sluice.httpAddress().orElseThrow(), 1200, "light");
      page.lookUp("ada");
      redis.kill();
      for (int i = 0; i < 3; i++) app.load.publish("ada", "reply");
      page.shows("#health", "Problem", "Redis is unavailable");
      page.shows("#look .ill-text", "Redis does not answer");
      page.everybodyCanReadIt();
      redis.start();
      page.shows("#health", "Healthy");
      page.shows("#look .verdict", "Allowed: 2 of 5 left.");
    }
  }

  @Test
  void aTokenThatOnlyReadsHidesWhatChangesLimits() throws Exception {
    try (OpenPage page = new OpenPage();
        App app =
            new App(
                Servers.shared(),
                "sluice.limits=reply",
                "sluice.limit.reply.quota=5/1h",
                "sluice.http.token=a-token-that-may-write",
                "sluice.http.token.read=another-token-that-reads",
                "sluice.http.write=true",
                "sluice.http.port=0")) {
      URI address = app.sluice.httpAddress().orElseThrow().resolve("/");
      page.browser.open(address);
      page.fill("form", "token", "another-token-that-reads");
      page.press("form", "Open");
      page.shows("#health", "Healthy");
      page.lookUp("ada");
      page.shows("#only-reads", "This token is read-only.");
      page.shows("#look .own-history", "No changes for this key only.");
      assertThat(page.browser.texts("#look .acts")).isEmpty();
      assertThat(page.browser.texts("#rules button")).containsOnly("");
      page.everybodyCanReadIt();
      page.browser.open(address.resolve("/session"));
      page.fill("form", "token", "a-token-that-may-write");
      page.press("form", "Open");
      page.shows(OpenPage.rule("reply"), "Change reply");
      page.lookUp("ada");
      page.press(OpenPage.known("reply"), "Block");
      page.browser.driver.manage().deleteAllCookies();
    }
  }

  @Tag("full") // an instance is killed, and its session must end
  @Test
  void anInstanceIsKilledAndTheOtherGoesOn() throws Exception {
    Map<String, String> settings =
        new TreeMap<>(
            Servers.shared()
                .settings(
                    "sluice.limits=reply",
                    "sluice.limit.reply.quota=5/1h",
                    "sluice.topics.partitions=2",
                    "main.consumer.session.timeout.ms=10000"));
    try (OpenPage page = new OpenPage();
        ChildSluice other = ChildSluice.start(at(settings, freePort()))) {
      int port = freePort();
      String[] own = lines(at(settings, port));
      try (App app = new App(Servers.shared(), own)) {
        page.open(URI.create("http://localhost:" + port), 1200, "light");
        page.shows("#instances summary", "Instances: 2");
        other.kill();
        page.shows("#health", "Problem", "is unreachable");
        page.browser.open(URI.create("http://localhost:" + port));
        page.shows("#health", "Problem", "is unreachable");
        // The group notices it, and this instance takes over the other's partitions.
        page.shows("#health", "Healthy");
        page.shows("#instances summary", "Instances: 1");
        for (int i = 0; i < 8; i++) app.load.publish("ada", "reply");
        eventually(
            () -> assertThat(page.browser.text("#top-table tbody")).isEqualTo("ada reply 3"));
      }
    }
  }

  private static Map<String, String> at(Map<String, String> settings, int port) {
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
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
