package io.sluice.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Events that a poll returned and that have not been processed yet, opened, and with Redis' answers
 * if there are any. A partition's events are touched by the one stream thread that owns it.
 */
final class Prefetched {
  /** Far more than Streams buffers of a partition before it stops polling it. */
  static final int MOST_PER_PARTITION = 20_000;

  private record Entry(long offset, Event event) {}

  private final Map<TopicPartition, Deque<Entry>> partitions = new ConcurrentHashMap<>();
  private final Map<Integer, Long> clocksMs = new ConcurrentHashMap<>();

  void put(TopicPartition partition, long offset, Event event) {
    Deque<Entry> entries = partitions.computeIfAbsent(partition, absent -> new ArrayDeque<>());
    // Polled again from an earlier position: what was there is of no use, it comes once more.
    if (!entries.isEmpty() && entries.getLast().offset >= offset) entries.clear();
    if (entries.size() == MOST_PER_PARTITION) entries.removeFirst();
    entries.add(new Entry(offset, event));
  }

  /**
   * The event of this record, if a poll brought it through here; what came before it is dropped.
   */
  Optional<Event> take(TopicPartition partition, long offset) {
    Deque<Entry> entries = partitions.get(partition);
    if (entries == null) return Optional.empty();
    while (!entries.isEmpty() && entries.getFirst().offset < offset) entries.removeFirst();
    if (entries.isEmpty() || entries.getFirst().offset > offset) return Optional.empty();
    return Optional.of(entries.removeFirst().event);
  }

  /** Questions of a partition that are still to be answered, in order. */
  List<Question> unanswered(TopicPartition partition) {
    List<Question> unanswered = new ArrayList<>();
    Deque<Entry> entries = partitions.getOrDefault(partition, new ArrayDeque<>());
    for (Entry entry : entries) {
      entry.event.question().filter(question -> !question.isAnswered()).ifPresent(unanswered::add);
    }
    return unanswered;
  }

  /** The largest event time seen in a partition, this one included. */
  long clockMs(int partition, long eventTimeMs) {
    return clocksMs.merge(partition, eventTimeMs, Math::max);
  }

  /** Lets go of a partition that is somebody else's now. */
  void forget(int partition) {
    partitions.keySet().removeIf(held -> held.partition() == partition);
    clocksMs.remove(partition);
  }

  boolean isEmpty() {
    return partitions.isEmpty();
  }

  /** How many events are held. */
  int size() {
    return partitions.values().stream().mapToInt(Deque::size).sum();
  }
}
