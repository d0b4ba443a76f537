package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.live.kafka.MissingRights;
import io.sluice.live.kafka.Right;
import io.sluice.rules.StartException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Lookup of topics for a command, which names the one right that it needs next. An instance instead
 * names all its missing rights, by {@link AccessCheck}.
 *
 * @param admin closed by the caller
 * @param streams settings of Kafka's clients, for messages
 */
record TopicLookup(KafkaAccess access, Admin admin, Properties streams) {
  /**
   * Describes a topic; empty if it does not exist.
   *
   * @param needed operation on the topic for which the command needs a right; any right on a topic
   *     includes the right to describe it
   * @throws StartException if it cannot be described; the message says why in one line
   */
  Optional<TopicDescription> describe(String topic, AclOperation needed) {
    try {
      return Optional.of(
          access.answer(
              admin.describeTopics(List.of(topic)).topicNameValues().get(topic),
              ApiException.class));
    } catch (UnknownTopicOrPartitionException e) {
      return Optional.empty();
    } catch (TopicAuthorizationException e) {
      throw denied(needed, topic, e);
    } catch (ApiException e) {
      throw access.failed(e);
    }
  }

  StartException denied(AclOperation needed, String topic, Exception denial) {
    Right right = Right.of(needed, ResourceType.TOPIC, topic);
    return new StartException(new MissingRights(Set.of(right), streams).line(), denial);
  }
}
