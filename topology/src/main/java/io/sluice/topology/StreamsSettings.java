package io.sluice.topology;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/** The settings that are not Sluice's: they go to Kafka Streams and its clients as they are. */
final class StreamsSettings {
  private static final Map<String, ConfigDef> CLIENTS = clients();

  private final Map<String, String> texts;

  StreamsSettings(Map<String, String> given) {
    this.texts = new LinkedHashMap<>(given);
    texts.keySet().removeIf(SluiceConfig::isOwn);
  }

  /** As given, and what Sluice prefers where nothing is. */
  Properties withDefaults() {
    Properties streams = new Properties();
    streams.setProperty(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    if (!texts.containsKey(ProducerConfig.LINGER_MS_CONFIG)) {
      streams.setProperty(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), "5");
    }
    // What came compressed must fit again where it goes, and take no more of a disk than it did.
    if (!texts.containsKey(ProducerConfig.COMPRESSION_TYPE_CONFIG)) {
      streams.setProperty(
          StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    }
    // A task that reads the input and what hops home must not wait for the one that has nothing.
    streams.setProperty(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, "-1");
    texts.forEach(streams::setProperty);
    return streams;
  }

  void check(Mistakes mistakes) {
    require(StreamsConfig.APPLICATION_ID_CONFIG, "sluice", mistakes);
    checkApplicationId(mistakes);
    require(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9092", mistakes);
    texts.forEach((key, text) -> problem(key, text).ifPresent(p -> mistakes.add(key, text, p)));
  }

  private void require(String key, String example, Mistakes mistakes) {
    if (texts.getOrDefault(key, "").isBlank()) {
      mistakes.add(key, "missing; such as " + key + "=" + example);
    }
  }

  /** It is the beginning of internal topics' names, of which the rest needs some room. */
  private void checkApplicationId(Mistakes mistakes) {
    String id = texts.getOrDefault(StreamsConfig.APPLICATION_ID_CONFIG, "").trim();
    if (id.isEmpty() || id.contains("${") || id.matches("[A-Za-z0-9._-]{1,180}")) return;
    mistakes.add(
        StreamsConfig.APPLICATION_ID_CONFIG, id, "at most 180 letters, digits, ., _ and -");
  }

  private static Optional<String> problem(String key, String text) {
    if (text.contains("${")) return Optional.empty(); // a config provider knows what it is
    return definition(key).flatMap(definition -> problem(definition, text));
  }

  /** Whether Streams or a client reads the key. */
  static boolean isKnown(String key) {
    return definition(key).isPresent();
  }

  /** Who reads the key: Streams itself, or a client, of which the prefix may name one. */
  private static Optional<ConfigDef.ConfigKey> definition(String key) {
    return CLIENTS.entrySet().stream()
        .filter(client -> key.startsWith(client.getKey()))
        .map(client -> client.getValue().configKeys().get(key.substring(client.getKey().length())))
        .filter(found -> found != null)
        .findFirst();
  }

  private static Optional<String> problem(ConfigDef.ConfigKey key, String text) {
    // Loading classes is left to Kafka; a password is not to be repeated.
    if (key.type == ConfigDef.Type.CLASS || key.type == ConfigDef.Type.PASSWORD) {
      return Optional.empty();
    }
    try {
      Object value = ConfigDef.parseType(key.name, text, key.type);
      if (key.validator != null) key.validator.ensureValid(key.name, value);
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(withoutPreamble(e.getMessage(), key.name));
    }
  }

  /** Kafka's "Invalid value ... for configuration ...: " is what the line begins with anyway. */
  private static String withoutPreamble(String message, String key) {
    String preamble = "for configuration " + key + ": ";
    int at = message.indexOf(preamble);
    return at < 0 ? message : message.substring(at + preamble.length());
  }

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
    return all;
  }

  private static void addMissing(ConfigDef all, ConfigDef more) {
    more.configKeys().values().stream()
        .filter(key -> !all.names().contains(key.name))
        .forEach(all::define);
  }
}
