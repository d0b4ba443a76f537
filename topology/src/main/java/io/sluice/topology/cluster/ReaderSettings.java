package io.sluice.topology.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The settings of a consumer that reads in no group, and leaves no trace. */
final class ReaderSettings {
  /** So that a cluster that does not answer is reported within a quarter of a minute. */
  private static final int MOST_WAIT_MS = 15_000;

  /** There may be a thousand partitions, and something of each is in memory. */
  private static final int FETCH_BYTES = 1 << 18;

  /** Shorter than Kafka's, so that a broker that has gone is soon asked no more. */
  static final int REQUEST_MS = 5_000;

  private static final int MOST_POLLED = 10_000;

  /** The topic of revisions has one partition, so more of it may be in memory at once. */
  private static final int LARGE_FETCH_BYTES = 4 << 20;

  private ReaderSettings() {}

  /**
   * What is given for a consumer, as far as it is for this one.
   *
   * @param clientId what brokers know it by
   */
  static Map<String, Object> of(Map<String, Object> given, String clientId) {
    Map<String, Object> settings = new HashMap<>(given);
    settings.keySet().removeIf(ReaderSettings::isOfMember);
    settings.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    // What waits for more is answered after the time that a request may take, and so never.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
    settings.remove(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    settings.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG); // nobody is to notice
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // What was deleted meanwhile is as if it had been deleted before.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    limitWaits(settings);
    return settings;
  }

  /**
   * Shortens the timeouts of a client to a quarter of a minute; shorter ones stay.
   *
   * @throws ConfigException if one is no number
   */
  static void limitWaits(Map<? super String, Object> settings) {
    int mostMs = MOST_WAIT_MS; // a request must not take longer than the call that sends it
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

  /** Whether only a member of Streams' group needs it. */
  private static boolean isOfMember(String key) {
    return key.startsWith("group.")
        || key.startsWith("internal.")
        || key.startsWith("__")
        || key.equals(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
  }

  /** A hundred thousand revisions are read by a few requests, and not by a hundred. */
  static Map<String, Object> inLargeParts() {
    return new HashMap<>(
        Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_POLLED,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, LARGE_FETCH_BYTES));
  }

  /** Of who follows the topic of revisions: it fails where what it wants is not there. */
  static Map<String, Object> following() {
    Map<String, Object> own = inLargeParts();
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
    return own;
  }
}
