package io.sluice.topology.intake;

import io.sluice.limiter.Bucket;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;

/**
 * Limits and keys for which Redis must not yet be asked about the events that one stream thread has
 * polled, and the latest event times of its partitions. Not thread-safe; a thread that takes over a
 * partition starts anew.
 */
public final class Prefetched {
  /**
   * Largest number of a task's retries (events to be metered again) that are tracked. While more
   * retries wait, Redis is asked about each event only when the event is processed.
   */
  static final int MOST_RETRIES = 50_000;

  private static final int FIRST_LOOK = 1_000;

  /** Limit and key by which an event is counted in Redis. */
  private record Counted(String limit, String key) {
    static Counted in(Bucket bucket) {
      return new Counted(bucket.rule().name(), bucket.key());
    }
  }

  /**
   * Last polled and last processed offset of one partition, and for each limit and key the offset
   * of the last event about which Redis is asked only when it is processed.
   */
  private static final class Hand {
    final Map<Counted, Long> behind = new HashMap<>();
    long polledOffset = -1;
    long processedOffset = -1;
    int mostBehind = FIRST_LOOK;
  }

  /**
   * Retries that wait in a task: the limits and keys of each stored retry, and the number of
   * retries for each limit and key.
   */
  private static final class Waiting {
    final Map<Bytes, List<Counted>> rows = new HashMap<>();
    final Map<Counted, Integer> counts = new HashMap<>();
    int unknown;
  }

  private final Map<TopicPartition, Hand> hands = new HashMap<>();
  private final Map<Integer, Waiting> retries = new HashMap<>();
  private final Map<Integer, Long> clocksMs = new HashMap<>();

  /** Notes that a poll has returned an event. */
  public void polled(TopicPartition partition, long offset) {
    Hand hand = hands.computeIfAbsent(partition, absent -> new Hand());
    // The consumer has gone back to an earlier position.
    if (offset <= hand.polledOffset) {
      hand.behind.clear();
      hand.processedOffset = -1;
    }
    hand.polledOffset = offset;
  }

  /** Notes that the events of a partition have been processed up to an offset. */
  public void processed(TopicPartition partition, long offset) {
    Hand hand = hands.get(partition);
    if (hand != null) hand.processedOffset = offset;
  }

  /**
   * Notes the limits and keys of an event about which Redis is asked only when the event is
   * processed. Until then Redis must not be asked about a later event with the same limit and key.
   */
  public void fallBehind(TopicPartition partition, long offset, Collection<Bucket> buckets) {
    Hand hand = hands.get(partition);
    Map<Counted, Long> behind = hand.behind;
    if (behind.size() >= hand.mostBehind) {
      behind.values().removeIf(before -> before <= hand.processedOffset);
      hand.mostBehind = Math.max(FIRST_LOOK, 2 * behind.size());
    }
    for (Bucket bucket : buckets) behind.put(Counted.in(bucket), offset);
  }

  /**
   * Returns whether Redis must not be asked about an event before the event is processed, because
   * an earlier event with the same limit and key is not processed yet.
   */
  public boolean isBehind(TopicPartition partition, Collection<Bucket> buckets) {
    boolean behind = isBehindRetry(partition.partition(), buckets);
    for (Map.Entry<TopicPartition, Hand> each : hands.entrySet()) {
      if (each.getKey().partition() != partition.partition()) continue;
      behind |= isBehind(each.getValue(), buckets);
    }
    return behind;
  }

  private static boolean isBehind(Hand hand, Collection<Bucket> buckets) {
    if (hand.behind.isEmpty()) return false;
    return buckets.stream()
        .map(bucket -> hand.behind.get(Counted.in(bucket)))
        .anyMatch(offset -> offset != null && offset > hand.processedOffset);
  }

  private boolean isBehindRetry(int partition, Collection<Bucket> buckets) {
    Waiting waiting = retries.get(partition);
    if (waiting == null) return false;
    if (waiting.unknown > 0) return true;
    return buckets.stream().map(Counted::in).anyMatch(waiting.counts::containsKey);
  }

  /**
   * Notes the limits and keys of a retry that waits to be metered again. While the retry waits,
   * Redis is asked about events with the same limit and key only when they are processed.
   *
   * @param row store key of the retry
   */
  public void retryWaits(int partition, Bytes row, Collection<Bucket> buckets) {
    Waiting waiting = retries.computeIfAbsent(partition, absent -> new Waiting());
    if (waiting.rows.size() >= MOST_RETRIES) {
      waiting.unknown++;
      return;
    }
    List<Counted> counted = buckets.stream().map(Counted::in).toList();
    waiting.rows.put(row, counted);
    for (Counted each : counted) waiting.counts.merge(each, 1, Integer::sum);
  }

  /** Forgets the limits and keys of a retry that does not wait any more. */
  public void retryLeft(int partition, Bytes row) {
    Waiting waiting = retries.get(partition);
    if (waiting == null) return;
    List<Counted> counted = waiting.rows.remove(row);
    // A retry whose row is unknown was not tracked, because too many retries waited.
    if (counted == null) {
      waiting.unknown = Math.max(0, waiting.unknown - 1);
      return;
    }
    for (Counted each : counted)
      waiting.counts.computeIfPresent(each, (key, count) -> count == 1 ? null : count - 1);
    if (waiting.rows.isEmpty() && waiting.unknown == 0) retries.remove(partition);
  }

  /**
   * Advances the clock of a partition to an event time, and returns the latest event time of the
   * partition so far, epoch milliseconds.
   */
  public long clockMs(int partition, long eventTimeMs) {
    return clocksMs.merge(partition, eventTimeMs, Math::max);
  }

  /** Drops the retries and the clock of a partition whose task is closed. */
  public void forget(int partition) {
    hands.keySet().removeIf(held -> held.partition() == partition);
    clocksMs.remove(partition);
    retries.remove(partition);
  }

  /**
   * Returns the number of limits and keys of a partition for which Redis is asked only when events
   * are processed.
   */
  int behind(TopicPartition partition) {
    return hands.get(partition).behind.size();
  }

  public boolean isEmpty() {
    return hands.isEmpty();
  }
}
