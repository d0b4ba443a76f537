package io.sluice.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.StartException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of https with a self-signed certificate. */
class EncryptionTest {
  private static final String PASSWORD = SelfSigned.PASSWORD;

  @TempDir private static Path folder;
  private static SelfSigned made;
  private static Path keys;

  @BeforeAll
  static void make() throws Exception {
    made = SelfSigned.make(folder.resolve("keys.p12"));
    keys = made.file();
  }

  private static Map<String, String> settings(Path store, String password) {
    Map<String, String> settings = new HashMap<>();
    settings.put("sluice.http.tls.keystore", store.toString());
    settings.put("sluice.http.tls.password", password);
    settings.put("sluice.http.token", "a-token-of-some-length");
    return settings;
  }

  @Test
  void itIsServedOverTlsAloneAndTheCookieStaysThere() throws Exception {
    try (Served served = new Served(settings(keys, PASSWORD))) {
      URI address = served.web.address();
      assertThat(address.getScheme()).isEqualTo("https");
      HttpClient client = made.client();
      HttpRequest health = HttpRequest.newBuilder(address.resolve("/health/live")).build();
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("live\n");
      HttpRequest enter =
          HttpRequest.newBuilder(address.resolve("/session"))
              .POST(HttpRequest.BodyPublishers.ofString("token=a-token-of-some-length"))
              .build();
      assertThat(client.send(enter, HttpResponse.BodyHandlers.discarding()).headers().map())
          .extractingByKey("set-cookie")
          .asString()
          .contains("; Secure");
      assertThat(served.ask("GET /health/live", "Host: " + served.host()))
          .doesNotStartWith("HTTP/1.1 200");
      HttpClient stranger = HttpClient.newHttpClient();
      assertThatThrownBy(() -> stranger.send(health, HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aKeyStoreThatCannotBeReadIsSaidInOneLine() {
    assertThatThrownBy(() -> new Served(settings(folder.resolve("none"), PASSWORD)))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("sluice.http.tls.keystore")
        .message()
        .hasLineCount(1);
    assertThatThrownBy(() -> new Served(settings(keys, "another-password")))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("sluice.http.tls.keystore")
        .message()
        .doesNotContain("another-password");
  }
}
