package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Sluice;
import io.sluice.server.web.SelfSigned;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of two instances that call each other over https with self-signed certificates. */
@Tag("slow") // creates keys, and starts instances that ask each other
class InstancesOverTlsIT {
  @TempDir private Path folder;

  private final Map<String, String> settings =
      Servers.shared().settings("sluice.limits=reply", "sluice.limit.reply.quota=5/60s");

  @Test
  void instancesWithTheSameKeyStoreTrustEachOther() throws Exception {
    SelfSigned both = SelfSigned.make(folder.resolve("both.p12"));
    int first = freePort();
    int second = freePort();
    try (Sluice one = instance(first, both);
        Sluice other = instance(second, both)) {
      assertThat(one.awaitRunning() && other.awaitRunning()).isTrue();
      awaitThat(
          both.client(), first, "\"answered\":[\"" + at(first) + "\",\"" + at(second) + "\"]");
      awaitThat(
          both.client(), second, "\"answered\":[\"" + at(second) + "\",\"" + at(first) + "\"]");
    }
  }

  @Tag("full") // three instances, each with its own key
  @Test
  void anInstanceTrustsWhatWasAddedToItsKeyStoreAndNothingElse() throws Exception {
    SelfSigned trusting = SelfSigned.make(folder.resolve("trusting.p12"));
    SelfSigned alone = SelfSigned.make(folder.resolve("alone.p12"));
    trusting.trust(alone);
    int first = freePort();
    int second = freePort();
    try (Sluice one = instance(first, trusting);
        Sluice other = instance(second, alone)) {
      assertThat(one.awaitRunning() && other.awaitRunning()).isTrue();
      HttpClient client = trusting.client();
      awaitThat(client, first, "\"answered\":[\"" + at(first) + "\",\"" + at(second) + "\"]");
      awaitThat(client, second, "\"unanswered\":[{\"instance\":\"" + at(first) + "\",\"why\":");
    }
  }

  private static void awaitThat(HttpClient client, int port, String part) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://" + at(port) + "/api/limits")).build();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
                    .contains(part));
  }

  private static String at(int port) {
    return "localhost:" + port;
  }

  private Sluice instance(int port, SelfSigned keys) {
    Map<String, String> own = new TreeMap<>(settings);
    own.putAll(keys.settings());
    own.put("state.dir", Servers.folder().toString());
    own.put("sluice.http.port", Integer.toString(port));
    own.put("sluice.http.advertised", at(port));
    return Sluice.start(SluiceConfig.of(own));
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
