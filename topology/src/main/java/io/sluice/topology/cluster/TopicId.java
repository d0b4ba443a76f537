package io.sluice.topology.cluster;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** The question for what tells a topic from another one of its name. */
final class TopicId {
  private TopicId() {}

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
