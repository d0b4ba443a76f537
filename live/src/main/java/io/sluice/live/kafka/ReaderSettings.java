package io.sluice.live.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Settings of a consumer that joins no group and commits no offsets. */
final class ReaderSettings {
  /** Maximum timeout in milliseconds, so that an unreachable cluster is reported within 15 s. */
  private static final int MOST_WAIT_MS = 15_000;

  /** Fetch size in bytes for each partition, small since there may be a thousand partitions. */
  private static final int FETCH_BYTES = 1 << 18;

  /**
   * Request timeout in milliseconds; shorter than Kafka's default, so that a lost broker is soon
   * not asked any more.
   */
  static final int REQUEST_MS = 5_000;

  private static final int MOST_POLLED = 10_000;

  /** Fetch size in bytes for the topic of revisions, which has one partition only. */
  private static final int LARGE_FETCH_BYTES = 4 << 20;

  private ReaderSettings() {}

  /**
   * Adapts the settings of an application's consumer to one that joins no group.
   *
   * @param clientId name of the consumer for the brokers
   */
  static Map<String, Object> of(Map<String, Object> given, String clientId) {
    Map<String, Object> settings = new HashMap<>(given);
    settings.keySet().removeIf(ReaderSettings::isOfMember);
    settings.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    // A fetch that waits for more data could last longer than the request timeout, and would then
    // never succeed.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
    settings.remove(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    // The application's interceptors are for events, and would see these records too.
    settings.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // If records are deleted while they are read, the consumer goes on with the first records that
    // are left.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    limitWaits(settings);
    return settings;
  }

  /**
   * Reduces the request timeouts of a client to 15 s; shorter timeouts are kept.
   *
   * @throws ConfigException if a timeout is not a number
   */
  static void limitWaits(Map<? super String, Object> settings) {
    // A request is part of a call, so its timeout must not be longer than that of the call.
    int mostMs = MOST_WAIT_MS;
    for (String timeout :
        List.of(
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG)) {
      Object given = settings.get(timeout);
      if (given != null) {
        mostMs =
            Math.min(mostMs, (Integer) ConfigDef.parseType(timeout, given, ConfigDef.Type.INT));
      }
      settings.put(timeout, mostMs);
    }
  }

  /** Whether a setting is only for members of the Kafka Streams group. */
  private static boolean isOfMember(String key) {
    return key.startsWith("group.")
        || key.startsWith("internal.")
        || key.startsWith("__")
        || key.equals(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
  }

  /** Returns settings to read a hundred thousand revisions in a few requests. */
  static Map<String, Object> inLargeParts() {
    return new HashMap<>(
        Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_POLLED,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, LARGE_FETCH_BYTES));
  }

  /**
   * Returns settings to follow the topic of revisions: the consumer fails if its offset does not
   * exist.
   */
  static Map<String, Object> following() {
    Map<String, Object> own = inLargeParts();
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
    return own;
  }
}
