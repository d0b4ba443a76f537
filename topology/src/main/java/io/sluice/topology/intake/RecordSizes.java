package io.sluice.topology.intake;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The largest records that topics take, and that the producer sends. Safe for many threads.
 *
 * <p>A topic measures a record as it arrives, compressed; the producer measures it before.
 */
public final class RecordSizes {
  /*
   * Why sizes are known beforehand: in a transaction no send may fail. Kafka's producer then lets
   * nothing more be sent and nothing be committed, so a handler of the failure cannot write a dead
   * letter instead, and the same record comes again and fails again.
   *
   * How much a record is when it is compressed depends on how Kafka lays it out, by hundreds of bytes,
   * so Kafka's own classes are asked, though they are internal.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RecordSizes.class);

  /** A batch's and a record's own fields, lengths included. */
  private static final int RECORD_BYTES = 61 + 21;

  private static final int LENGTH_BYTES = 5;

  /** What compressing adds to bytes that cannot be compressed: a 128th of them is plenty. */
  private static final int INCOMPRESSIBLE_PART = 128;

  /** A topic that refuses what it should take is believed to take this part less. */
  private static final int REFUSED_PART = 16;

  public static final int UNKNOWN = Integer.MAX_VALUE;

  private final Map<String, Integer> mostBytes;
  private final Sending sending;

  /** Topics with a compression of their own, or none: the broker measures what comes of that. */
  private final Set<String> recompressed = ConcurrentHashMap.newKeySet();

  private volatile int takenByAll;

  /**
   * The producer's settings for sending.
   *
   * @param mostBytes the largest record, before it is compressed
   */
  public record Sending(int mostBytes, Compression compression) {
    static final Sending ANY = new Sending(UNKNOWN, Compression.NONE);

    boolean compresses() {
      return compression != Compression.NONE;
    }
  }

  /**
   * @param mostBytes what topics take; one that is not there is believed to take anything
   */
  public RecordSizes(Map<String, Integer> mostBytes, Sending sending) {
    this.mostBytes = new ConcurrentHashMap<>(mostBytes);
    this.sending = sending;
    takenByAll = smallest();
  }

  private int smallest() {
    int smallest = sending.mostBytes();
    for (int most : mostBytes.values()) smallest = Math.min(smallest, most);
    return smallest - smallest / INCOMPRESSIBLE_PART;
  }

  /** Where there is no broker that would refuse anything. */
  public static RecordSizes any() {
    return new RecordSizes(Map.of(), Sending.ANY);
  }

  int mostBytes(String topic) {
    return mostBytes.getOrDefault(topic, UNKNOWN);
  }

  /** What every topic takes, however it is compressed. */
  int takenByAll() {
    return takenByAll;
  }

  /** Whether a record can be written to a topic, with so many bytes more. */
  boolean fit(String topic, byte[] key, byte[] value, Headers headers, long more) {
    long plain = bytes(key, value, headers) + more;
    if (plain > sending.mostBytes()) return false;
    int most = mostBytes(topic);
    if (isTakenAsItIs(topic)) return plain <= most;
    return plain + plain / INCOMPRESSIBLE_PART <= most
        || compressed(key, value, headers) + more <= most;
  }

  private boolean isTakenAsItIs(String topic) {
    return !sending.compresses() || recompressed.contains(topic);
  }

  /** Why a record of so many bytes does not fit, in words. */
  String lacking(String topic, long bytes) {
    if (bytes > sending.mostBytes()) {
      return bytes
          + " bytes are too many to be sent: producer.max.request.size and producer.buffer.memory"
          + " allow "
          + sending.mostBytes();
    }
    String compressed = isTakenAsItIs(topic) ? "" : ", compressed";
    return bytes
        + " bytes are too many for "
        + topic
        + ": its max.message.bytes is "
        + mostBytes(topic)
        + compressed;
  }

  /** As it is, an upper bound. */
  static long bytes(byte[] key, byte[] value, Headers headers) {
    long bytes = RECORD_BYTES + length(key) + length(value);
    for (Header header : headers) {
      bytes += 2 * LENGTH_BYTES + Utils.utf8Length(header.key()) + length(header.value());
    }
    return bytes;
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** As the producer would send it alone; what else is in its batch can be sent apart. */
  private long compressed(byte[] key, byte[] value, Headers headers) {
    SimpleRecord record = new SimpleRecord(0L, key, value, headers.toArray());
    return MemoryRecords.withRecords(sending.compression(), record).sizeInBytes();
  }

  /** A topic did not take a record that it was believed to take: it is not believed again. */
  public void refused(String topic, byte[] key, byte[] value, Headers headers) {
    long plain = bytes(key, value, headers);
    int most = mostBytes(topic);
    long small = sending.compresses() ? Math.min(plain, compressed(key, value, headers)) : plain;
    if (plain > most && small <= most) {
      // One record that compresses well must not make dead letters of everybody's.
      recompressed.add(topic);
      LOG.warn(
          "{} refused a record of {} bytes, {} compressed: its broker compresses differently, so"
              + " from now on a record above {} bytes before compression becomes a dead letter",
          topic,
          plain,
          small,
          most);
      return;
    }
    long bytes = isTakenAsItIs(topic) ? plain : small;
    int believed = (int) Math.min(bytes, most);
    int now = believed - believed / REFUSED_PART;
    mostBytes.put(topic, now);
    takenByAll = smallest();
    LOG.warn(
        "{} refused a record of {} bytes: from now on a record above {} becomes a dead letter;"
            + " to write such records, raise the topic's max.message.bytes and restart",
        topic,
        bytes,
        now);
  }
}
