package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Right;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Check of the rights that Kafka grants. Kafka Streams would notice a missing right late, name the
 * topic but not the right, or retry forever: without the right to delete, for example, the
 * repartition topic is never purged.
 */
final class RightsCheck implements AutoCloseable {
  private static final Duration MOST_WAIT = Duration.ofSeconds(15);

  private final TopicRights rights;
  private final Admin admin;

  RightsCheck(TopicRights rights, Properties streams) {
    this.rights = rights;
    StreamsConfig config = new StreamsConfig(streams);
    String application = config.getString(StreamsConfig.APPLICATION_ID_CONFIG);
    Map<String, Object> settings = new HashMap<>(config.getAdminConfigs(application));
    // Without a configured client id, each admin client gets an id of its own.
    settings.remove(AdminClientConfig.CLIENT_ID_CONFIG);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) MOST_WAIT.toMillis());
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) MOST_WAIT.toMillis());
    admin = Admin.create(settings);
  }

  /** Result of a check: the missing rights, and whether all topics exist that must exist. */
  record Answer(Set<Right> missing, boolean allTopicsExist) {}

  /**
   * Asks Kafka about the rights on every topic.
   *
   * @throws KafkaException if there is no answer
   */
  Answer ask() {
    Set<Right> missing = new LinkedHashSet<>();
    List<String> absent = new ArrayList<>();
    DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    admin
        .describeTopics(rights.topics(), options)
        .topicNameValues()
        .forEach(
            (topic, description) -> {
              try {
                missing.addAll(
                    rights.missing(topic, allowed(await(description).authorizedOperations())));
              } catch (UnknownTopicOrPartitionException e) {
                absent.add(topic);
              } catch (AuthorizationException e) {
                // Any of the rights implies Describe, so none of them is granted.
                missing.addAll(rights.missing(topic, Set.of()));
              }
            });
    absent.stream().filter(rights::isCreated).forEach(topic -> askToCreate(topic, missing));
    return new Answer(missing, absent.stream().allMatch(rights::isOptional));
  }

  /**
   * Returns the granted operations; all operations if the broker does not report them. In that case
   * Describe is not among the reported ones, although it was needed for the request.
   */
  private static Set<AclOperation> allowed(Set<AclOperation> said) {
    boolean says = said != null && said.contains(AclOperation.DESCRIBE);
    return says ? said : Set.of(AclOperation.values());
  }

  /**
   * Asks whether a topic could be created, without creating it; obstacles other than rights show up
   * later.
   */
  private void askToCreate(String topic, Set<Right> missing) {
    NewTopic asked = new NewTopic(topic, Optional.of(1), Optional.empty());
    CreateTopicsOptions options = new CreateTopicsOptions().validateOnly(true);
    try {
      await(admin.createTopics(List.of(asked), options).all());
    } catch (AuthorizationException e) {
      missing.add(rights.right(AclOperation.CREATE, topic));
    } catch (KafkaException e) {
      // The creation fails for another reason; usually another instance has just created the topic.
    }
  }

  private static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KafkaException kafka) throw kafka;
      throw new KafkaException(e.getCause());
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
