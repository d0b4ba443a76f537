package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.EmbeddedStartException;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Tests users, passwords and rights, over plain and encrypted connections. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RedisAccessIT {
  private static final Duration LONG = Duration.ofSeconds(10);

  private static final String RULE = "ACL SETUSER sluice ";

  private static void meters(String uri) {
    try (RedisMeter meter = new RedisMeter(RedisSettings.of(uri).withTimeout(LONG))) {
      meter.probe();
      for (long seed = 0; seed < 10; seed++) {
        meter.meter(RedisTraffic.small(seed, 200).requests());
      }
      release(meter);
    }
  }

  /** Releases of two queues at one bucket, until one of them waits. */
  private static void release(RedisMeter meter) {
    Rule rule = Rule.policing("vendor", Quota.parse("2/60s"), Algorithm.GCRA);
    long now = 1_800_000_000_000_000L;
    for (String queue : List.of("one", "other", "one")) {
      QueueOwner owner = meter.takeOver(queue, now);
      List<Releases.Head> heads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Arrival release = Arrival.release(Identity.ofRecord(queue + i), 1, now, now);
        Request request = Request.of(release, List.of(new Bucket(rule, "all")));
        heads.add(new Releases.Head(request, 0, now, List.of(Releases.Waits.SHARED)));
      }
      assertThat(meter.release(new Releases(owner, 0, 1, heads))).hasSize(2);
    }
  }

  private static void assertRefused(String uri, String reason) {
    try (RedisMeter meter = new RedisMeter(RedisSettings.of(uri).withTimeout(LONG))) {
      assertThatThrownBy(meter::probe)
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining(reason)
          .hasMessageNotContaining("wrong!");
    }
  }

  @Test
  void aPasswordLetsIn() {
    try (EmbeddedRedis redis =
        EmbeddedRedis.builder().arguments("--requirepass", "se:cret").start()) {
      meters("redis://:se%3Acret@127.0.0.1:" + redis.port() + "/3");
      assertRefused("redis://:wrong!@127.0.0.1:" + redis.port(), "WRONGPASS");
      assertRefused("redis://127.0.0.1:" + redis.port(), "NOAUTH");
    }
  }

  /**
   * Returns the rights that a meter's user needs, from README.md, with a password that needs
   * encoding.
   */
  private static String[] rights() throws IOException {
    String page = Files.readString(Path.of("README.md"));
    int from = page.indexOf(RULE) + RULE.length();
    String rights = page.substring(from, page.indexOf("```", from)).strip();
    return rights.replace(">password", ">se:cret").split("\\s+");
  }

  @Test
  void aUserNeedsFewRights() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Jedis admin = new Jedis("127.0.0.1", redis.port())) {
      admin.aclSetUser("meter", rights());
      admin.aclSetUser("default", "off");
      meters("redis://meter:se%3Acret@127.0.0.1:" + redis.port() + "/1");
      assertRefused("redis://meter:wrong!@127.0.0.1:" + redis.port(), "WRONGPASS");
      assertRefused("redis://127.0.0.1:" + redis.port(), "NOAUTH");
    }
  }

  @Test
  void anEncryptedLineLeadsToWhomTheJvmTrusts(@TempDir Path folder) throws Exception {
    Certificate certificate = Certificate.forLoopback(folder);
    int port = freePort();
    try (EmbeddedRedis redis = encrypted(certificate, port)) {
      assertThat(redis.port()).isNotEqualTo(port);
      certificate.trusted(
          () -> {
            meters("rediss://127.0.0.1:" + port);
            // The certificate is for the address, not for this name.
            assertRefused("rediss://localhost:" + port, "localhost");
            assertRefused("redis://127.0.0.1:" + port, "");
          });
      assertRefused("rediss://127.0.0.1:" + port, "certification path");
      try (RedisMeter meter = new RedisMeter(RedisSettings.of("rediss://127.0.0.1:" + port))) {
        assertThatThrownBy(meter::inspect)
            .isInstanceOfSatisfying(
                LimiterUnavailableException.class,
                e -> assertThat(RedisTrouble.of(e)).isEqualTo(RedisTrouble.ENCRYPTION));
      }
    }
  }

  private static EmbeddedRedis encrypted(Certificate certificate, int port) {
    EmbeddedRedis.Builder builder =
        EmbeddedRedis.builder()
            .arguments(
                "--tls-port",
                "" + port,
                "--tls-cert-file",
                certificate.certificate.toString(),
                "--tls-key-file",
                certificate.key.toString(),
                "--tls-ca-cert-file",
                certificate.certificate.toString(),
                "--tls-auth-clients",
                "no");
    try {
      return builder.start();
    } catch (EmbeddedStartException e) {
      assumeThat(e).as("this redis-server is built without TLS").isNull();
      throw e;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Self-signed certificate, in the formats of Redis and of Java. */
  private static final class Certificate {
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";
    private static final String TRUST_STORE_PASSWORD = "javax.net.ssl.trustStorePassword";
    private static final String PASSWORD = "changeit";

    final Path store;
    final Path certificate;
    final Path key;

    private Certificate(Path folder) {
      store = folder.resolve("store.p12");
      certificate = folder.resolve("redis.crt");
      key = folder.resolve("redis.key");
    }

    static Certificate forLoopback(Path folder)
        throws IOException, InterruptedException, GeneralSecurityException {
      Certificate made = new Certificate(folder);
      Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
      List<String> command =
          List.of(
              keytool.toString(),
              "-genkeypair",
              "-alias",
              "redis",
              "-keyalg",
              "RSA",
              "-dname",
              "CN=redis",
              "-ext",
              "san=ip:127.0.0.1",
              "-storetype",
              "PKCS12",
              "-storepass",
              PASSWORD,
              "-keystore",
              made.store.toString());
      Process process = new ProcessBuilder(command).inheritIO().start();
      assertThat(process.waitFor()).isZero();
      KeyStore store = KeyStore.getInstance(made.store.toFile(), PASSWORD.toCharArray());
      pem(made.certificate, "CERTIFICATE", store.getCertificate("redis").getEncoded());
      pem(made.key, "PRIVATE KEY", store.getKey("redis", PASSWORD.toCharArray()).getEncoded());
      return made;
    }

    private static void pem(Path file, String what, byte[] content) throws IOException {
      String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
      Files.writeString(
          file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    /** Runs an action while the JVM trusts this certificate. */
    void trusted(Runnable action) {
      System.setProperty(TRUST_STORE, store.toString());
      System.setProperty(TRUST_STORE_PASSWORD, PASSWORD);
      try {
        action.run();
      } finally {
        System.clearProperty(TRUST_STORE);
        System.clearProperty(TRUST_STORE_PASSWORD);
      }
    }
  }
}
