package io.sluice.server.web;

import io.sluice.rules.StartException;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Factory of the server's connections: HTTP, within TLS if a key store is configured. */
final class Encryption {
  private Encryption() {}

  /**
   * Returns the protocols of the server's connections.
   *
   * @throws StartException if the key store cannot be read
   */
  static ConnectionFactory[] connections(HttpConfig.Tls tls, HttpConfiguration configuration) {
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    if (!tls.isOn()) return new ConnectionFactory[] {http};
    SslContextFactory.Server context = new SslContextFactory.Server();
    context.setKeyStore(keyStore(tls));
    context.setKeyStorePassword(tls.password());
    SslConnectionFactory ssl = new SslConnectionFactory(context, http.getProtocol());
    return new ConnectionFactory[] {ssl, http};
  }

  /**
   * Loads the key store of this instance.
   *
   * @throws StartException if the key store cannot be read
   */
  static KeyStore keyStore(HttpConfig.Tls tls) {
    try (InputStream file = Files.newInputStream(Path.of(tls.keystore()))) {
      KeyStore store = KeyStore.getInstance(tls.type());
      store.load(file, tls.password().toCharArray());
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new StartException(
          "cannot read " + tls.keystore() + " (" + Keys.HTTP_TLS_KEYSTORE + "): " + e.getMessage(),
          e);
    }
  }
}
