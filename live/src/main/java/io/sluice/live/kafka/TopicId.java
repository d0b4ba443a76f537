package io.sluice.live.kafka;

import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.resource.ResourceType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests for a topic's id and for the time that it keeps tombstones. */
final class TopicId {
  private static final Logger LOG = LoggerFactory.getLogger(TopicId.class);

  /** Kafka's default for delete.retention.ms. */
  private static final long A_DAY_MS = 86_400_000;

  private TopicId() {}

  /** Request for the time that a compacted topic keeps tombstones. */
  static final class Retention {
    private final String topic;
    private final Properties kafka;
    private final int mostMs;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Creates the request for one topic.
     *
     * @param kafka settings of Kafka's clients, for the warning
     * @param mostMs timeout of the request
     */
    Retention(String topic, Properties kafka, int mostMs) {
      this.topic = topic;
      this.kafka = kafka;
      this.mostMs = mostMs;
    }

    /**
     * Returns the topic's delete.retention.ms. If the value is not known in time or the right to
     * read it is missing, returns Kafka's default; the missing right is logged once.
     */
    long deletionsLastMs(Admin admin) {
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
        if (e.getCause() instanceof AuthorizationException) warn();
        LOG.debug("delete.retention.ms of {} is not known", topic, e);
        return A_DAY_MS;
      }
    }

    private void warn() {
      if (warned.getAndSet(true)) return;
      Right right = Right.of(AclOperation.DESCRIBE_CONFIGS, ResourceType.TOPIC, topic);
      LOG.warn(
          "delete.retention.ms of {} cannot be read, so 24 hours are assumed; if it is shorter, a"
              + " withdrawn revision may stay in force on this instance: {}",
          topic,
          new MissingRights(Set.of(right), kafka).line());
    }
  }

  /**
   * Describes a topic, including its id.
   *
   * @throws KafkaException if there is no answer in time, or the topic does not exist
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
