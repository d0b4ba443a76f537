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
 * The events that one stream thread has polled and not yet processed, opened, with the clocks of
 * its partitions. Not thread-safe; another thread that gets a partition starts afresh.
 */
public final class Prefetched {
  /** Far more than Streams buffers of a partition before it stops polling it. */
  static final int MOST_PER_PARTITION = 20_000;

  /** Of a task: while more wait, Redis is asked about each event at its turn. */
  static final int MOST_RETRIES = 50_000;

  private static final int FIRST_LOOK = 1_000;

  private record Entry(long offset, EventRecord event) {}

  /** A bucket, by whatever numbers it is judged. */
  private record Counted(String limit, String key) {
    static Counted in(Bucket bucket) {
      return new Counted(bucket.rule().name(), bucket.key());
    }
  }

  /** The events of one partition. */
  private static final class Hand {
    final Deque<Entry> entries = new ArrayDeque<>();
    final Map<Counted, Long> behind = new HashMap<>();
    long takenOffset = -1;
    int mostBehind = FIRST_LOOK;
  }

  /** The retries that wait in a task, by their rows, and how many of them count in a bucket. */
  private static final class Waiting {
    final Map<Bytes, List<Counted>> rows = new HashMap<>();
    final Map<Counted, Integer> counts = new HashMap<>();
    int unknown;
  }

  private final Map<TopicPartition, Hand> hands = new HashMap<>();
  private final Map<Integer, Waiting> retries = new HashMap<>();
  private final Map<Integer, Long> clocksMs = new HashMap<>();

  /** Keeps an event until its turn; beyond the most that are kept it is opened again then. */
  public void put(TopicPartition partition, long offset, EventRecord event) {
    Hand hand = hands.computeIfAbsent(partition, absent -> new Hand());
    // Polled again from an earlier position: what was there is of no use, it comes once more.
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

  /**
   * The event of this record, if a poll brought it through here; what came before it is dropped.
   */
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
   * Marks what an event charges that Redis is asked about only at its turn: whoever charges the
   * same and comes after it may not be asked about before.
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

  /** Whether an event that charges these has to wait for the turn of one before it. */
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
    // Asked while polling, when all that was taken has been processed, except the last.
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

  /** Marks what a retry will charge: events that charge the same are asked about at their turn. */
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

  /** The retry does not wait any more. */
  public void retryLeft(int partition, Bytes row) {
    Waiting waiting = retries.get(partition);
    if (waiting == null) return;
    List<Counted> counted = waiting.rows.remove(row);
    if (counted == null) { // it was one too many
      waiting.unknown = Math.max(0, waiting.unknown - 1);
      return;
    }
    for (Counted each : counted)
      waiting.counts.computeIfPresent(each, (key, count) -> count == 1 ? null : count - 1);
    if (waiting.rows.isEmpty() && waiting.unknown == 0) retries.remove(partition);
  }

  /** The largest event time seen in a partition, this one included. */
  public long clockMs(int partition, long eventTimeMs) {
    return clocksMs.merge(partition, eventTimeMs, Math::max);
  }

  /** Lets go of a partition that is somebody else's now. */
  public void forget(int partition) {
    hands.keySet().removeIf(held -> held.partition() == partition);
    clocksMs.remove(partition);
    retries.remove(partition);
  }

  /** How many marks of a partition are kept that an event has fallen behind. */
  int behind(TopicPartition partition) {
    return hands.get(partition).behind.size();
  }

  public boolean isEmpty() {
    return hands.isEmpty();
  }

  /** How many events are held. */
  public int size() {
    return hands.values().stream().mapToInt(hand -> hand.entries.size()).sum();
  }
}
