package io.sluice.topology.intake;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sizes of the largest records that topics accept and that the producer sends. Safe for many
 * threads.
 *
 * <p>A broker checks the size of a record as it arrives, compressed; the producer checks the size
 * before compression.
 */
public final class RecordSizes {
  /*
   * Sizes are checked before a record is sent, because no send may fail in a transaction. After a
   * failed send Kafka's producer neither sends nor commits anything, so a handler of the failure
   * cannot write a dead letter instead, and the same record is processed again and fails again.
   *
   * The compressed size of a record depends, by hundreds of bytes, on the layout in which Kafka
   * writes it, so it is computed by Kafka's own classes, though they are internal.
   *
   * A topic may accept less than its known settings allow: the settings were changed, may not be
   * read, or are not the only limits. A broker's refusal names no size. It has two effects: the
   * settings are read again, and a record is not sent if it is at least as large as the refused
   * record both before and after compression. No smaller record is held back, so that a record that
   * a topic would accept does not become a dead letter.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RecordSizes.class);

  /**
   * Largest number of bytes that Kafka's format adds to the key and value of a record without
   * headers: the fixed fields of a batch and of a record, and the lengths.
   */
  private static final int RECORD_BYTES = 61 + 21;

  private static final int LENGTH_BYTES = 5;

  /** Compression adds at most one byte for this number of incompressible bytes. */
  private static final int INCOMPRESSIBLE_PART = 128;

  private static final int UNKNOWN = Integer.MAX_VALUE;

  private final Map<String, Known> topics = new ConcurrentHashMap<>();
  private final Sending sending;
  private final Describer describer;
  private volatile int takenByAll;

  /**
   * Settings of the producer that limit record sizes.
   *
   * @param mostBytes size in bytes of the largest record that the producer sends, before
   *     compression
   * @param compression compression by the producer
   */
  public record Sending(int mostBytes, Compression compression) {
    static final Sending ANY = new Sending(UNKNOWN, Compression.NONE);

    boolean compresses() {
      return compression != Compression.NONE;
    }
  }

  /**
   * Largest record that a topic's settings allow.
   *
   * @param bytes size of the record in bytes, as it arrives at the broker
   * @param setting name of the setting with the lowest maximum
   */
  public record Most(int bytes, String setting) {}

  /** Reader of the settings of topics that limit record sizes. */
  public interface Describer {
    /**
     * Reads the settings of a topic without waiting for the answer.
     *
     * @param now whether the settings must be read even if they were read a moment ago
     * @param then receives the largest record that the settings allow, if the broker answers
     */
    void describe(String topic, boolean now, Consumer<Most> then);
  }

  /**
   * Sizes of a record that a topic has refused.
   *
   * @param bytes size of the record before compression, bytes
   * @param compressed size of the record as it arrived at the broker, bytes
   * @param under size in bytes that the topic's settings allowed when they were read after the
   *     refusal; 0 if they have not been read yet
   */
  private record Refused(long bytes, long compressed, int under) {
    boolean isNoLargerThan(long otherBytes, long otherCompressed) {
      return bytes <= otherBytes && compressed <= otherCompressed;
    }
  }

  /**
   * Known facts about the record sizes that a topic accepts.
   *
   * @param most largest record that the topic's settings allow; empty if unknown
   * @param refused records that the topic refused although its known settings allow them, the
   *     smallest first; no record is at least as large as another in both sizes
   * @param recompresses whether the broker does not measure a record as the producer compressed it,
   *     but uncompressed or compressed by the broker
   */
  private record Known(Optional<Most> most, List<Refused> refused, boolean recompresses) {
    private static final int MOST_REFUSED = 16;

    int bytes() {
      return most.map(Most::bytes).orElse(UNKNOWN);
    }

    /**
     * Returns the size in bytes up to which the settings allow records and no record was refused,
     * with any compression.
     */
    long neverRefused() {
      return Math.min(
          bytes(), refused.stream().mapToLong(Refused::bytes).min().orElse(UNKNOWN) - 1);
    }

    Known with(Refused another) {
      if (refused.stream().anyMatch(each -> each.isNoLargerThan(another.bytes, another.compressed)))
        return this;
      List<Refused> all = new ArrayList<>(refused);
      all.removeIf(each -> another.isNoLargerThan(each.bytes, each.compressed));
      all.add(another);
      all.sort(Comparator.comparingLong(Refused::bytes));
      // Keeps the newest refusal; else its record would be sent and refused again and again.
      if (all.size() > MOST_REFUSED)
        all.remove(all.get(MOST_REFUSED).equals(another) ? MOST_REFUSED - 1 : MOST_REFUSED);
      return new Known(most, List.copyOf(all), recompresses);
    }

