package io.sluice.server.web;

import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Certificates that an instance trusts when it calls another instance: those that Java trusts, and
 * those in its own key store. So certificates of a company's own authority, or self-signed ones,
 * need no settings of the JVM.
 */
final class Trust {
  private Trust() {}

  /**
   * Returns the TLS context of an instance; without a key store, Java's default.
   *
   * @throws io.sluice.rules.StartException if the key store cannot be read
   */
  static SSLContext of(HttpConfig.Tls tls) {
    try {
      if (!tls.isOn()) return SSLContext.getDefault();
      List<Certificate> trusted = new ArrayList<>(ofJava());
      trusted.addAll(in(Encryption.keyStore(tls)));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers(together(trusted)), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every Java has TLS, and stores in memory", e);
    }
  }

  private static List<Certificate> ofJava() throws GeneralSecurityException {
    List<Certificate> all = new ArrayList<>();
    for (TrustManager each : managers(null)) {
      if (each instanceof X509TrustManager known) all.addAll(List.of(known.getAcceptedIssuers()));
    }
    return all;
  }

  /**
   * Returns all certificates of a key store: trusted ones, the instance's own, and those that
   * signed it.
   */
  private static List<Certificate> in(KeyStore store) throws GeneralSecurityException {
    List<Certificate> all = new ArrayList<>();
    for (String alias : Collections.list(store.aliases())) {
      Certificate[] chain = store.getCertificateChain(alias);
      if (chain != null) all.addAll(List.of(chain));
      else if (store.isCertificateEntry(alias)) all.add(store.getCertificate(alias));
    }
    return all;
  }

  private static KeyStore together(List<Certificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
    all.load(null, null);
    for (int i = 0; i < certificates.size(); i++) {
      all.setCertificateEntry("trusted-" + i, certificates.get(i));
    }
    return all;
  }

  /**
   * Returns the trust managers for a key store; for null, those for Java's default certificates.
   */
  private static TrustManager[] managers(KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
