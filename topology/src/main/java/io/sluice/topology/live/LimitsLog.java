package io.sluice.topology.live;

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

/** The topic as its reader sees it: how far it goes, and whether it still is the same. */
final class LimitsLog {
  private static final Logger LOG = LoggerFactory.getLogger(LimitsLog.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PROGRESS_NANOS = 2_000_000_000L;
  private static final long SAME_FOR_NANOS = 5_000_000_000L;

  /**
   * Below that, the topic would be read from its beginning again and again, as a round of reading
   * takes a second and more. Deletions must last longer.
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
   * When something was asked, by two clocks: one may be set, the other may stop with the machine.
   */
  private record Asked(long ms, long nanos) {}

  /**
   * @param ids asks for that of the topic
   * @param deletionsLastMs asks how long the topic keeps the record that deletes another one
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

  /** Somebody who is given what is read. */
  interface Reader {
    void take(Iterable<ConsumerRecord<byte[], byte[]>> records);
  }

  String name() {
    return partition.topic();
  }

  /** Goes to the beginning of the topic as it is now. */
  void fromBeginning(Duration patience) {
    asOf = asked();
    id = ids.get();
    mostAgeMs = Math.max(LEAST_AGE_MS, deletionsLastMs.getAsLong() / 2);
    lookedNanos = nanos.getAsLong();
    consumer.seek(partition, consumer.beginningOffsets(Set.of(partition), patience).get(partition));
  }

  /** Whether another topic has its name, asked every few seconds; its offsets say nothing then. */
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
   * Whether a record that deletes another one may have come and gone since all of the topic was
   * read. Its revision would hold here for ever.
   */
  boolean mayHaveMissedDeletions() {
    Asked now = asked();
    return Math.max(now.ms - asOf.ms, (now.nanos - asOf.nanos) / 1_000_000) > mostAgeMs;
  }

  /** Everything has been read up to the end that was asked for last. */
  void confirmed() {
    asOf = endAsked;
  }

  /** The end of what is committed. */
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
   * Reads up to an offset.
   *
   * @throws TimeoutException if nothing comes for as long as this
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
        "nothing comes of " + name() + " at offset " + position + " of " + end);
  }

  void wakeup() {
    consumer.wakeup();
  }

  /** There is nothing to be committed. */
  @SuppressWarnings("deprecation") // clients of Kafka 3.9, as in Spring Boot 3.5, have no other way
  void close() {
    consumer.close(Duration.ZERO);
  }
}
