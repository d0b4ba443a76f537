package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.ChildSluice;
import io.sluice.testing.Load;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of instances with standby tasks, which Kafka Streams could not pause and resume. */
@Tag("slow") // starts two instances in processes of their own
class StandbyOutageIT {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Pattern STANDBYS = Pattern.compile("\"standby\":\\[\\d");

  private final Servers servers = Servers.shared();

  @Test
  void threadsOutliveAnOutageOfRedis() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      Map<String, String> settings =
          servers.settings(
              "sluice.limits=order,login",
              "sluice.limit.order.match.action=order",
              "sluice.limit.order.quota=5/1h",
              "sluice.limit.login.match.action=login",
              "sluice.limit.login.quota=5/1h",
              "sluice.limit.login.backend=redis",
              "sluice.redis.uri=" + redis.uri(),
              "sluice.topics.partitions=4",
              "num.standby.replicas=1");
      SluiceConfig config = SluiceConfig.of(settings);
      int port = freePort();
      try (ChildSluice one = ChildSluice.start(at(settings, port));
          ChildSluice other = ChildSluice.start(at(settings, freePort()));
          Load load = new Load(servers.kafka.bootstrapServers(), config.inputTopics().get(0));
          Outputs outputs = new Outputs(servers.kafka.bootstrapServers(), config.outputTopics())) {
        publish(load, "before", "order");
        await().atMost(LONG).until(() -> outputs.all().size() == 20);
        await().atMost(LONG).until(() -> STANDBYS.matcher(instances(port)).find());
        redis.kill();
        publish(load, "meanwhile", "login");
        for (ChildSluice each : List.of(one, other)) {
          await().atMost(LONG).until(() -> each.log().contains("processing is paused"));
        }
        publish(load, "later", "login");
        redis.start();
        await().atMost(LONG).until(() -> outputs.all().size() == 60);
        for (ChildSluice each : List.of(one, other)) {
          assertThat(each.log()).contains("processing continues").doesNotContain("thread failed");
        }
      }
    }
  }

  private static void publish(Load load, String users, String action) throws Exception {
    for (int i = 0; i < 20; i++) load.publish(users + i, action);
    load.published();
  }

  private static String instances(int port) throws Exception {
    URI uri = URI.create("http://localhost:" + port + "/api/instances");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  private static Map<String, String> at(Map<String, String> settings, int port) {
    Map<String, String> own = new TreeMap<>(settings);
    own.put("sluice.http.port", "" + port);
    own.put("state.dir", Servers.folder().toString());
    return own;
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
