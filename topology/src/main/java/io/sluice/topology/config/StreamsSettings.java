package io.sluice.topology.config;

import io.sluice.limiter.config.Spelling;
import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.ConfigErrors;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.References;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.GroupProtocol;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings for Kafka Streams and its clients: all settings without the prefix {@code sluice.},
 * which are passed on unchanged, and Sluice's defaults for some settings that are missing.
 */
final class StreamsSettings {
  /**
   * Sluice's default of the consumer session timeout, after which the broker removes a silent
   * member from the group; Kafka's default is 45 s.
   */
  private static final int SESSION_TIMEOUT_MS = 15_000;

  /**
   * Least number of heartbeat intervals in a session timeout, as Kafka recommends, so that two
   * heartbeats in a row may be lost.
   */
  private static final int HEARTBEATS_PER_SESSION = 3;

  private static final int TICK_PER_POLL = 4;

  /**
   * Sluice's default of the longest time for which the broker holds a fetch of a restore consumer
   * that has nothing to read; Kafka's default is 500 ms. The broker answers requests of a
   * connection one after another, so a task whose restoring begins later waits for a fetch of the
   * others.
   */
  private static final int RESTORE_WAIT_MS = 100;

  private final Map<String, String> texts;
  private final References references;
  private final long tickMs;
  private final Duration maxAhead;
  private final String advertised;

  StreamsSettings(RawSettings given, long tickMs, Duration maxAhead) {
    this.texts = new LinkedHashMap<>(given.texts());
    this.references = given.references();
    this.tickMs = tickMs;
    this.maxAhead = maxAhead;
    this.advertised = given.texts().getOrDefault(Keys.HTTP_ADVERTISED, "").trim();
    texts.keySet().removeIf(Keys::isOwn);
  }

