package io.sluice.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that the topics are there before the first record is read or written. */
final class TopicSetup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);
  private static final int MOST_TRIES = 100;
  private static final String PREFIX = StreamsConfig.ADMIN_CLIENT_PREFIX;

  /** So that a wrong address is told within a quarter of a minute. */
  private static final String MOST_WAIT_MS = "15000";

  private final Topics topics;
  private final Admin admin;
  private final String brokers;

  TopicSetup(Topics topics, Properties streams) {
    this.topics = topics;
    brokers = streams.getProperty("bootstrap.servers");
    Properties own = new Properties();
    own.putAll(streams);
    for (String key : streams.stringPropertyNames()) { // what is the admin client's own comes first
      if (key.startsWith(PREFIX)) own.put(key.substring(PREFIX.length()), streams.get(key));
    }
    own.keySet().retainAll(AdminClientConfig.configNames());
    own.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MOST_WAIT_MS);
    own.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, MOST_WAIT_MS);
    admin = Admin.create(own);
  }

  /**
   * Creates what is missing and waits until it can be used.
   *
   * @return how many partitions each input topic has
   * @throws StartException if no broker answers, a topic is missing and may not be created, or
   *     partition counts that must agree do not
   */
  int prepare() {
    Map<String, Integer> found = describe(all());
    int partitions = inputPartitions(found);
    checkDelayed(found, partitions);
    List<NewTopic> missing = new ArrayList<>();
    for (String topic : all()) {
      if (found.containsKey(topic)) continue;
      missing.add(new NewTopic(topic, Optional.of(partitions), replicationFactor()));
    }
    if (!missing.isEmpty()) create(missing);
    awaitOffsets(partitions, found);
    return partitions;
  }

  private Optional<Short> replicationFactor() {
    return topics.replicationFactor() < 1
        ? Optional.empty()
        : Optional.of(topics.replicationFactor());
  }

  private Set<String> all() {
    Set<String> all = new TreeSet<>(topics.inputs());
    all.addAll(List.of(topics.allowed(), topics.rejected(), topics.delayed(), topics.deadLetter()));
    return all;
  }

  private int inputPartitions(Map<String, Integer> found) {
    Map<String, Integer> inputs = new TreeMap<>(found);
    inputs.keySet().retainAll(topics.inputs());
    if (inputs.values().stream().distinct().count() > 1) {
      throw new StartException("input topics must have the same number of partitions: " + inputs);
    }
    return inputs.values().stream().findFirst().orElse(topics.partitions());
  }

  /** What is delayed comes back to the partition where it was metered. */
  private void checkDelayed(Map<String, Integer> found, int partitions) {
    int delayed = found.getOrDefault(topics.delayed(), partitions);
    if (delayed == partitions) return;
    throw new StartException(
        "the topic of delayed events must have as many partitions as the input: "
            + topics.delayed()
            + " has "
            + delayed
            + ", "
            + topics.inputs().get(0)
            + " has "
            + partitions);
  }

  private Map<String, Integer> describe(Collection<String> names) {
    Map<String, Integer> partitions = new HashMap<>();
    admin
        .describeTopics(names)
        .topicNameValues()
        .forEach(
            (name, future) -> {
              try {
                TopicDescription description = await(future);
                partitions.put(name, description.partitions().size());
              } catch (UnknownTopicOrPartitionException missing) {
                // to be created
              }
            });
    return partitions;
  }

  private void create(List<NewTopic> missing) {
    List<String> names = missing.stream().map(NewTopic::name).toList();
    if (!topics.create()) {
      throw new StartException(
          "missing topics: " + names + "; create them, or set sluice.topics.create=true");
    }
    admin
        .createTopics(missing)
        .values()
        .forEach(
            (name, future) -> {
              try {
                await(future);
                LOG.info("created topic {}", name);
              } catch (TopicExistsException another) {
                LOG.info("topic {} was created by another instance", name);
              }
            });
  }

  /** Producing right after creation can end in minutes of retries: wait for the leaders. */
  private void awaitOffsets(int partitions, Map<String, Integer> found) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (String topic : all()) {
      int count = found.getOrDefault(topic, partitions);
      for (int i = 0; i < count; i++) ends.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    RetriableException last = new TimeoutException();
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      try {
        await(admin.listOffsets(ends).all());
        return;
      } catch (RetriableException notYet) {
        last = notYet;
      }
    }
    throw new StartException("topics are not ready: " + all() + ": " + last.getMessage(), last);
  }

  private <T> T await(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while preparing topics", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException unknown) throw unknown;
      if (e.getCause() instanceof TopicExistsException exists) throw exists;
      if (e.getCause() instanceof TimeoutException) {
        throw new StartException("no broker answers at " + brokers + " (bootstrap.servers)", e);
      }
      if (e.getCause() instanceof RetriableException retriable) throw retriable;
      throw new StartException("topics cannot be prepared: " + e.getCause().getMessage(), e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
