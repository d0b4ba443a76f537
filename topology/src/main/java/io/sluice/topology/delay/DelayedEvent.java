package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Stored form of a delayed record. It contains everything that is needed when the record leaves,
 * because Kafka Streams has no record context in the punctuation that releases the record.
 *
 * @param record key, value, headers and timestamp with which the record leaves
 * @param metersAgain whether the record goes to the meter node instead of the allowed topic
 * @param turn position of the record in the order of events with the same keys
 */
public record DelayedEvent(Record<byte[], EventRecord> record, boolean metersAgain, Turn turn) {
  /*
   * Format: version, one byte of flags, timestamp, turn (the position in the order of events with
   * the same keys), key, headers; the rest is the value. Lengths are varints. The header names that
   * most delayed events have are written as numbers.
   *
   * Release 0.1 wrote no format version: its rows begin with the flags, which are 0 to 3, and go on
   * as in format 4, the first format with a version. Later releases must read every format that was
   * ever written, so a new layout needs a new version in addition to the old ones.
   */
  static final int VERSION = 4;
  private static final int METERS_AGAIN = 1;
  private static final int KEYED = 2;
  private static final int MOST_FLAGS = METERS_AGAIN + KEYED;
  private static final int MOST_LENGTH_BYTES = 5;

  /** Returns the stored form. */
  public byte[] toBytes() {
    Header[] headers = record.headers().toArray();
    ByteBuffer out = ByteBuffer.allocate(mostBytes(headers));
    out.put((byte) VERSION);
    out.put((byte) ((metersAgain ? METERS_AGAIN : 0) + (record.key() == null ? 0 : KEYED)));
    out.putLong(record.timestamp());
    out.putLong(turn.ticket());
    ByteUtils.writeUnsignedVarint(turn.keys().size(), out);
    for (byte[] key : turn.keys()) put(key, out);
    if (record.key() != null) put(record.key(), out);
    ByteUtils.writeUnsignedVarint(headers.length, out);
    for (Header header : headers) put(header, out);
    out.put(record.value().bytes());
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  private int mostBytes(Header[] headers) {
    int most = 2 + 2 * Long.BYTES + 3 * MOST_LENGTH_BYTES + record.value().bytes().length;
    if (record.key() != null) most += record.key().length;
    for (byte[] key : turn.keys()) most += MOST_LENGTH_BYTES + key.length;
    for (Header header : headers) {
      most += 3 * header.key().length() + 3 * MOST_LENGTH_BYTES;
      if (header.value() != null) most += header.value().length;
    }
    return most;
  }

  private static void put(byte[] bytes, ByteBuffer out) {
    ByteUtils.writeUnsignedVarint(bytes.length, out);
    out.put(bytes);
  }

  /**
   * Writes a header: the number of its name, or {@link HeaderNumbers#NONE} and the name; then the
   * length of its value plus 1, or 0 if the value is null; then the value.
   */
  private static void put(Header header, ByteBuffer out) {
    int number = HeaderNumbers.of(header.key());
    ByteUtils.writeUnsignedVarint(number, out);
    if (number == HeaderNumbers.NONE) put(header.key().getBytes(UTF_8), out);
    byte[] value = header.value();
    ByteUtils.writeUnsignedVarint(value == null ? 0 : value.length + 1, out);
    if (value != null) out.put(value);
  }

  /**
   * Reads a delayed record that {@link #toBytes} wrote. The event in its value is not decoded.
   *
   * @throws UnknownFormatException if a newer release wrote the bytes
   */
  public static DelayedEvent of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int first = in.get() & 0xff;
    if (first > MOST_FLAGS && first != VERSION) throw unknown(first);
    int flags = first == VERSION ? in.get() : first;
    long timestampMs = in.getLong();
    long ticket = in.getLong();
    List<byte[]> keys = new ArrayList<>();
    for (int left = ByteUtils.readUnsignedVarint(in); left > 0; left--) keys.add(take(in));
    byte[] key = (flags & KEYED) == 0 ? null : take(in);
    Headers headers = headers(in);
    EventRecord event = new EventRecord(take(in, in.remaining()));
    return new DelayedEvent(
        new Record<>(key, event, timestampMs, headers),
        (flags & METERS_AGAIN) != 0,
        new Turn(ticket, keys));
  }

  private static Headers headers(ByteBuffer in) {
    Headers headers = new RecordHeaders();
    for (int left = ByteUtils.readUnsignedVarint(in); left > 0; left--) {
      int number = ByteUtils.readUnsignedVarint(in);
      String name =
          number == HeaderNumbers.NONE
              ? new String(take(in), UTF_8)
              : HeaderNumbers.name(number).orElseThrow(() -> unknownHeader(number));
      int lengthAndOne = ByteUtils.readUnsignedVarint(in);
      headers.add(new RecordHeader(name, lengthAndOne == 0 ? null : take(in, lengthAndOne - 1)));
    }
    return headers;
  }

  private static byte[] take(ByteBuffer in) {
    return take(in, ByteUtils.readUnsignedVarint(in));
  }

  private static byte[] take(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static UnknownFormatException unknown(int version) {
    String what = "a delayed event in the store " + Nodes.WAITING;
    return NewerRelease.wrote(what, version, VERSION);
  }

  private static IllegalStateException unknownHeader(int number) {
    return new IllegalStateException(
        "a delayed event in the store " + Nodes.WAITING + " has a header of number " + number);
  }

  /** Numbers that replace header names in stored delayed events, so that a name takes one byte. */
  static final class HeaderNumbers {
    /*
     * The numbers are part of the stored format of DelayedEvent, so a number always stands for the
     * same name. A new number needs a new version of the format, because older releases do not know
     * the number.
     */
    private static final Map<String, Integer> NUMBERS =
        Map.of(
            "sluice-verdict", 1,
            "sluice-limit", 2,
            "sluice-remaining", 3,
            "sluice-retry-after-ms", 4,
            "sluice-reset-after-ms", 5,
            "sluice-attempt", 6,
            "sluice-release-at-ms", 7,
            "sluice-release-to", 8,
            "sluice-origin", 9);

    private static final Map<Integer, String> NAMES =
        NUMBERS.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

    /** Number that marks a header whose name has no number and is stored as text. */
    static final int NONE = 0;

    private HeaderNumbers() {}

    static int of(String name) {
      return NUMBERS.getOrDefault(name, NONE);
    }

    static Optional<String> name(int number) {
      return Optional.ofNullable(NAMES.get(number));
    }
  }
}
