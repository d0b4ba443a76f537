package io.sluice.topology.config;

import io.sluice.limiter.config.Spelling;
import io.sluice.rules.event.Keys;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Configuration keys that Kafka Streams or its clients read. A key that is unknown to Kafka may
 * belong to a user's interceptor or metrics reporter, so it is no mistake; but usually it is
 * misspelled.
 */
final class KafkaKeys {
  private static final int LETTERS_PER_SLIP = 5;

  private static final Map<String, ConfigDef> CLIENTS = clients();
  private static final Set<String> KNOWN = known();

  private KafkaKeys() {}

  /** Whether neither Sluice nor Kafka reads the key, so that only a user's class can read it. */
  static boolean isUnknown(String key) {
    boolean providers = key.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".");
    boolean internal = key.startsWith("internal.") || key.startsWith("__");
    return !Keys.isOwn(key) && !providers && !internal && !KNOWN.contains(key);
  }

  /** Returns the known key that is most similar to a misspelled key; empty if none is similar. */
  static Optional<String> nearest(String key) {
    int farthest = Math.max(2, key.length() / LETTERS_PER_SLIP);
    return KNOWN.stream()
        .filter(known -> Math.abs(known.length() - key.length()) <= farthest)
        .filter(known -> Spelling.distance(key, known) <= farthest)
        .min(Comparator.comparingInt(known -> Spelling.distance(key, known)));
  }

  private static Set<String> known() {
    Set<String> known = new TreeSet<>();
    CLIENTS.forEach((prefix, client) -> client.names().forEach(name -> known.add(prefix + name)));
    Arrays.stream(TopicConfig.class.getFields())
        .filter(field -> field.getName().endsWith("_CONFIG"))
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .forEach(field -> known.add(StreamsConfig.TOPIC_PREFIX + text(field)));
    return known;
  }

  private static String text(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(constant + " is public", e);
    }
  }

  /** Whether Kafka Streams or one of its clients defines the key. */
  static boolean isRead(String key) {
    return definition(key).isPresent();
  }

  /**
   * Returns the definition of a key in Kafka Streams, or in the client that the key's prefix names;
   * empty if the key is unknown.
   */
  static Optional<ConfigDef.ConfigKey> definition(String key) {
    return CLIENTS.entrySet().stream()
        .filter(client -> key.startsWith(client.getKey()))
        .map(client -> client.getValue().configKeys().get(key.substring(client.getKey().length())))
        .filter(found -> found != null)
        .findFirst();
  }

  /**
   * Returns the definitions of keys by prefix: each prefix is for one kind of client, and the empty
   * prefix is for Kafka Streams and all its clients.
   */
  private static Map<String, ConfigDef> clients() {
    Map<String, ConfigDef> clients = new LinkedHashMap<>();
    clients.put(StreamsConfig.MAIN_CONSUMER_PREFIX, ConsumerConfig.configDef());
    clients.put(StreamsConfig.RESTORE_CONSUMER_PREFIX, ConsumerConfig.configDef());
    clients.put(StreamsConfig.GLOBAL_CONSUMER_PREFIX, ConsumerConfig.configDef());
    clients.put(StreamsConfig.CONSUMER_PREFIX, ConsumerConfig.configDef());
    clients.put(StreamsConfig.PRODUCER_PREFIX, ProducerConfig.configDef());
    clients.put(StreamsConfig.ADMIN_CLIENT_PREFIX, AdminClientConfig.configDef());
    clients.put("", everyClient());
    return clients;
  }

  private static ConfigDef everyClient() {
    ConfigDef all = new ConfigDef(StreamsConfig.configDef());
    addMissing(all, ProducerConfig.configDef());
    addMissing(all, ConsumerConfig.configDef());
    addMissing(all, AdminClientConfig.configDef());
    return all;
  }

  private static void addMissing(ConfigDef all, ConfigDef more) {
    more.configKeys().values().stream()
        .filter(key -> !all.names().contains(key.name))
        .forEach(all::define);
  }
}
