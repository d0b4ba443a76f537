package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Ring of the last {@value #MOST} records that a limit has admitted, for a limit whose Bloom
 * filters do not contain the records. Each record has a small row; an index in memory is built from
 * the rows when the ring is created. Not thread-safe.
 */
public final class RecentRecords {
  /**
   * Number of records in the ring. It exceeds the number of records that are processed but not
   * committed, which can come again. The caller that requests commits counts new and returning
   * records separately.
   */
  public static final int MOST = 1 << 14;

  /** First byte of the names of the rows with the ring's records. */
  public static final byte KIND = 4;

  private static final int HEAD_BYTES = 2;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final Rows rows;
  private final byte[] limit;
  private final Map<Long, Integer> slots = new HashMap<>();
  private final long[] names = new long[MOST];
  private int next;

  /**
   * Number of the round in which the ring is being written; it distinguishes rows of this round
   * from those of the round before.
   */
  private byte lap;

  /**
   * @param limit name of the limit's own row
   */
  RecentRecords(Rows rows, byte[] limit) {
    this.rows = rows;
    this.limit = limit;
    read();
  }

  private void read() {
    byte[] first = rows.get(row(0));
    if (first == null) return;
    lap = lap(first);
    next = MOST;
    for (int slot = 0; slot < MOST; slot++) {
      byte[] value = rows.get(row(slot));
      if (next == MOST && (value == null || lap(value) != lap)) next = slot;
      if (value == null) break;
      index(slot, ByteBuffer.wrap(value).getLong(HEAD_BYTES));
    }
    beginAgain();
  }

  private static byte lap(byte[] value) {
    StoredFormat.check(value, "a record of a limit");
    return value[1];
  }

  private void beginAgain() {
    if (next < MOST) return;
    next = 0;
    lap++;
  }

  private void index(int slot, long name) {
    slots.remove(names[slot], slot);
    names[slot] = name;
    slots.put(name, slot);
  }

  private byte[] row(int slot) {
    byte[] row = Arrays.copyOf(new byte[] {KIND}, 1 + limit.length + Short.BYTES);
    System.arraycopy(limit, 0, row, 1, limit.length);
    ByteBuffer.wrap(row).putShort(1 + limit.length, (short) slot);
    return row;
  }

  private static long name(Fingerprint fingerprint) {
    return fingerprint.event() ^ fingerprint.record() * GOLDEN;
  }

  public boolean contains(Fingerprint fingerprint) {
    return !fingerprint.isNone() && slots.containsKey(name(fingerprint));
  }

  /** Writes the row of an admitted record again, unchanged. */
  public void rewrite(Fingerprint fingerprint) {
    Integer slot = slots.get(name(fingerprint));
    if (slot != null) rows.rewrite(row(slot));
  }

  public void add(Fingerprint fingerprint) {
    if (fingerprint.isNone()) return;
    long name = name(fingerprint);
    ByteBuffer value = ByteBuffer.allocate(HEAD_BYTES + Long.BYTES);
    rows.put(row(next), value.put(StoredFormat.VERSION).put(lap).putLong(name).array());
    index(next++, name);
    beginAgain();
  }
}