  /** Returns the settings that the user gives, with Sluice's defaults for missing settings. */
  Properties withDefaults() {
    Properties streams = new Properties();
    streams.setProperty(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    producerDefault(streams, ProducerConfig.LINGER_MS_CONFIG, "5");
    // Larger producer batches, unless the user sets buffer.memory, which may be too small for them.
    if (!isGivenToProducers(ProducerConfig.BUFFER_MEMORY_CONFIG)) {
      producerDefault(streams, ProducerConfig.BATCH_SIZE_CONFIG, "131072");
    }
    restoreDefault(
        streams, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Integer.toString(RESTORE_WAIT_MS));
    // A task with an input topic and a repartition topic must not wait if one of them is empty.
    streams.setProperty(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, "-1");
    texts.forEach(streams::setProperty);
    if (!advertised.isEmpty()) {
      streams.putIfAbsent(StreamsConfig.APPLICATION_SERVER_CONFIG, advertised);
    }
    if (!makesItsOwnConsumer(streams)) groupDefaults(streams);
    // Longest sleep of an idle stream thread, and so the longest delay before it checks timers.
    streams.putIfAbsent(
        StreamsConfig.POLL_MS_CONFIG, Long.toString(Math.max(1, tickMs / TICK_PER_POLL)));
    // Records of internal topics have the events' times, and brokers refuse times an hour ahead.
    if (maxAhead.toMillis() >= Topics.SURELY_TAKEN_AHEAD_MS) {
      takeAnyTime(streams, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG);
    }
    // Records of internal topics have the events' times, which may be arbitrarily old.
    takeAnyTime(streams, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG);
    return streams;
  }

  private void producerDefault(Properties streams, String key, String value) {
    if (!isGivenToProducers(key)) streams.setProperty(StreamsConfig.producerPrefix(key), value);
  }

  private boolean isGivenToProducers(String key) {
    return texts.containsKey(key) || texts.containsKey(StreamsConfig.producerPrefix(key));
  }

  private void restoreDefault(Properties streams, String key, String value) {
    String restoreKey = StreamsConfig.restoreConsumerPrefix(key);
    boolean isGiven =
        Stream.of(key, StreamsConfig.consumerPrefix(key), restoreKey).anyMatch(texts::containsKey);
    if (!isGiven) streams.setProperty(restoreKey, value);
  }

  private static void takeAnyTime(Properties streams, String limit) {
    streams.putIfAbsent(StreamsConfig.topicPrefix(limit), Long.toString(Long.MAX_VALUE));
  }

  /** Returns the configured number of stream threads; Kafka's default if it is not set. */
  int threads() {
    String key = StreamsConfig.NUM_STREAM_THREADS_CONFIG;
    ConfigDef.ConfigKey definition = StreamsConfig.configDef().configKeys().get(key);
    Object given = texts.containsKey(key) ? texts.get(key) : definition.defaultValue;
    return (int) ConfigDef.parseType(key, given, definition.type);
  }

  /**
   * Whether {@code group.protocol} is {@code streams}. Kafka Streams then must create its consumer
   * itself, and standbys and the session timeout are set on the broker.
   */
  static boolean makesItsOwnConsumer(Properties streams) {
    String protocol = streams.getProperty(StreamsConfig.GROUP_PROTOCOL_CONFIG, "");
    return GroupProtocol.STREAMS.name.equalsIgnoreCase(protocol.trim());
  }

  /**
   * Sets a standby replica and a short session timeout as defaults, so that other instances take
   * over the partitions of a dead instance within seconds.
   */
  private void groupDefaults(Properties streams) {
    streams.putIfAbsent(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "1");
    // A static member may stay away for longer, so it keeps Kafka's session timeout.
    boolean isStatic = givesConsumer(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    if (isStatic || givesConsumer(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG)) return;
    if (!heartbeatsFit()) return;
    streams.setProperty(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG),
        Integer.toString(SESSION_TIMEOUT_MS));
  }

  private boolean heartbeatsFit() {
    return consumerKeys(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG)
        .filter(texts::containsKey)
        .allMatch(key -> isNumberUpTo(SESSION_TIMEOUT_MS / HEARTBEATS_PER_SESSION, texts.get(key)));
  }

  /** Whether a text is a whole number between 0 and a bound; false for any other text. */
  private static boolean isNumberUpTo(int most, String text) {
    return text.trim().matches("[0-9]{1,9}") && Integer.parseInt(text.trim()) <= most;
  }

  private boolean givesConsumer(String key) {
    return consumerKeys(key).anyMatch(texts::containsKey);
  }

  /**
   * Returns the keys that can set a property of the consumer that is a member of the group: the key
   * alone, and with the prefixes for all consumers and for the main consumer.
   */
  static Stream<String> consumerKeys(String key) {
    return Stream.of(key, StreamsConfig.consumerPrefix(key), StreamsConfig.mainConsumerPrefix(key));
  }

  void check(ConfigErrors mistakes) {
    require(StreamsConfig.APPLICATION_ID_CONFIG, "sluice", mistakes);
    checkApplicationId(mistakes);
    require(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9092", mistakes);
    texts.forEach(
        (key, text) -> {
          if (references.areBroken(key)) return;
          KafkaKeys.definition(key)
              .flatMap(definition -> problem(definition, text))
              .ifPresent(problem -> mistakes.add(key, text, problem));
        });
  }

  private void require(String key, String example, ConfigErrors mistakes) {
    if (texts.getOrDefault(key, "").isBlank()) {
      mistakes.add(key, "missing; such as " + key + "=" + example + meant(key));
    }
  }

  private String meant(String key) {
    return texts.keySet().stream()
        .filter(given -> KafkaKeys.isUnknown(given) && Spelling.distance(given, key) <= 2)
        .findFirst()
        .map(given -> " (nothing reads " + given + ")")
        .orElse("");
  }

  /**
   * Checks that the application id has valid characters and at most 180, since the names of
   * internal topics consist of the id and a suffix.
   */
  private void checkApplicationId(ConfigErrors mistakes) {
    String id = texts.getOrDefault(StreamsConfig.APPLICATION_ID_CONFIG, "").trim();
    boolean broken = references.areBroken(StreamsConfig.APPLICATION_ID_CONFIG);
    if (broken || id.isEmpty() || id.matches("[A-Za-z0-9._-]{1,180}")) return;
    mistakes.add(
        StreamsConfig.APPLICATION_ID_CONFIG, id, "at most 180 letters, digits, ., _ and -");
  }

  private static Optional<String> problem(ConfigDef.ConfigKey key, String text) {
    // Kafka checks class names itself, and a message must not repeat a password.
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

  /**
   * Removes "Invalid value ... for configuration ...: " from Kafka's message, since Sluice's
   * message begins with the key and the value anyway.
   */
  private static String withoutPreamble(String message, String key) {
    String preamble = "for configuration " + key + ": ";
    int at = message.indexOf(preamble);
    return at < 0 ? message : message.substring(at + preamble.length());
  }
}
