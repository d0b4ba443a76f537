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
   *
   * A topic may take less than is known of it: its settings were changed, may not be read, or are not
   * all there is. Its refusal says no size. So two things are learnt from one: the settings, which are
   * read again, and that a record will not pass which is as large as the refused one, both before
   * compression and after. No topic is ever taken to accept less than that, so a record that it would
   * take never becomes a dead letter.
   */
  private static final Logger LOG = LoggerFactory.getLogger(RecordSizes.class);

  /** A batch's and a record's own fields, lengths included. */
  private static final int RECORD_BYTES = 61 + 21;

  private static final int LENGTH_BYTES = 5;

  /** What compressing adds to bytes that cannot be compressed: a 128th of them is plenty. */
  private static final int INCOMPRESSIBLE_PART = 128;

  private static final int UNKNOWN = Integer.MAX_VALUE;

  private final Map<String, Known> topics = new ConcurrentHashMap<>();
  private final Sending sending;
  private final Describer describer;
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
   * The largest record that a topic's settings allow.
   *
   * @param setting the name of the one that allows least
   */
  public record Most(int bytes, String setting) {}

  /** A reader of topics' settings. */
  public interface Describer {
    /**
     * Reads the settings of a topic without waiting for the answer.
     *
     * @param now whether they must be read even if they were a moment ago
     * @param then is given the answer, if there is one
     */
    void describe(String topic, boolean now, Consumer<Most> then);
  }

  /**
   * A record that a topic has refused.
   *
   * @param bytes as it was
   * @param compressed as it arrived
   * @param under what the settings allowed when they were read after it; 0 if they were not yet
   */
  private record Refused(long bytes, long compressed, int under) {
    boolean isNoLargerThan(long otherBytes, long otherCompressed) {
      return bytes <= otherBytes && compressed <= otherCompressed;
    }
  }

  /**
   * A topic, as far as it is known.
   *
   * @param refused records that it refused although its settings, as far as they are known, allow
   *     them; the smallest first, and none that is larger than another
   * @param recompresses whether the broker measures what comes of a compression of its own, or none
   */
  private record Known(Optional<Most> most, List<Refused> refused, boolean recompresses) {
    private static final int MOST_REFUSED = 16;

    int bytes() {
      return most.map(Most::bytes).orElse(UNKNOWN);
    }

    /** Up to so many bytes nothing was refused, however it was compressed. */
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
      // Never the newest: it would be sent, and refused, again and again.
      if (all.size() > MOST_REFUSED)
        all.remove(all.get(MOST_REFUSED).equals(another) ? MOST_REFUSED - 1 : MOST_REFUSED);
      return new Known(most, List.copyOf(all), recompresses);
    }

    /** With settings that were read after all that is refused by now. */
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
   * @param most what topics' settings allow, as far as they are known
   * @param describer reads them again
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

  /** Where there is no broker that would refuse anything. */
  public static RecordSizes any() {
    return new RecordSizes(Map.of(), Sending.ANY, (topic, now, then) -> {});
  }

  /** What every topic takes, however it is compressed. */
  int takenByAll() {
    return takenByAll;
  }

  /** Whether a record can be written to a topic. */
  boolean fit(String topic, byte[] key, byte[] value, Headers headers) {
    return lacking(topic, key, value, headers, 0).isEmpty();
  }

  /**
   * Why a record cannot be written to a topic, in words; empty if it can.
   *
   * @param more bytes that it will have then
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

  /** A topic did not take a record: none that is as large will be sent there. */
  public void refused(String topic, byte[] key, byte[] value, Headers headers) {
    long plain = bytes(key, value, headers);
    if (plain > sending.mostBytes()) return; // perhaps the producer did not take it
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
