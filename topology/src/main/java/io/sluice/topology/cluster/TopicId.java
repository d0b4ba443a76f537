package io.sluice.topology.cluster;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The questions for what tells a topic from another one of its name, and how long it keeps what.
 */
final class TopicId {
  private static final Logger LOG = LoggerFactory.getLogger(TopicId.class);

  /** Kafka's default for delete.retention.ms. */
  private static final long A_DAY_MS = 86_400_000;

  private TopicId() {}

  /**
   * How long a compacted topic keeps the record that deletes another one: its delete.retention.ms,
   * or Kafka's default where that may not be asked or is not known in time.
   */
  static long deletionsLastMs(String topic, Admin admin, int mostMs) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    DescribeConfigsOptions options = new DescribeConfigsOptions().timeoutMs(mostMs);
    try {
      return Long.parseLong(
          admin
              .describeConfigs(List.of(resource), options)
              .all()
              .get()
              .get(resource)
              .get(TopicConfig.DELETE_RETENTION_MS_CONFIG)
              .value());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      LOG.debug("delete.retention.ms of {} is not known", topic, e);
      return A_DAY_MS;
    }
  }

  /**
   * Asks for it, and for the rest that is known of the topic.
   *
   * @throws KafkaException if it is not known within this time
   */
  static TopicDescription describe(String topic, Admin admin, int mostMs) {
    DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(mostMs);
    try {
      return admin.describeTopics(List.of(topic), options).allTopicNames().get().get(topic);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KafkaException kafka) throw kafka;
      throw new KafkaException(e.getCause());
    }
  }
}
