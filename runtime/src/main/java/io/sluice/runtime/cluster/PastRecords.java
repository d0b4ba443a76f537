package io.sluice.runtime.cluster;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.live.kafka.ReadAccess;
import io.sluice.rules.StartException;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Origin;
import io.sluice.topology.config.SluiceConfig;
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
 * Reader of an application's past records in a time span. Records of input topics come in the order
 * of their events' times. The reader returns committed records only, joins no group, and commits no
 * offsets. Not thread-safe.
 *
 * <p>In each partition it reads from the first record at or after the beginning, by record
 * timestamp, up to the first one at or after the end, but not past the end at the time of opening.
 * Some records of each partition are held in memory.
 */
public final class PastRecords implements AutoCloseable {
  /** Client id of the consumer that searches verdicts for the command {@code ask}. */
  private static final String ASKING = "sluice-ask";

  private static final Duration POLL = Duration.ofSeconds(1);

  /** Closes at once, since there are no offsets to commit. */
  private static final CloseOptions CLOSE_AT_ONCE = CloseOptions.timeout(Duration.ZERO);

  /** Number of empty polls in a row after which the brokers are asked for the end offsets. */
  private static final int MOST_SILENT_POLLS = 5;

  private final ReadAccess access;
  private final Consumer<byte[], byte[]> consumer;
  private final PastOffsets offsets;
  private final RecordMerge merge;
  private final long latestMs;

  /** Offset after the last returned record of each partition. */
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  private long passed;
  private int silentPolls;

  private PastRecords(
      ReadAccess access,
      Consumer<byte[], byte[]> consumer,
      PastOffsets offsets,
      RecordMerge merge,
      long latestMs) {
    this.latestMs = latestMs;
    this.access = access;
    this.consumer = consumer;
    this.offsets = offsets;
    this.merge = merge;
  }

  /**
   * Opens a reader of the input topics.
   *
   * @param to {@link Instant#MAX} to read up to the current end
   * @param now an event further ahead of this instant than the application accepts counts as having
   *     no time
   * @throws StartException if the topics cannot be read; the message says why in one line
   */
  public static PastRecords open(SluiceConfig config, Instant from, Instant to, Instant now) {
    EventDecoder decoder = config.eventDecoder();
    long latestMs = now.plus(config.timeMaxAhead()).toEpochMilli();
    return open(
        new ReadAccess(config.streams()),
        PastPlaces.inputs(config),
        new Span(from, to, latestMs),
        record -> upTo(latestMs, decoder.occurredAtMs(RawRecord.of(record, Origin.of(record)))));
  }

  /**
   * Common record key of the wanted records.
   *
   * @param field of their events, whose value is the record key
   */
  public record RecordKey(Field field, String value) {}

  /**
   * Opens a reader of the topics with verdicts (allowed, rejected and delayed events), up to the
   * current end. Records come by topic and partition, not in the order of events.
   *
   * @param key of the wanted records; if given, only its partition of each topic is read, by
   *     Kafka's default partitioner
   * @throws StartException if the topics cannot be read; the message says why in one line
   */
  public static PastRecords openVerdicts(
      SluiceConfig config, Optional<RecordKey> key, Instant from) {
    return openAll(config, ASKING, PastPlaces.verdicts(config, key), from);
  }

  /**
   * Opens a reader of all records of some topics, up to the current end. Records come by topic and
   * partition, in the order of their offsets.
   *
   * @param clientId name of the consumer for the brokers
   * @throws StartException if the topics cannot be read; the message says why in one line
   */
  static PastRecords openAll(
      SluiceConfig config, String clientId, PastPlaces places, Instant from) {
    return open(
        new ReadAccess(config.streams(), clientId),
        places,
        new Span(from, Instant.MAX, Long.MAX_VALUE),
        record -> OptionalLong.empty());
  }

  /** Time span to read, and the latest valid event time. */
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
      RecordMerge merge = new RecordMerge(offsets.begins().keySet(), times);
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

  /** Latest time of an event that the application may have metered, in epoch milliseconds. */
  public long latestMs() {
    return latestMs;
  }

  /** Number of offsets to read, including aborted records and transaction markers. */
  public long size() {
    return offsets.size();
  }

  /** Number of offsets up to the last returned record of each partition, as a part of the size. */
  public long passed() {
    return passed;
  }

  /**
   * Returns the next record; empty after the last.
   *
   * @param beforeWaiting called before the cluster is asked for more records
   * @throws StartException if reading fails; the message says why in one line
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
    Optional<ConsumerRecord<byte[], byte[]>> next = merge.next();
    next.ifPresent(this::pass);
    return next;
  }

  private void pass(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    long end = record.offset() + 1;
    Long before = ends.put(partition, end);
    passed += end - (before == null ? offsets.begins().get(partition) : before);
  }

  /** Polls the partitions of which not enough records are in memory. */
  private void read(Set<TopicPartition> lacking) {
    Set<TopicPartition> wanted = merge.wanted();
    Set<TopicPartition> others = new HashSet<>(consumer.assignment());
    others.removeAll(wanted);
    consumer.pause(others);
    consumer.resume(wanted);
    Map<TopicPartition, Long> before = positions(wanted);
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (offsets.isWithin(record)) merge.add(record);
    }
    Map<TopicPartition, Long> now = positions(wanted);
    now.forEach(
        (partition, position) -> {
          if (offsets.isEnd(partition, position)) merge.end(partition);
        });
    if (now.equals(before)) checkThatBrokersAnswer(lacking);
    else silentPolls = 0;
  }

  private Map<TopicPartition, Long> positions(Set<TopicPartition> some) {
    Map<TopicPartition, Long> positions = new HashMap<>();
    for (TopicPartition each : some) positions.put(each, consumer.position(each));
    return positions;
  }

  /**
   * Asks the brokers for the end offsets after several empty polls. The consumer retries forever
   * without an error; the request for the offsets gets an answer or times out.
   */
  private void checkThatBrokersAnswer(Set<TopicPartition> silent) {
    if (++silentPolls < MOST_SILENT_POLLS) return;
    silentPolls = 0;
    Map<TopicPartition, Long> ends = consumer.endOffsets(silent);
    positions(silent)
        .forEach(
            (partition, position) -> {
              if (ends.get(partition) <= position && !offsets.isEnd(partition, position)) {
                throw new StartException(
                    partition + " was truncated while it was read; run the command again");
              }
            });
  }

  @Override
  public void close() {
    consumer.close(CLOSE_AT_ONCE);
  }
}
