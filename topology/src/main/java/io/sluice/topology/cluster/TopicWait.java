package io.sluice.topology.cluster;

import io.sluice.topology.metrics.StartException;
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
 * The wait for topics, of a cluster that has answered before. What is created is known to one
 * broker before the others, and has leaders still later; producing right after creation can end in
 * minutes of retries.
 */
final class TopicWait {
  /** On a machine with too much to do, a client's 15 s are over before a new topic has leaders. */
  private static final Duration MOST = Duration.ofMinutes(1);

  private static final long PAUSE_MS = 50;

  private final Admin admin;
  private final KafkaAccess access;
  private final long mostNanos;

  /**
   * @param admin is the caller's
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
   * Returns once the leader of each partition answers.
   *
   * @return how many partitions each topic has, whoever created it
   * @throws StartException if about a minute was not enough; who is not there, or does not answer
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

  /** Of partitions that are there: for another, Kafka's client asks until its time is over. */
  private void requireOffsets(Map<String, Integer> partitions) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    partitions.forEach(
        (topic, count) -> {
          for (int i = 0; i < count; i++)
            ends.put(new TopicPartition(topic, i), OffsetSpec.latest());
        });
    access.answer(admin.listOffsets(ends).all(), RetriableException.class);
  }

  /** Leaders that are known and silent to the end are brokers that cannot be reached. */
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
