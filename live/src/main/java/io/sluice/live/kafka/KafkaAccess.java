package io.sluice.live.kafka;

import io.sluice.live.kafka.BrokerProbe.Answer;
import io.sluice.rules.StartException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Utils;

/** Access to the cluster by an admin client, with failures explained in one line. */
public final class KafkaAccess {
  private static final String ADMIN = "admin.";
  private static final int MOST_PORT = 65_535;

  private final Properties settings = new Properties();
  private final List<String> brokers;
  private final String protocol;

  /**
   * Prepares the access to the cluster, without connecting.
   *
   * @param streams settings of Kafka Streams, including those of the admin client
   * @throws StartException if a client cannot be created with the settings
   */
  public KafkaAccess(Properties streams) {
    streams.forEach((key, value) -> settings.put(key, value));
    streams.forEach(
        (key, value) -> {
          String name = (String) key;
          if (name.startsWith(ADMIN)) settings.put(name.substring(ADMIN.length()), value);
        });
    settings.keySet().removeIf(key -> !isForAdmin((String) key));
    try {
      ReaderSettings.limitWaits(settings);
      AbstractConfig read = new AdminClientConfig(settings);
      brokers = read.getList(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
      brokers.forEach(KafkaAccess::requireAddress);
      protocol =
          read.getString(AdminClientConfig.SECURITY_PROTOCOL_CONFIG).toUpperCase(Locale.ROOT);
    } catch (KafkaException e) {
      throw new StartException("a Kafka client cannot be created: " + innermost(e), e);
    }
  }

  private static void requireAddress(String broker) {
    Integer port = Utils.getPort(broker);
    if (Utils.getHost(broker) != null && port != null && port <= MOST_PORT) return;
    throw new StartException(
        "bootstrap.servers=%s: not an address; a comma list of host:port, such as localhost:9092"
            .formatted(broker));
  }

  private static boolean isForAdmin(String key) {
    return AdminClientConfig.configNames().contains(key)
        || key.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG);
  }

  /**
   * Creates an admin client, after a probe of the bootstrap addresses.
   *
   * @throws StartException if the cluster certainly cannot be reached, or the client cannot be
   *     created
   */
  public Admin open() {
    requireReachable();
    try {
      return Admin.create(settings);
    } catch (KafkaException e) {
      throw new StartException("a Kafka client cannot be created: " + innermost(e), e);
    }
  }

  /**
   * Probes the bootstrap addresses.
   *
   * @throws StartException if the cluster certainly cannot be reached
   */
  void requireReachable() {
    Set<Answer> answers = probe();
    if (answers.equals(Set.of(Answer.UNKNOWN_HOST))) throw unreachable(answers, List.of());
    // A client without TLS takes the TLS alert for the length of an answer, and allocates 352 MB.
    if (answers.contains(Answer.TLS) && !usesTls()) throw unreachable(answers, List.of());
  }

  /**
   * Waits for the cluster's answer to a request.
   *
   * @param passedOn class of failures that are rethrown for the caller to handle
   * @throws StartException if the request fails otherwise
   */
  public <T, X extends ApiException> T answer(KafkaFuture<T> future, Class<X> passedOn) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while preparing topics", e);
    } catch (ExecutionException e) {
      if (passedOn.isInstance(e.getCause())) throw passedOn.cast(e.getCause());
      throw failed(e.getCause());
    }
  }

  /** Explains a failed request to the cluster in one line. */
  public StartException failed(Throwable failure) {
    if (failure instanceof TimeoutException) return unreachable(probe(), List.of(failure));
    if (failure instanceof SslAuthenticationException) {
      Set<Answer> answers = probe();
      if (speaksPlainly(answers)) return unreachable(answers, List.of(failure));
      return new StartException(
          "TLS with Kafka at %s fails: %s (ssl.truststore.location, ssl.keystore.location)"
              .formatted(where(), innermost(failure)),
          failure);
    }
    if (failure instanceof SaslAuthenticationException) {
      return new StartException(
          "Kafka at %s rejects the login: %s (sasl.mechanism, sasl.jaas.config)"
              .formatted(where(), failure.getMessage()),
          failure);
    }
    return new StartException("Kafka rejects the request: " + failure.getMessage(), failure);
  }

  private StartException unreachable(Set<Answer> answers, List<Throwable> failures) {
    String line = unreachable(answers);
    return failures.isEmpty()
        ? new StartException(line)
        : new StartException(line, failures.get(0));
  }

  private String unreachable(Set<Answer> answers) {
    if (answers.equals(Set.of(Answer.UNKNOWN_HOST))) {
      return "unknown host: " + where() + " (bootstrap.servers)";
    }
    if (answers.contains(Answer.TLS) && !usesTls()) {
      return "Kafka at %s uses TLS, but security.protocol=%s does not: set %s"
          .formatted(where(), protocol, usesSasl() ? "SASL_SSL" : "SSL or SASL_SSL");
    }
    if (speaksPlainly(answers) && usesTls()) {
      return "Kafka at %s does not use TLS, but security.protocol=%s does: set %s"
          .formatted(where(), protocol, usesSasl() ? "SASL_PLAINTEXT" : "PLAINTEXT");
    }
    if (answers.contains(Answer.CLOSED_KAFKA) && !usesSasl()) {
      return "Kafka at %s requires a login: set security.protocol=SASL_PLAINTEXT, sasl.mechanism and sasl.jaas.config"
          .formatted(where());
    }
    if (answers.contains(Answer.OPEN_KAFKA)) {
      return "Kafka at %s answers, but the brokers that it lists (their advertised.listeners) do not, or not in time"
          .formatted(where());
    }
    return "no broker answers at " + where() + " (bootstrap.servers)";
  }

  private static boolean speaksPlainly(Set<Answer> answers) {
    return answers.contains(Answer.OPEN_KAFKA) || answers.contains(Answer.CLOSED_KAFKA);
  }

  /**
   * Probes the bootstrap addresses until one shows what kind of server it is; the other addresses
   * should be the same.
   */
  private Set<Answer> probe() {
    Set<Answer> answers = EnumSet.noneOf(Answer.class);
    for (String broker : brokers) {
      Answer answer =
          BrokerProbe.ask(new InetSocketAddress(Utils.getHost(broker), Utils.getPort(broker)));
      answers.add(answer);
      if (speaksPlainly(answers) || answer == Answer.TLS) break;
    }
    return answers;
  }

  private boolean usesTls() {
    return protocol.endsWith("SSL");
  }

  private boolean usesSasl() {
    return protocol.startsWith("SASL");
  }

  private String where() {
    return String.join(",", brokers);
  }

  /** Message of the innermost cause, since Kafka wraps the cause in the operation that failed. */
  public static String innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) cause = cause.getCause();
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
