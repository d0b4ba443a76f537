package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Wait until topics are ready, in a cluster that has answered before. A new topic is known to one
 * broker before the others, and leaders of its partitions are elected later; producing too early
 * can lead to minutes of retries.
 */
final class TopicWait {
  /**
   * Longest wait for topics. On a busy machine a new topic may be without leaders for longer than a
   * client's timeout of 15 s.
   */
  private static final Duration MOST = Duration.ofMinutes(1);

  private static final long PAUSE_MS = 50;

  private final Admin admin;
  private final KafkaAccess access;
  private final long mostNanos;

  /**
   * Prepares a wait of up to a minute.
   *
   * @param admin closed by the caller
   */
  TopicWait(Admin admin, KafkaAccess access) {
    this(admin, access, MOST);
  }

  TopicWait(Admin admin, KafkaAccess access, Duration most) {
    this.admin = admin;
    this.access = access;
    this.mostNanos = most.toNanos();
  }

  /**
   * Waits until the leaders of all partitions of the topics answer.
   *
   * @return actual number of partitions of each topic; it differs from the requested number if
   *     another client has created the topic with a different one
   * @throws StartException if after about a minute a topic is still missing, or a leader does not
   *     answer
   */
  Map<String, Integer> await(Collection<String> topics) {
    long begun = System.nanoTime();
    RetriableException last = null;
    while (true) {
      boolean led = false;
      try {
        Map<String, Integer> partitions = requireLeaders(topics);
        led = true;
        requireOffsets(partitions);
        return partitions;
      } catch (RetriableException notYet) {
        boolean saysMore = led || last == null || !(notYet instanceof TimeoutException);
        if (saysMore) last = notYet;
        if (System.nanoTime() - begun >= mostNanos) throw late(topics, last);
        pause();
      }
    }
  }

  private Map<String, Integer> requireLeaders(Collection<String> topics) {
    Map<String, Integer> partitions = new HashMap<>();
    Set<String> leaderless = new TreeSet<>();
    for (KafkaFuture<TopicDescription> each :
        admin.describeTopics(topics).topicNameValues().values()) {
      TopicDescription topic = access.answer(each, RetriableException.class);
      partitions.put(topic.name(), topic.partitions().size());
      topic.partitions().stream()
          .filter(partition -> partition.leader() == null)
          .forEach(partition -> leaderless.add(topic.name() + "-" + partition.partition()));
    }
    if (!leaderless.isEmpty()) {
      throw new LeaderNotAvailableException("these partitions have no leader: " + leaderless);
    }
    return partitions;
  }

  /**
   * Requests the end offsets of existing partitions only, since for others the client retries until
   * its timeout.
   */
  private void requireOffsets(Map<String, Integer> partitions) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    partitions.forEach(
        (topic, count) -> {
          for (int i = 0; i < count; i++)
            ends.put(new TopicPartition(topic, i), OffsetSpec.latest());
        });
    access.answer(admin.listOffsets(ends).all(), RetriableException.class);
  }

  /** Explains the last failure of a wait; a timeout means that brokers cannot be reached. */
  private StartException late(Collection<String> topics, RetriableException last) {
    if (last instanceof TimeoutException) return access.failed(last);
    return new StartException(
        "topics are not ready: " + new TreeSet<>(topics) + ": " + last.getMessage(), last);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while preparing topics", e);
    }
  }
}