    /**
     * Returns these facts with settings that were read after all refusals, and without refusals
     * that the settings explain or that are outdated.
     */
    Known with(Most described) {
      int now = described.bytes;
      List<Refused> unexplained = new ArrayList<>();
      boolean measuresAnew = recompresses && now == bytes();
      for (Refused each : refused) {
        if (each.compressed > now || (each.under != 0 && now > each.under)) continue;
        if (each.bytes > now) measuresAnew = true;
        else unexplained.add(new Refused(each.bytes, each.compressed, now));
      }
      return new Known(Optional.of(described), List.copyOf(unexplained), measuresAnew);
    }
  }

  private static final Known NOTHING = new Known(Optional.empty(), List.of(), false);

  /**
   * @param most largest records that the settings of topics allow, by topic, as far as known
   * @param sending settings of the producer
   * @param describer reads the settings of a topic again
   */
  public RecordSizes(Map<String, Most> most, Sending sending, Describer describer) {
    most.forEach((topic, each) -> topics.put(topic, NOTHING.with(each)));
    this.sending = sending;
    this.describer = describer;
    takenByAll = smallest();
  }

  private int smallest() {
    long smallest = sending.mostBytes();
    for (Known each : topics.values()) smallest = Math.min(smallest, each.neverRefused());
    return (int) (smallest - smallest / INCOMPRESSIBLE_PART);
  }

  /** Returns record sizes without any maximum, for use without a broker. */
  public static RecordSizes any() {
    return new RecordSizes(Map.of(), Sending.ANY, (topic, now, then) -> {});
  }

  /** Returns the size in bytes, before compression, of records that every known topic accepts. */
  int takenByAll() {
    return takenByAll;
  }

  /** Returns whether the size of a record permits writing it to a topic. */
  boolean fit(String topic, byte[] key, byte[] value, Headers headers) {
    return lacking(topic, key, value, headers, 0).isEmpty();
  }

  /**
   * Returns why a record is too large to be written to a topic; empty if it is not. If it is too
   * large for the topic, the topic's settings are read again.
   *
   * @param more number of bytes that will be added to the record
   */
  public Optional<String> lacking(
      String topic, byte[] key, byte[] value, Headers headers, long more) {
    long plain = bytes(key, value, headers) + more;
    if (plain > sending.mostBytes()) {
      return Optional.of(
          plain
              + " bytes are too many to be sent: producer.max.request.size and"
              + " producer.buffer.memory allow "
              + sending.mostBytes());
    }
    Known known = topics.getOrDefault(topic, NOTHING);
    boolean asItIs = !sending.compresses() || known.recompresses;
    if (plain + (asItIs ? 0 : plain / INCOMPRESSIBLE_PART) <= known.neverRefused()) {
      return Optional.empty();
    }
    long small = asItIs ? plain : compressed(key, value, headers) + more;
    Optional<String> why = lacking(topic, known, plain, small);
    if (why.isPresent()) describer.describe(topic, false, most -> described(topic, most));
    return why;
  }

  private static Optional<String> lacking(String topic, Known known, long plain, long small) {
    String tooMany = plain + " bytes are too many for " + topic + ": ";
    String compressed = plain == small ? "" : ", compressed";
    if (small > known.bytes()) {
      Most most = known.most.orElseThrow();
      return Optional.of(tooMany + "its " + most.setting + " is " + most.bytes + compressed);
    }
    return known.refused.stream()
        .filter(each -> each.isNoLargerThan(plain, small))
        .findFirst()
        .map(each -> tooMany + "it has refused a record of " + each.bytes + " bytes");
  }

  /** Returns an upper bound of the size of a record before compression, in bytes. */
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

  /**
   * Returns the size in bytes of a batch with this record alone, compressed as by the producer,
   * since the producer can split a batch that is too large.
   */
  private long compressed(byte[] key, byte[] value, Headers headers) {
    SimpleRecord record = new SimpleRecord(0L, key, value, headers.toArray());
    return MemoryRecords.withRecords(sending.compression(), record).sizeInBytes();
  }

  /**
   * Notes that a topic refused a record, so that no record of the same sizes or larger is sent to
   * the topic, and has the topic's settings read again.
   */
  public void refused(String topic, byte[] key, byte[] value, Headers headers) {
    long plain = bytes(key, value, headers);
    // Perhaps not the topic but the producer refused a record that is too large to be sent.
    if (plain > sending.mostBytes()) return;
    long small = sending.compresses() ? compressed(key, value, headers) : plain;
    update(topic, known -> known.with(new Refused(plain, small, 0)));
    LOG.warn(
        "{} refused a record of {} bytes{}: it becomes a dead letter when it is processed again",
        topic,
        plain,
        small == plain ? "" : ", " + small + " compressed");
    describer.describe(topic, true, most -> described(topic, most));
  }

  private void described(String topic, Most most) {
    Optional<Most> before = topics.getOrDefault(topic, NOTHING).most();
    update(topic, known -> known.with(most));
    if (before.equals(Optional.of(most))) return;
    LOG.warn("{} takes records of up to {} bytes now: {}", topic, most.bytes, most.setting);
  }

  private synchronized void update(String topic, UnaryOperator<Known> change) {
    topics.compute(topic, (name, known) -> change.apply(known == null ? NOTHING : known));
    takenByAll = smallest();
  }
}
