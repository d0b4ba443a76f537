package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Identity;
import io.sluice.topology.delay.DelayedEvent;
import io.sluice.topology.delay.NewerRelease;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Stored form of an event that waits in line: what the {@link QueueIndex} needs, and then the
 * record. The index is built without decoding the records.
 */
final class QueuedEvent {
  /*
   * Format: version, class, flags, arrival, instant before which the event must not leave, cost,
   * expiry, identity (hashes of the event and of its record), hash of the tenant, line, number
   * of limits, their names, number of buckets, their hashes; the rest is a DelayedEvent.
   */
  static final int VERSION = 1;
  private static final int ASKS_REDIS = 1;
  private static final int MOST_LENGTH_BYTES = 5;
  private static final int FIXED_BYTES = 3 + 7 * Long.BYTES + Integer.BYTES + 2 * MOST_LENGTH_BYTES;

  private QueuedEvent() {}

  /**
   * Returns the row of an event.
   *
   * @param record record of the event, as {@link DelayedEvent} stores it
   */
  static byte[] row(WaitingEvent event, byte[] record) {
    Place place = event.place();
    int most = FIXED_BYTES + record.length + place.buckets().size() * Long.BYTES;
    List<byte[]> names = new ArrayList<>();
    for (String limit : place.limits()) names.add(limit.getBytes(UTF_8));
    for (byte[] name : names) most += MOST_LENGTH_BYTES + name.length;
    ByteBuffer out = ByteBuffer.allocate(most);
    out.put((byte) VERSION).put((byte) place.rank()).put((byte) (event.asksRedis() ? 1 : 0));
    out.putLong(event.arrivalMs()).putLong(event.notBeforeMs()).putLong(event.cost());
    out.putLong(event.expiresMs());
    out.putLong(event.identity().event()).putInt(event.identity().record());
    out.putLong(place.tenant()).putLong(place.line());
    ByteUtils.writeUnsignedVarint(names.size(), out);
    for (byte[] name : names) {
      ByteUtils.writeUnsignedVarint(name.length, out);
      out.put(name);
    }
    ByteUtils.writeUnsignedVarint(place.buckets().size(), out);
    for (long bucket : place.buckets()) out.putLong(bucket);
    out.put(record);
    byte[] row = new byte[out.position()];
    out.flip().get(row);
    return row;
  }

  /**
   * Reads what the index needs.
   *
   * @param number number of the event, from the row's key
   */
  static WaitingEvent waiting(long number, byte[] row) {
    return new Reader().waiting(number, row);
  }

  /**
   * Reader of many rows. Most events have the same limits as the one before, whose names are then
   * not decoded again. Not thread-safe.
   */
  static final class Reader {
    /** Bytes of the names that were read last, with their number and lengths. */
    private ByteBuffer names = ByteBuffer.allocate(0);

    private List<String> limits = List.of();

    /** Reads what the index needs. */
    WaitingEvent waiting(long number, byte[] row) {
      return waiting(number, checked(row));
    }

    private WaitingEvent waiting(long number, ByteBuffer in) {
      int rank = in.get() & 0xff;
      boolean asksRedis = (in.get() & ASKS_REDIS) != 0;
      long arrivalMs = in.getLong();
      long notBeforeMs = in.getLong();
      long cost = in.getLong();
      long expiresMs = in.getLong();
      Identity identity = new Identity(in.getLong(), in.getInt(), false);
      long tenant = in.getLong();
      long line = in.getLong();
      readLimits(in);
      int gates = ByteUtils.readUnsignedVarint(in);
      List<Long> buckets = new ArrayList<>(gates);
      for (int i = 0; i < gates; i++) buckets.add(in.getLong());
      Place place = new Place(line, rank, tenant, limits, buckets);
      return new WaitingEvent(
          number, arrivalMs, notBeforeMs, cost, expiresMs, identity, asksRedis, place);
    }

    private void readLimits(ByteBuffer in) {
      int from = in.position();
      int length = names.remaining();
      if (length > 0 && length <= in.remaining() && in.slice(from, length).equals(names)) {
        in.position(from + length);
        return;
      }
      int count = ByteUtils.readUnsignedVarint(in);
      limits = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        byte[] name = new byte[ByteUtils.readUnsignedVarint(in)];
        in.get(name);
        limits.add(new String(name, UTF_8));
      }
      names = in.slice(from, in.position() - from);
    }
  }

  /** Reads the record. */
  static DelayedEvent record(byte[] row) {
    ByteBuffer in = checked(row);
    new Reader().waiting(0, in);
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return DelayedEvent.of(rest);
  }

  private static ByteBuffer checked(byte[] row) {
    ByteBuffer in = ByteBuffer.wrap(row);
    int version = in.get() & 0xff;
    if (version == VERSION) return in;
    throw NewerRelease.wrote("a queued event in the store " + Nodes.WAITING, version, VERSION);
  }
}
