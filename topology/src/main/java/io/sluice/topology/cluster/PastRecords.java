package io.sluice.topology.cluster;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.EventDecoder;
import io.sluice.topology.event.Field;
import io.sluice.topology.metrics.StartException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that an application's topics have of a span of time; those of its input topics in the
 * order of their events. Reads what is committed, as no member of any group, and leaves no trace.
 * Not thread-safe.
 *
 * <p>Of each partition it reads from the first record at or after the beginning, by the timestamps
 * of records, up to the first one at or after the end, and no further than what was there when it
 * was opened. Some records of each partition are in memory.
 */
public final class PastRecords implements AutoCloseable {
  /** What brokers know the consumer by that looks for verdicts. */
  private static final String ASKING = "sluice-ask";

  private static final Duration POLL = Duration.ofSeconds(1);

  /** There is nothing to be committed. */
  private static final CloseOptions CLOSE_AT_ONCE = CloseOptions.timeout(Duration.ZERO);

  /** After so many polls without anything it asks whether anybody is there. */
  private static final int MOST_SILENT_POLLS = 5;

  private final ReadAccess access;
  private final Consumer<byte[], byte[]> consumer;
  private final PastOffsets offsets;
  private final HeadMerge merge;
  private final long latestMs;
  private int silentPolls;

  private PastRecords(
      ReadAccess access,
      Consumer<byte[], byte[]> consumer,
      PastOffsets offsets,
      HeadMerge merge,
      long latestMs) {
    this.latestMs = latestMs;
    this.access = access;
    this.consumer = consumer;
    this.offsets = offsets;
    this.merge = merge;
  }

  /**
   * Connects, and finds the beginning and the end.
   *
   * @param to {@link Instant#MAX} if whatever is there now is to be read
   * @param now an event that is further ahead of it than the application accepts has no time
   * @throws StartException if the topics cannot be read, saying why in one line
   */
  public static PastRecords open(SluiceConfig config, Instant from, Instant to, Instant now) {
    EventDecoder decoder = config.eventDecoder();
    long latestMs = now.plus(config.timeMaxAhead()).toEpochMilli();
    return open(
        new ReadAccess(config),
        PastPlaces.inputs(config),
        new Span(from, to, latestMs),
        record -> upTo(latestMs, decoder.occurredAtMs(record)));
  }

  /**
   * A record key that all records have that somebody looks for.
   *
   * @param field of their events, whose value is the key
   */
  public record RecordKey(Field field, String value) {}

  /**
   * The same of the topics that have verdicts, which are those of allowed, rejected and delayed
   * events, up to what is there now. They come one topic and partition after the other.
   *
   * @param key of all that is looked for: then only the partition that Kafka's default partitioner
   *     chooses for it is read of each topic
   * @throws StartException if the topics cannot be read, saying why in one line
   */
  public static PastRecords openVerdicts(
      SluiceConfig config, Optional<RecordKey> key, Instant from) {
    return open(
        new ReadAccess(config, ASKING),
        PastPlaces.verdicts(config, key),
        new Span(from, Instant.MAX, Long.MAX_VALUE),
        record -> OptionalLong.empty());
  }

  /** From when to when, and the latest time that an event can have. */
  private record Span(Instant from, Instant to, long latestMs) {}

  private static PastRecords open(
      ReadAccess access,
      PastPlaces places,
      Span span,
      Function<ConsumerRecord<byte[], byte[]>, OptionalLong> times) {
    Consumer<byte[], byte[]> consumer = access.open();
    try {
      PastOffsets offsets = PastOffsets.find(consumer, places, span.from, span.to);
      consumer.assign(offsets.begins().keySet());
      offsets.begins().forEach(consumer::seek);
      HeadMerge merge = new HeadMerge(offsets.begins().keySet(), times);
      return new PastRecords(access, consumer, offsets, merge, span.latestMs);
    } catch (KafkaException e) {
      consumer.close(CLOSE_AT_ONCE);
      throw access.failed(e);
    } catch (RuntimeException e) {
      consumer.close(CLOSE_AT_ONCE);
      throw e;
    }
  }

  private static OptionalLong upTo(long latestMs, OptionalLong time) {
    return time.orElse(0) > latestMs ? OptionalLong.empty() : time;
  }

  /** The latest time of an event that the application can have metered. */
  public long latestMs() {
    return latestMs;
  }

  /** How many offsets there are to read; aborted records and markers are among them. */
  public long size() {
    return offsets.size();
  }

  /**
   * The next record; empty after the last.
   *
   * @param beforeWaiting is run before the cluster is asked for more
   * @throws StartException if it can be read no more, saying why in one line
   */
  public Optional<ConsumerRecord<byte[], byte[]>> next(Runnable beforeWaiting) {
    Set<TopicPartition> lacking = merge.lacking();
    if (!lacking.isEmpty()) beforeWaiting.run();
    for (; !lacking.isEmpty(); lacking = merge.lacking()) {
      try {
        read(lacking);
      } catch (KafkaException e) {
        throw access.failed(e);
      }
    }
    return merge.next();
  }

  /** Reads of these alone: of the others enough is in memory. */
  private void read(Set<TopicPartition> lacking) {
    Set<TopicPartition> others = new HashSet<>(consumer.assignment());
    others.removeAll(lacking);
    consumer.pause(others);
    consumer.resume(lacking);
    Map<TopicPartition, Long> before = positions(lacking);
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (offsets.isWithin(record)) merge.add(record);
    }
    Map<TopicPartition, Long> now = positions(lacking);
    now.forEach(
        (partition, position) -> {
          if (offsets.isEnd(partition, position)) merge.end(partition);
        });
    if (now.equals(before)) lookWhetherAnybodyIsThere(lacking);
    else silentPolls = 0;
  }

  private Map<TopicPartition, Long> positions(Set<TopicPartition> some) {
    Map<TopicPartition, Long> positions = new HashMap<>();
    for (TopicPartition each : some) positions.put(each, consumer.position(each));
    return positions;
  }

  /** A consumer tries for ever, and says nothing; a question has an answer, or fails in time. */
  private void lookWhetherAnybodyIsThere(Set<TopicPartition> silent) {
    if (++silentPolls < MOST_SILENT_POLLS) return;
    silentPolls = 0;
    Map<TopicPartition, Long> ends = consumer.endOffsets(silent);
    positions(silent)
        .forEach(
            (partition, position) -> {
              if (ends.get(partition) <= position && !offsets.isEnd(partition, position)) {
                throw new StartException(
                    partition + " has become shorter while it was read: start again");
              }
            });
  }

  @Override
  public void close() {
    consumer.close(CLOSE_AT_ONCE);
  }
}
