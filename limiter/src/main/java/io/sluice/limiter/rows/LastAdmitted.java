package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
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
    int dropped = entries.length == MOST * ENTRY_BYTES ? ENTRY_BYTES : 0;
    byte[] longer = Arrays.copyOfRange(entries, dropped, entries.length + ENTRY_BYTES);
    ByteBuffer.wrap(longer, longer.length - ENTRY_BYTES, ENTRY_BYTES)
        .putLong(fingerprint.event())
        .putInt(fingerprint.record())
        .putLong(atMicros);
    return new LastAdmitted(longer);
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
