package io.sluice.topology.intake;

import io.sluice.limiter.Bucket;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;

/**
 * Decoded events that one stream thread has polled and not yet processed, and the clocks of its
 * partitions. Not thread-safe; a thread that takes over a partition starts without any.
 */
public final class Prefetched {
  /**
   * Most events that are held of a partition: far more than Streams buffers before it stops polling
   * it.
   */
  static final int MOST_PER_PARTITION = 20_000;

  /**
   * Most retries of a task that are tracked; while more wait, Redis is asked about each event at
   * its turn.
   */
  static final int MOST_RETRIES = 50_000;

  private static final int FIRST_LOOK = 1_000;

  private record Entry(long offset, EventRecord event) {}

  /** Name of a bucket: its limit and key, without the quota by which it is judged. */
  private record Counted(String limit, String key) {
    static Counted in(Bucket bucket) {
      return new Counted(bucket.rule().name(), bucket.key());
    }
  }

  /** Events of one partition. */
  private static final class Hand {
    final Deque<Entry> entries = new ArrayDeque<>();
    final Map<Counted, Long> behind = new HashMap<>();
    long takenOffset = -1;
    int mostBehind = FIRST_LOOK;
  }

  /** Retries that wait in a task, by their rows, and how many of them count in each bucket. */
  private static final class Waiting {
    final Map<Bytes, List<Counted>> rows = new HashMap<>();
    final Map<Counted, Integer> counts = new HashMap<>();
    int unknown;
  }

  private final Map<TopicPartition, Hand> hands = new HashMap<>();
  private final Map<Integer, Waiting> retries = new HashMap<>();
  private final Map<Integer, Long> clocksMs = new HashMap<>();

  /**
   * Holds an event until its turn; beyond the limit it is not held, and is decoded again at its
   * turn.
   */
  public void put(TopicPartition partition, long offset, EventRecord event) {
    Hand hand = hands.computeIfAbsent(partition, absent -> new Hand());
    // The consumer went back to an earlier position: the held events will be polled again.
    if (offset <= lastOffset(hand)) {
      hand.entries.clear();
      hand.behind.clear();
      hand.takenOffset = -1;
    }
    if (hand.entries.size() < MOST_PER_PARTITION) hand.entries.add(new Entry(offset, event));
  }

  private static long lastOffset(Hand hand) {
    return hand.entries.isEmpty() ? hand.takenOffset : hand.entries.getLast().offset;
  }

  /** Returns the event of this record, if a poll added it, and drops the earlier ones. */
  public Optional<EventRecord> take(TopicPartition partition, long offset) {
    Hand hand = hands.get(partition);
    if (hand == null) return Optional.empty();
    hand.takenOffset = offset;
    Deque<Entry> entries = hand.entries;
    while (!entries.isEmpty() && entries.getFirst().offset < offset) entries.removeFirst();
    if (entries.isEmpty() || entries.getFirst().offset > offset) return Optional.empty();
    return Optional.of(entries.removeFirst().event);
  }

  /**
   * Marks the buckets of an event that Redis is asked about only at its turn: Redis must not be
   * asked before about a later event of the same buckets.
   */
  public void fallBehind(TopicPartition partition, long offset, Collection<Bucket> buckets) {
    Hand hand = hands.get(partition);
    Map<Counted, Long> behind = hand.behind;
    if (behind.size() >= hand.mostBehind) {
      behind.values().removeIf(before -> before < hand.takenOffset);
      hand.mostBehind = Math.max(FIRST_LOOK, 2 * behind.size());
    }
    for (Bucket bucket : buckets) behind.put(Counted.in(bucket), offset);
  }

  /** Returns whether an event of these buckets must wait for the turn of an earlier one. */
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
    // Called while polling: all events that were taken are processed, except the last.
    return buckets.stream()
        .map(bucket -> hand.behind.get(Counted.in(bucket)))
        .anyMatch(offset -> offset != null && offset >= hand.takenOffset);
  }

  private boolean isBehindRetry(int partition, Collection<Bucket> buckets) {
    Waiting waiting = retries.get(partition);
    if (waiting == null) return false;
    if (waiting.unknown > 0) return true;
    return buckets.stream().map(Counted::in).anyMatch(waiting.counts::containsKey);
  }

  /**
   * Marks the buckets of a retry: Redis is asked about events of the same buckets only at their
   * turn.
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

  /** Removes the marks of a retry that waits no more. */
  public void retryLeft(int partition, Bytes row) {
    Waiting waiting = retries.get(partition);
    if (waiting == null) return;
    List<Counted> counted = waiting.rows.remove(row);
    if (counted == null) { // it was beyond the limit
      waiting.unknown = Math.max(0, waiting.unknown - 1);
      return;
    }
    for (Counted each : counted)
      waiting.counts.computeIfPresent(each, (key, count) -> count == 1 ? null : count - 1);
    if (waiting.rows.isEmpty() && waiting.unknown == 0) retries.remove(partition);
  }

  /** Returns the largest event time seen in a partition, this one included. */
  public long clockMs(int partition, long eventTimeMs) {
    return clocksMs.merge(partition, eventTimeMs, Math::max);
  }

  /** Drops all that is held of a partition that the task has given up. */
  public void forget(int partition) {
    hands.keySet().removeIf(held -> held.partition() == partition);
    clocksMs.remove(partition);
    retries.remove(partition);
  }

  /** Returns the number of marked buckets of a partition. */
  int behind(TopicPartition partition) {
    return hands.get(partition).behind.size();
  }

  public boolean isEmpty() {
    return hands.isEmpty();
  }

  /** Returns the number of held events. */
  public int size() {
    return hands.values().stream().mapToInt(hand -> hand.entries.size()).sum();
  }
}
