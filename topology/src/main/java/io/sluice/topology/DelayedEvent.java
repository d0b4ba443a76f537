package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.ByteUtils;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A record that waits, with all that it must have when it leaves: where it then comes from, Streams
 * knows nothing of it any more.
 *
 * @param record key, value, headers and timestamp as they will leave
 * @param metersAgain whether it goes to the meter, and not to the allowed ones
 * @param turn the turn it has taken among the events of its keys
 */
record DelayedEvent(Record<byte[], Event> record, boolean metersAgain, Turn turn) {
  /*
   * One byte of flags, the timestamp, the turn, the key, the headers, and all the rest is the value.
   * Lengths are varints. The names of the headers that most of these events have take one byte.
   */
  private static final int METERS_AGAIN = 1;
  private static final int KEYED = 2;
  private static final List<String> FREQUENT =
      List.of(
          VerdictHeaders.VERDICT,
          VerdictHeaders.LIMIT,
          VerdictHeaders.REMAINING,
          VerdictHeaders.RETRY_AFTER_MS,
          VerdictHeaders.RESET_AFTER_MS,
          VerdictHeaders.ATTEMPT,
          VerdictHeaders.RELEASE_AT_MS,
          VerdictHeaders.RELEASE_TO,
          VerdictHeaders.ORIGIN);
  private static final int MOST_LENGTH_BYTES = 5;

  byte[] toBytes() {
    Header[] headers = record.headers().toArray();
    ByteBuffer out = ByteBuffer.allocate(mostBytes(headers));
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
    int most = 1 + 2 * Long.BYTES + 3 * MOST_LENGTH_BYTES + record.value().bytes().length;
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

  /** The name's place among the frequent ones, or 0 and the name; the value's length and 1. */
  private static void put(Header header, ByteBuffer out) {
    int place = FREQUENT.indexOf(header.key()) + 1;
    ByteUtils.writeUnsignedVarint(place, out);
    if (place == 0) put(header.key().getBytes(UTF_8), out);
    byte[] value = header.value();
    ByteUtils.writeUnsignedVarint(value == null ? 0 : value.length + 1, out);
    if (value != null) out.put(value);
  }

  /** The event that {@link #toBytes} wrote, its value not opened. */
  static DelayedEvent of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte flags = in.get();
    long timestampMs = in.getLong();
    long ticket = in.getLong();
    List<byte[]> keys = new ArrayList<>();
    for (int left = ByteUtils.readUnsignedVarint(in); left > 0; left--) keys.add(take(in));
    byte[] key = (flags & KEYED) == 0 ? null : take(in);
    Headers headers = headers(in);
    Event event = new Event(take(in, in.remaining()));
    return new DelayedEvent(
        new Record<>(key, event, timestampMs, headers),
        (flags & METERS_AGAIN) != 0,
        new Turn(ticket, keys));
  }

  private static Headers headers(ByteBuffer in) {
    Headers headers = new RecordHeaders();
    for (int left = ByteUtils.readUnsignedVarint(in); left > 0; left--) {
      int place = ByteUtils.readUnsignedVarint(in);
      String name = place == 0 ? new String(take(in), UTF_8) : FREQUENT.get(place - 1);
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
}
