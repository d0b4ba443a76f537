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
 * Sizes of the largest records that topics accept, and that the producer sends. Safe for many
 * threads.
 *
 * <p>A topic checks the size of a record as it arrives, compressed; the producer checks it before.
 */
public final class RecordSizes {
  /*
   * Sizes are checked beforehand because no send may fail in a transaction. After a failed send
   * Kafka's producer neither sends nor commits anything, so a handler of the failure cannot write a
   * dead letter instead, and the same record comes again and fails again.
   *
   * The compressed size of a record depends on Kafka's layout of it, by hundreds of bytes, so it is
   * computed by Kafka's own classes, though they are internal.
   *
   * A topic may accept less than is known: its settings were changed, may not be read, or are not
   * the only limits. A refusal names no size. It has two effects: the settings are read again, and
   * a record is not sent if it is as large as the refused one both before and after compression. No
   * topic is taken to accept less than that, so a record that a topic would accept never becomes a
   * dead letter.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RecordSizes.class);

  /** Bytes of the fixed fields of a batch and a record, lengths included. */
  private static final int RECORD_BYTES = 61 + 21;

  private static final int LENGTH_BYTES = 5;

  /** Most that compression adds to incompressible bytes, as a part of them: a 128th. */
  private static final int INCOMPRESSIBLE_PART = 128;

  private static final int UNKNOWN = Integer.MAX_VALUE;

  private final Map<String, Known> topics = new ConcurrentHashMap<>();
  private final Sending sending;
  private final Describer describer;
  private volatile int takenByAll;

  /**
   * Settings of the producer for sending.
   *
   * @param mostBytes size of the largest record, before it is compressed
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
   * @param setting name of the setting that allows least
   */
  public record Most(int bytes, String setting) {}

  /** Reader of topics' settings. */
  public interface Describer {
    /**
     * Reads the settings of a topic without waiting for the answer.
     *
     * @param now whether they must be read even if they were read a moment ago
     * @param then receives the answer, if there is one
     */
    void describe(String topic, boolean now, Consumer<Most> then);
  }

  /**
   * Record that a topic has refused.
   *
   * @param bytes its size before compression
   * @param compressed its size as it arrived
   * @param under size that the settings allowed when they were read after the refusal; 0 if they
   *     were not yet
   */
  private record Refused(long bytes, long compressed, int under) {
    boolean isNoLargerThan(long otherBytes, long otherCompressed) {
      return bytes <= otherBytes && compressed <= otherCompressed;
    }
  }

  /**
   * Knowledge about a topic.
   *
   * @param refused records that it refused although its known settings allow them, the smallest
   *     first; none of them is larger than another in both sizes
   * @param recompresses whether the broker measures the record after compressing it itself, or
   *     uncompressed
   */
  private record Known(Optional<Most> most, List<Refused> refused, boolean recompresses) {
    private static final int MOST_REFUSED = 16;

    int bytes() {
      return most.map(Most::bytes).orElse(UNKNOWN);
    }

    /** Returns the size up to which nothing was refused, with any compression. */
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
      // Keep the newest one: without it the record would be sent, and refused, again and again.
      if (all.size() > MOST_REFUSED)
        all.remove(all.get(MOST_REFUSED).equals(another) ? MOST_REFUSED - 1 : MOST_REFUSED);
      return new Known(most, List.copyOf(all), recompresses);
    }

    /** Returns the knowledge with settings that were read after all of these refusals. */
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
   * @param most sizes that topics' settings allow, as far as they are known
   * @param describer reads the settings again
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

  /** Returns sizes without limits, for use without a broker. */
  public static RecordSizes any() {
    return new RecordSizes(Map.of(), Sending.ANY, (topic, now, then) -> {});
  }

  /** Returns the size that every topic accepts, with any compression. */
  int takenByAll() {
    return takenByAll;
  }

  /** Returns whether a record can be written to a topic. */
  boolean fit(String topic, byte[] key, byte[] value, Headers headers) {
    return lacking(topic, key, value, headers, 0).isEmpty();
  }

  /**
   * Returns why a record cannot be written to a topic; empty if it can.
   *
   * @param more bytes that will be added to the record
   */
  Optional<String> lacking(String topic, byte[] key, byte[] value, Headers headers, long more) {
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

  /** Returns an upper bound of the size before compression. */
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

  /** Returns the size as the producer would send the record alone, since a batch can be split. */
  private long compressed(byte[] key, byte[] value, Headers headers) {
    SimpleRecord record = new SimpleRecord(0L, key, value, headers.toArray());
    return MemoryRecords.withRecords(sending.compression(), record).sizeInBytes();
  }

  /** Notes that a topic refused a record: no record as large will be sent there. */
  public void refused(String topic, byte[] key, byte[] value, Headers headers) {
    long plain = bytes(key, value, headers);
    if (plain > sending.mostBytes()) return; // the producer may have refused it
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
