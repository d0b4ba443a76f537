package io.sluice.embedded;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The users of a broker, and their passwords. Without any, everybody may do everything; with some,
 * a client logs in as one of them (SASL/PLAIN) and may do what ACLs allow.
 */
record Users(Map<String, String> passwords) {
  /** May do everything, and is whom the broker itself logs in as. */
  static final String ADMINISTRATOR = "admin";

  static final Users NONE = new Users(Map.of());

  private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

  Users {
    passwords = Map.copyOf(passwords);
    if (!passwords.isEmpty() && !passwords.containsKey(ADMINISTRATOR)) {
      throw new IllegalArgumentException(
          "users %s: there must be one named %s".formatted(passwords.keySet(), ADMINISTRATOR));
    }
  }

  /** What a broker needs beside its other settings, and instead of some. */
  Map<String, String> brokerSettings() {
    if (passwords.isEmpty()) return Map.of();
    String known =
        passwords.entrySet().stream()
            .map(user -> " user_%s=\"%s\"".formatted(user.getKey(), user.getValue()))
            .collect(Collectors.joining());
    return Map.ofEntries(
        // The listener keeps its name; what is spoken there is another matter.
        Map.entry(
            "listener.security.protocol.map",
            "PLAINTEXT:SASL_PLAINTEXT,%s:PLAINTEXT".formatted(BrokerSettings.CONTROLLER_LISTENER)),
        Map.entry("sasl.enabled.mechanisms", "PLAIN"),
        Map.entry("sasl.mechanism.inter.broker.protocol", "PLAIN"),
        Map.entry(
            "listener.name.plaintext.plain.sasl.jaas.config", login(ADMINISTRATOR) + known + ";"),
        Map.entry(
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
        // To its controller the broker speaks without a login.
        Map.entry("super.users", "User:ANONYMOUS;User:" + ADMINISTRATOR));
  }

  /** What a client needs beside {@code bootstrap.servers}. */
  Map<String, String> clientSettings(String user) {
    if (passwords.isEmpty()) return Map.of();
    if (!passwords.containsKey(user)) {
      throw new IllegalArgumentException(
          "user %s: there are only %s".formatted(user, passwords.keySet()));
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
