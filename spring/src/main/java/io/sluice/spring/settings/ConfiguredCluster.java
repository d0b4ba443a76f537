package io.sluice.spring.settings;

import io.sluice.live.kafka.FollowedTopic;
import io.sluice.rules.StartException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Reads the settings for the topic in which a Sluice application publishes revisions (dated changes
 * of limits): the topic's name, and the settings of the Kafka clients that read it.
 */
final class ConfiguredCluster {
  static final String SERVERS = "sluice.bootstrap.servers";
  static final String APPLICATION = "sluice.application.id";
  static final String TOPIC = "sluice.topics.limits";
  static final String LIVE = "sluice.limits.live";

  /**
   * Keys of the settings that have checks of their own, in addition to all settings of Kafka's
   * clients.
   */
  static final Set<String> KEYS = Set.of(SERVERS, APPLICATION, TOPIC, LIVE);

  private static final String OWN = "sluice.";
  private static final String CONSUMER = "consumer.";
  private static final String ADMIN = "admin.";
  private static final String SUFFIX = "-limits";

  private final Map<String, String> texts;
  private final List<String> mistakes;
  private final int before;

  private ConfiguredCluster(Map<String, String> texts, List<String> mistakes) {
    this.texts = texts;
    this.mistakes = mistakes;
    before = mistakes.size();
  }

  static boolean isKey(String key) {
    return KEYS.contains(key) || definition(key).isPresent();
  }

  /**
   * Returns the topic of revisions (dated changes of limits) to read; empty if none is configured,
   * if live changes are off, or if the settings have mistakes.
   *
   * @param mistakes receives a line for each mistake
   */
  static Optional<FollowedTopic> read(Map<String, String> texts, List<String> mistakes) {
    return new ConfiguredCluster(texts, mistakes).read();
  }

  private Optional<FollowedTopic> read() {
    boolean live = isLive();
    if (!texts.containsKey(SERVERS)) {
      texts.keySet().stream()
          .filter(key -> isKey(key) && !key.equals(LIVE))
          .forEach(key -> mistakes.add(key + ": only applies with " + SERVERS));
      return Optional.empty();
    }
    String topic = topic();
    addresses();
    Map<String, String> kafka = kafka();
    return mistakes.size() > before ? Optional.empty() : topic(topic, kafka).filter(any -> live);
  }

  private boolean isLive() {
    String text = texts.getOrDefault(LIVE, "true").trim();
    if (!text.equals("true") && !text.equals("false")) {
      mistakes.add(LIVE + "=" + text + ": accepted are true, false");
    }
    return text.equals("true");
  }

  /**
   * Checks the addresses of Kafka separately, so that mistakes in other settings do not hide
   * mistakes in the addresses.
   */
  private void addresses() {
    String servers = texts.get(SERVERS);
    if (servers.isBlank()) {
      mistakes.add(SERVERS + "=: a comma list of host:port, such as localhost:9092");
      return;
    }
    topic("any", Map.of("bootstrap.servers", servers));
  }

  private String topic() {
    String id = texts.getOrDefault(APPLICATION, "").trim();
    boolean named = texts.containsKey(APPLICATION);
    if (named && !id.matches("[A-Za-z0-9._-]{1,180}")) {
      mistakes.add(APPLICATION + "=" + id + ": at most 180 letters, digits, ., _ and -");
    }
    String topic = texts.getOrDefault(TOPIC, id + SUFFIX).trim();
    if (!named && !texts.containsKey(TOPIC)) {
      mistakes.add(
          TOPIC
              + ": missing; with "
              + SERVERS
              + ", set the stream's topic of revisions, such as shop-limits, or "
              + APPLICATION
              + ", the stream's application.id");
    } else if (texts.containsKey(TOPIC) && !isTopic(topic)) {
      mistakes.add(TOPIC + "=" + topic + ": at most 249 letters, digits, ., _ and -");
    }
    return topic;
  }

  private static boolean isTopic(String text) {
    return text.matches("[A-Za-z0-9._-]{1,249}") && !text.matches("\\.{1,2}");
  }

  /**
   * Returns the settings of Kafka's clients, under Kafka's keys, without the prefix {@code sluice.}
   */
  private Map<String, String> kafka() {
    Map<String, String> kafka = new LinkedHashMap<>();
    texts.forEach((key, text) -> definition(key).ifPresent(each -> check(key, text, each, kafka)));
    return kafka;
  }

  private void check(
      String key, String text, ConfigDef.ConfigKey definition, Map<String, String> kafka) {
    kafka.put(key.substring(OWN.length()), text);
    if (key.equals(SERVERS)) return; // addresses() checks it
    problem(definition, text).ifPresent(problem -> mistakes.add(key + "=" + text + ": " + problem));
  }

  private Optional<FollowedTopic> topic(String topic, Map<String, String> kafka) {
    try {
      return Optional.of(new FollowedTopic(topic, kafka, topic + "-" + UUID.randomUUID()));
    } catch (StartException e) {
      String line = e.getMessage();
      mistakes.add(line.startsWith("bootstrap.servers=") ? OWN + line : SERVERS + ": " + line);
      return Optional.empty();
    }
  }

  /**
   * Returns Kafka's definition of a client setting, whose key may have the prefix {@code consumer.}
   * or {@code admin.} after {@code sluice.}; empty if neither client has the setting.
   */
  private static Optional<ConfigDef.ConfigKey> definition(String key) {
    if (!key.startsWith(OWN)) return Optional.empty();
    String name = key.substring(OWN.length());
    ConfigDef consumer = ConsumerConfig.configDef();
    ConfigDef admin = AdminClientConfig.configDef();
    if (name.startsWith(CONSUMER)) return definition(consumer, name.substring(CONSUMER.length()));
    if (name.startsWith(ADMIN)) return definition(admin, name.substring(ADMIN.length()));
    return definition(consumer, name).or(() -> definition(admin, name));
  }

  private static Optional<ConfigDef.ConfigKey> definition(ConfigDef client, String name) {
    return Optional.ofNullable(client.configKeys().get(name));
  }

  /**
   * Returns the problem with a value, worded as in a standalone Sluice application. Kafka itself
   * checks the names of classes.
   */
  private static Optional<String> problem(ConfigDef.ConfigKey key, String text) {
    if (key.type == ConfigDef.Type.CLASS || key.type == ConfigDef.Type.PASSWORD) {
      return Optional.empty(); // a message about a password would contain it
    }
    try {
      Object value = ConfigDef.parseType(key.name, text, key.type);
      if (key.validator != null) key.validator.ensureValid(key.name, value);
      return Optional.empty();
    } catch (ConfigException e) {
      String preamble = "for configuration " + key.name + ": ";
      int at = e.getMessage().indexOf(preamble);
      return Optional.of(
          at < 0 ? e.getMessage() : e.getMessage().substring(at + preamble.length()));
    }
  }
}
