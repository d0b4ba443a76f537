package io.sluice.limiter.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Identities of the last {@value #MOST} arrivals that a bucket has admitted, for bucket states that
 * keep no entry for each arrival. They are enough to recognise arrivals that come again soon.
 * Immutable.
 */
public final class LastAdmitted {
  public static final int MOST = 4;

  /**
   * Size of an entry in bytes: the hashes of event and record, and the instant of the charge. The
   * oldest entry comes first.
   */
  public static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES + Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private static final LastAdmitted EMPTY = new LastAdmitted(new byte[0]);

  private final byte[] entries;

  private LastAdmitted(byte[] entries) {
    this.entries = entries;
  }

  public static LastAdmitted none() {
    return EMPTY;
  }

  /** Reads the entries from the rest of a stored bucket state. */
  public static LastAdmitted read(ByteBuffer in) {
    if (!in.hasRemaining()) return EMPTY;
    byte[] entries = new byte[in.remaining()];
    in.get(entries);
    return new LastAdmitted(entries);
  }

  public void write(ByteBuffer out) {
    out.put(entries);
  }

  public int bytes() {
    return entries.length;
  }

  public LastAdmitted with(Fingerprint fingerprint, long atMicros) {
    if (fingerprint.isNone()) return this;
    return new LastAdmitted(add(entries, 0, fingerprint.event(), fingerprint.record(), atMicros));
  }

  /**
   * Returns a copy of a row with an arrival as the last entry; an unchanged copy if the arrival has
   * no identity, because its event's hash is 0.
   *
   * @param head number of bytes before the entries
   */
  public static byte[] add(byte[] row, int head, long event, int record, long atMicros) {
    if (event == 0) return row.clone();
    boolean isFull = row.length == head + MOST * ENTRY_BYTES;
    byte[] next = Arrays.copyOf(row, isFull ? row.length : row.length + ENTRY_BYTES);
    int at = next.length - ENTRY_BYTES;
    if (isFull) System.arraycopy(row, head + ENTRY_BYTES, next, head, at - head);
    LONG.set(next, at, event);
    INT.set(next, at + Long.BYTES, record);
    LONG.set(next, at + Long.BYTES + Integer.BYTES, atMicros);
    return next;
  }

  /**
   * Returns the earlier charge of an arrival with this fingerprint, if the charge was after {@code
   * sinceMicros}.
   */
  public PriorCharge prior(Fingerprint fingerprint, long sinceMicros) {
    PriorCharge prior = PriorCharge.NONE;
    if (fingerprint.isNone()) return prior;
    ByteBuffer in = ByteBuffer.wrap(entries);
    for (int at = 0; at < entries.length; at += ENTRY_BYTES) {
      if (in.getLong(at) != fingerprint.event()) continue;
      long atMicros = in.getLong(at + Long.BYTES + Integer.BYTES);
      if (atMicros <= sinceMicros) continue;
      boolean same = in.getInt(at + Long.BYTES) == fingerprint.record();
      prior = PriorCharge.stronger(prior, PriorCharge.of(same, atMicros));
    }
    return prior;
  }

  /**
   * Returns the latest instant of a remembered charge, in epoch microseconds; 0 if there is none.
   */
  public long latestMicros() {
    long latest = 0;
    ByteBuffer in = ByteBuffer.wrap(entries);
    for (int at = 0; at < entries.length; at += ENTRY_BYTES) {
      latest = Math.max(latest, in.getLong(at + Long.BYTES + Integer.BYTES));
    }
    return latest;
  }
}
