package io.sluice.limiter.rows;

import java.nio.ByteBuffer;

/**
 * Group of neighbouring registers of a HyperLogLog, for each sixth of a period in which one of them
 * is set, at six bits a register. The group's row has the number of its last sixth; a reader skips
 * sixths that have left the window.
 */
public final class Registers {
  /** Number of registers in a group, which has one row. */
  public static final int COUNT = 128;

  /** Number of sixths of a period in a window: the running sixth and the six before. */
  public static final int AGES = 7;

  private static final int PACKED_BYTES = COUNT * 6 / Byte.SIZE;
  private static final int HEAD_BYTES = 1 + Long.BYTES + 1;

  private final byte[][] byAge = new byte[AGES][];

  /**
   * Reads a group of registers from its row, as of a given sixth of a period, which becomes the
   * running one (age 0). Registers of earlier sixths keep their values, at the age that they have
   * by then; sixths that have left the window are dropped.
   *
   * @param row value of the row; null if the row is absent, which means that no register is set
   * @param sixth number of the running sixth, counted from the epoch
   */
  public static Registers read(byte[] row, long sixth) {
    Registers read = new Registers();
    if (row == null) return read;
    StoredFormat.check(row, "a piece of a sketch");
    ByteBuffer in = ByteBuffer.wrap(row, 1, row.length - 1);
    long passed = Math.max(0, sixth - in.getLong());
    int ages = in.get();
    for (int age = 0; age < AGES; age++) {
      if ((ages & (1 << age)) == 0) continue;
      byte[] values = unpack(in);
      if (age + passed < AGES) read.byAge[(int) (age + passed)] = values;
    }
    return read;
  }

  public byte[] toRow(long sixth) {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + AGES * PACKED_BYTES);
    int ages = 0;
    for (int age = 0; age < AGES; age++) if (byAge[age] != null) ages |= 1 << age;
    out.put(StoredFormat.VERSION).putLong(sixth).put((byte) ages);
    for (byte[] values : byAge) if (values != null) pack(values, out);
    byte[] row = new byte[out.position()];
    out.flip().get(row);
    return row;
  }

  private static byte[] unpack(ByteBuffer in) {
    byte[] values = new byte[COUNT];
    for (int i = 0; i < COUNT; i += 4) {
      int bits = ((in.get() & 0xff) << 16) | ((in.get() & 0xff) << 8) | (in.get() & 0xff);
      for (int j = 3; j >= 0; j--, bits >>= 6) values[i + j] = (byte) (bits & 0x3f);
    }
    return values;
  }

  private static void pack(byte[] values, ByteBuffer out) {
    for (int i = 0; i < COUNT; i += 4) {
      int bits = values[i] << 18 | values[i + 1] << 12 | values[i + 2] << 6 | values[i + 3];
      out.put((byte) (bits >> 16)).put((byte) (bits >> 8)).put((byte) bits);
    }
  }

  /**
   * Returns the value of a register in the sixth of a period that is {@code age} sixths before the
   * running one.
   */
  public int value(int age, int register) {
    return byAge[age] == null ? 0 : byAge[age][register];
  }

  /** Sets the value of a register in the running sixth of a period. */
  public void set(int register, int value) {
    if (byAge[0] == null) byAge[0] = new byte[COUNT];
    byAge[0][register] = (byte) value;
  }
}
