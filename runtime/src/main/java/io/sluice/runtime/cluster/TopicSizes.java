package io.sluice.runtime.cluster;

import io.sluice.rules.StartException;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.intake.RecordSizes.Most;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

/**
 * Sizes of the largest records that the cluster's topics take, and that a new topic could take.
 * Thread-safe once topics are prepared.
 */
final class TopicSizes implements RecordSizes.Describer {
  private static final Logger LOG = LoggerFactory.getLogger(TopicSizes.class);
  static final int BROKERS_DEFAULT = 1_048_588;
  private static final int MOST_TRIES = 100;
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final Admin admin;
  private final InstantSource clock;
  private final Map<String, Instant> described = new ConcurrentHashMap<>();
  private final AtomicLong questions = new AtomicLong();

  /** Number of the latest answered request for each topic. */
  private final Map<String, Long> answered = new ConcurrentHashMap<>();

  /** Whether the sizes of some topics could not be read for lack of a right. */
  private boolean hidden;

  TopicSizes(Admin admin) {
    this(admin, ThreadKeeper.STEADY);
  }

  TopicSizes(Admin admin, InstantSource clock) {
    this.admin = admin;
    this.clock = clock;
  }

  boolean areHidden() {
    return hidden;
  }

  @Override
  public void describe(String topic, boolean now, Consumer<Most> then) {
    Instant at = clock.instant();
    Instant last = described.get(topic);
    if (!now && last != null && Duration.between(last, at).compareTo(AGAIN) < 0) return;
    described.put(topic, at);
    long question = questions.incrementAndGet();
    try {
      ConfigResource resource = resource(topic);
      var unused =
          admin
              .describeConfigs(List.of(resource))
              .values()
              .get(resource)
              .whenComplete((config, failure) -> answer(topic, question, config, failure, then));
    } catch (RuntimeException e) {
      // The admin client is closed, because the application is ending.
      LOG.debug("the maximum record size of {} is unknown", topic, e);
    }
  }

  /**
   * Passes on an answer to a request for a topic's size, unless a later request was answered
   * before. Only one thread calls it.
   */
  private void answer(
      String topic, long question, Config config, Throwable failure, Consumer<Most> then) {
    if (failure != null) LOG.debug("the maximum record size of {} is unknown", topic, failure);
    else if (answered.merge(topic, question, Long::max) == question) then.accept(most(config));
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  /** Largest record by the topic's settings. A batch of records must also fit into a segment. */
  private static Most most(Config config) {
    return Stream.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, TopicConfig.SEGMENT_BYTES_CONFIG)
        .map(name -> new Most(Integer.parseInt(config.get(name).value()), name))
        .min(Comparator.comparingInt(Most::bytes))
        .orElseThrow();
  }

  /** Returns the largest record of each of the topics that exist and may be described. */
  Map<String, Most> of(Collection<String> topics) {
    List<ConfigResource> resources = topics.stream().map(TopicSizes::resource).toList();
    Map<String, Most> sizes = new HashMap<>();
    admin
        .describeConfigs(resources)
        .values()
        .forEach((topic, config) -> size(config).ifPresent(size -> sizes.put(topic.name(), size)));
    return sizes;
  }

  private Optional<Most> size(KafkaFuture<Config> config) {
    try {
      return Optional.of(most(config.get()));
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

  /**
   * Returns the largest record that any of these topics takes, in bytes. It retries, since topics
   * may be new.
   */
  int largest(Collection<String> topics) {
    Map<String, Most> sizes = of(topics);
    for (int tries = 0; tries < MOST_TRIES && sizes.isEmpty() && !hidden; tries++) {
      sizes = of(topics);
    }
    return sizes.values().stream().mapToInt(Most::bytes).max().orElse(BROKERS_DEFAULT);
  }

  /**
   * Returns the record size for a new topic, in bytes: large enough for any record that may be
   * sent, since a compressed megabyte may leave as many uncompressed ones; or the size of the input
   * topics, if the cluster permits no more.
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
