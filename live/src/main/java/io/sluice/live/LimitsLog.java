package io.sluice.live;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the topic of revisions. It finds the topic's end, and notices if the topic was
 * recreated, or if deletions may have been compacted away unread.
 */
final class LimitsLog {
  private static final Logger LOG = LoggerFactory.getLogger(LimitsLog.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PROGRESS_NANOS = 2_000_000_000L;
  private static final long SAME_FOR_NANOS = 5_000_000_000L;

  /**
   * Minimum, in milliseconds, of the age of the last complete reading above which the topic is read
   * again from its beginning. One reading takes a second or more, so with a smaller age the topic
   * would be read again all the time. Topics must keep tombstones longer than this.
   */
  private static final long LEAST_AGE_MS = 3_000;

  private final TopicPartition partition;
  private final Consumer<byte[], byte[]> consumer;
  private final Supplier<Uuid> ids;
  private final LongSupplier deletionsLastMs;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private Uuid id = Uuid.ZERO_UUID;
  private long lookedNanos;
  private long mostAgeMs;
  private Asked asOf = new Asked(0, 0);
  private Asked endAsked = new Asked(0, 0);

  /**
   * Time of a request on two clocks: the wall clock may be changed, and the monotonic clock may
   * stop while the machine is suspended.
   */
  private record Asked(long ms, long nanos) {}

  /**
   * Creates a reader of a topic.
   *
   * @param ids requests the id of the topic
   * @param deletionsLastMs requests how long the topic keeps tombstones, in milliseconds
   */
  LimitsLog(
      TopicPartition partition,
      Consumer<byte[], byte[]> consumer,
      Supplier<Uuid> ids,
      LongSupplier deletionsLastMs,
      InstantSource clock,
      LongSupplier nanos) {
    this.partition = partition;
    this.consumer = consumer;
    this.ids = ids;
    this.deletionsLastMs = deletionsLastMs;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Receiver of the records that are read from the topic. */
  interface Reader {
    void take(Iterable<ConsumerRecord<byte[], byte[]>> records);
  }

  String name() {
    return partition.topic();
  }

  /**
   * Seeks to the beginning of the topic, and remembers the topic's id and its time for tombstones.
   */
  void fromBeginning(Duration patience) {
    asOf = asked();
    id = ids.get();
    mostAgeMs = Math.max(LEAST_AGE_MS, deletionsLastMs.getAsLong() / 2);
    lookedNanos = nanos.getAsLong();
    consumer.seek(partition, consumer.beginningOffsets(Set.of(partition), patience).get(partition));
  }

  /**
   * Whether the topic was recreated under the same name, so that old offsets mean nothing. It asks
   * the brokers at most once in five seconds.
   */
  boolean isAnother() {
    if (nanos.getAsLong() - lookedNanos < SAME_FOR_NANOS) return false;
    if (!ids.get().equals(id)) return true;
    lookedNanos = nanos.getAsLong();
    return false;
  }

  private Asked asked() {
    return new Asked(clock.millis(), nanos.getAsLong());
  }

  /**
   * Whether a tombstone may have been written and compacted away since the topic was last read to
   * its end. The deleted revision would otherwise stay in force on this instance.
   */
  boolean mayHaveMissedDeletions() {
    Asked now = asked();
    return Math.max(now.ms - asOf.ms, (now.nanos - asOf.nanos) / 1_000_000) > mostAgeMs;
  }

  /** Called when the topic has been read to the end offset that was last requested. */
  void confirmed() {
    asOf = endAsked;
  }

  /** Requests the topic's end from the brokers: the offset after its last committed record. */
  long end(Duration patience) {
    endAsked = asked();
    return consumer.endOffsets(Set.of(partition), patience).get(partition);
  }

  long position() {
    return consumer.position(partition);
  }

  ConsumerRecords<byte[], byte[]> poll(Duration most) {
    return consumer.poll(most);
  }

  /**
   * Reads records up to an offset.
   *
   * @throws TimeoutException if no record arrives for the time of {@code patience}
   */
  void readTo(long end, Duration patience, Reader reading) {
    RunningTime silent = new RunningTime(nanos.getAsLong());
    long saidNanos = nanos.getAsLong();
    for (long before = position(); before < end; before = position()) {
      reading.take(poll(POLL));
      long now = nanos.getAsLong();
      if (position() > before) silent = new RunningTime(now);
      else if (silent.passed(now) >= patience.toNanos()) throw silentAt(before, end);
      if (now - saidNanos >= PROGRESS_NANOS) {
        saidNanos = now;
        LOG.info("reading {}: offset {} of {}", name(), position(), end);
      }
    }
  }

  private TimeoutException silentAt(long position, long end) {
    return new TimeoutException(
        "no records arrive from " + name() + " at offset " + position + " of " + end);
  }

  void wakeup() {
    consumer.wakeup();
  }

  /** Closes the consumer without waiting, since it has no offsets to commit. */
  @SuppressWarnings("deprecation") // only timed close in Kafka clients 3.9, as in Spring Boot 3.5
  void close() {
    consumer.close(Duration.ZERO);
  }
}
