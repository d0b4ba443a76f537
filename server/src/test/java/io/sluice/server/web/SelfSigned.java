package io.sluice.server.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Key store for a test, with a new self-signed certificate for localhost. */
public record SelfSigned(Path file) {
  public static final String PASSWORD = "changeit-please";
  private static final String ALIAS = "sluice";

  public static SelfSigned make(Path file) throws Exception {
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options =
        "-genkeypair -alias sluice -keyalg EC -dname CN=localhost -storetype PKCS12"
            + " -ext SAN=dns:localhost,ip:127.0.0.1 -storepass ";
    Process made =
        new ProcessBuilder((tool + " " + options + PASSWORD + " -keystore " + file).split(" "))
            .inheritIO()
            .start();
    if (made.waitFor() != 0) throw new IOException("no key store was made");
    return new SelfSigned(file);
  }

  public Map<String, String> settings() {
    return Map.of(
        "sluice.http.tls.keystore", file.toString(), "sluice.http.tls.password", PASSWORD);
  }

  /** Adds another certificate as trusted, as {@code keytool -importcert} does. */
  public void trust(SelfSigned other) throws Exception {
    KeyStore store = store();
    store.setCertificateEntry("other", other.store().getCertificate(ALIAS));
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private KeyStore store() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  /** Creates a client that trusts only the certificates in this key store. */
  public HttpClient client() throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }
}
