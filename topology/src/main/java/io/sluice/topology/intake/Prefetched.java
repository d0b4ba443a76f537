package io.sluice.topology.intake;

import io.sluice.limiter.Bucket;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The events that one stream thread has polled and not yet processed, opened, with the clocks of
 * its partitions. Not thread-safe; another thread that gets a partition starts afresh.
 */
public final class Prefetched {
  /** Far more than Streams buffers of a partition before it stops polling it. */
  static final int MOST_PER_PARTITION = 20_000;

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
  }

  private final Map<TopicPartition, Hand> hands = new HashMap<>();
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
    Map<Counted, Long> behind = hands.get(partition).behind;
    for (Bucket bucket : buckets) behind.put(Counted.in(bucket), offset);
  }

  /** Whether an event that charges these has to wait for the turn of one before it. */
  public boolean isBehind(TopicPartition partition, Collection<Bucket> buckets) {
    Hand hand = hands.get(partition);
    if (hand.behind.isEmpty()) return false;
    // Asked while polling, when all that was taken has been processed, except the last.
    hand.behind.values().removeIf(offset -> offset < hand.takenOffset);
    Set<Counted> waiting = hand.behind.keySet();
    return buckets.stream().map(Counted::in).anyMatch(waiting::contains);
  }

  /** The largest event time seen in a partition, this one included. */
  public long clockMs(int partition, long eventTimeMs) {
    return clocksMs.merge(partition, eventTimeMs, Math::max);
  }

  /** Lets go of a partition that is somebody else's now. */
  public void forget(int partition) {
    hands.keySet().removeIf(held -> held.partition() == partition);
    clocksMs.remove(partition);
  }

  public boolean isEmpty() {
    return hands.isEmpty();
  }

  /** How many events are held. */
  public int size() {
    return hands.values().stream().mapToInt(hand -> hand.entries.size()).sum();
  }
}
