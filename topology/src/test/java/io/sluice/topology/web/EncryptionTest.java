package io.sluice.topology.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.topology.metrics.StartException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Https, with a certificate that is made for this. */
class EncryptionTest {
  private static final String PASSWORD = "changeit-please";

  @TempDir private static Path folder;
  private static Path keys;

  @BeforeAll
  static void make() throws Exception {
    keys = folder.resolve("keys.p12");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made =
        new ProcessBuilder(
                tool,
                "-genkeypair",
                "-alias",
                "sluice",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(made.waitFor()).isZero();
  }

  private static Map<String, String> settings(Path store, String password) {
    Map<String, String> settings = new HashMap<>();
    settings.put("sluice.http.tls.keystore", store.toString());
    settings.put("sluice.http.tls.password", password);
    settings.put("sluice.http.token", "a-token-of-some-length");
    return settings;
  }

  private static HttpClient trusting() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(keys)) {
      store.load(file, PASSWORD.toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void itIsServedOverTlsAloneAndTheCookieStaysThere() throws Exception {
    try (Served served = new Served(settings(keys, PASSWORD))) {
      URI address = served.web.address();
      assertThat(address.getScheme()).isEqualTo("https");
      HttpClient client = trusting();
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
