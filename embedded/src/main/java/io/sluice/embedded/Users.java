package io.sluice.embedded;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Users of a Kafka broker, with their passwords. Without users, every client has all rights. With
 * users, a client logs in as one of them (SASL/PLAIN) and has the rights that ACLs grant.
 */
record Users(Map<String, String> passwords) {
  /** Name of the user with all rights, as whom the broker itself logs in. */
  static final String ADMINISTRATOR = "admin";

  static final Users NONE = new Users(Map.of());

  private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

  Users {
    passwords = Map.copyOf(passwords);
    if (!passwords.isEmpty() && !passwords.containsKey(ADMINISTRATOR)) {
      throw new IllegalArgumentException(
          "users %s: one must have the name %s".formatted(passwords.keySet(), ADMINISTRATOR));
    }
  }

  /**
   * Returns the broker settings for these users, some of which override other settings of the
   * broker.
   */
  Map<String, String> brokerSettings() {
    if (passwords.isEmpty()) return Map.of();
    String known =
        passwords.entrySet().stream()
            .map(user -> " user_%s=\"%s\"".formatted(user.getKey(), user.getValue()))
            .collect(Collectors.joining());
    return Map.ofEntries(
        // The listener keeps the name PLAINTEXT, although its protocol is SASL_PLAINTEXT.
        Map.entry(
            "listener.security.protocol.map",
            "PLAINTEXT:SASL_PLAINTEXT,%s:PLAINTEXT".formatted(BrokerSettings.CONTROLLER_LISTENER)),
        Map.entry("sasl.enabled.mechanisms", "PLAIN"),
        Map.entry("sasl.mechanism.inter.broker.protocol", "PLAIN"),
        Map.entry(
            "listener.name.plaintext.plain.sasl.jaas.config", login(ADMINISTRATOR) + known + ";"),
        Map.entry(
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
        // ANONYMOUS has all rights, because the broker connects to its controller without a login.
        Map.entry("super.users", "User:ANONYMOUS;User:" + ADMINISTRATOR));
  }

  /**
   * Returns the client settings with which a user logs in, without {@code bootstrap.servers}; empty
   * if there are no users.
   */
  Map<String, String> clientSettings(String user) {
    if (passwords.isEmpty()) return Map.of();
    if (!passwords.containsKey(user)) {
      throw new IllegalArgumentException(
          "user %s: unknown; accepted are %s".formatted(user, passwords.keySet()));
    }
    Map<String, String> settings = new HashMap<>();
    settings.put("security.protocol", "SASL_PLAINTEXT");
    settings.put("sasl.mechanism", "PLAIN");
    settings.put("sasl.jaas.config", login(user) + ";");
    return settings;
  }

  private String login(String user) {
    return "%s required username=\"%s\" password=\"%s\""
        .formatted(LOGIN, user, passwords.get(user));
  }
}
