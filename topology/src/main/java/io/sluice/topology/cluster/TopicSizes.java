package io.sluice.topology.cluster;

import io.sluice.topology.metrics.StartException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sizes of records that the topics of a cluster take, and that a new topic may be made to take. */
final class TopicSizes {
  private static final Logger LOG = LoggerFactory.getLogger(TopicSizes.class);
  static final int BROKERS_DEFAULT = 1_048_588;
  private static final int MOST_TRIES = 100;

  private final Admin admin;

  /** Whether some may not be asked about. */
  private boolean hidden;

  TopicSizes(Admin admin) {
    this.admin = admin;
  }

  /** What each takes, of those that are there and may be asked. */
  Map<String, Integer> of(Collection<String> topics) {
    List<ConfigResource> resources =
        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<String, Integer> sizes = new HashMap<>();
    admin
        .describeConfigs(resources)
        .values()
        .forEach((topic, config) -> size(config).ifPresent(size -> sizes.put(topic.name(), size)));
    return sizes;
  }

  private Optional<Integer> size(KafkaFuture<Config> config) {
    try {
      return Optional.of(
          Integer.parseInt(config.get().get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while reading topics", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) {
        hidden = true;
        return Optional.empty();
      }
      if (e.getCause() instanceof UnknownTopicOrPartitionException) return Optional.empty();
      throw new StartException("topics cannot be read: " + e.getCause().getMessage(), e);
    }
  }

  /** The most that any of these takes; some may have been created a moment ago. */
  int largest(Collection<String> topics) {
    Map<String, Integer> sizes = of(topics);
    for (int tries = 0; tries < MOST_TRIES && sizes.isEmpty() && !hidden; tries++) {
      sizes = of(topics);
    }
    return sizes.values().stream().mapToInt(size -> size).max().orElse(BROKERS_DEFAULT);
  }

  /**
   * What a new topic is to take: whatever may be sent, since a megabyte that came compressed is
   * many that leave uncompressed; or only what the input takes, if the cluster takes no more.
   */
  int roomy(int largestInput, NewTopic example) {
    int sent = (int) LargeRecords.mostSent(largestInput);
    example.configs(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(sent)));
    try {
      admin
          .createTopics(List.of(example), new CreateTopicsOptions().validateOnly(true))
          .all()
          .get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while preparing topics", e);
    } catch (ExecutionException e) {
      boolean tooMuch =
          e.getCause() instanceof PolicyViolationException
              || e.getCause() instanceof InvalidConfigurationException;
      if (tooMuch) return largestInput;
      LOG.debug("whether a topic may take {} bytes is not known", sent, e);
    }
    return sent;
  }
}
