package io.sluice.limiter.rows;

import java.nio.ByteBuffer;

/**
 * For each register value of a HyperLogLog, the number of registers with this value; the
 * HyperLogLog's estimate follows from these numbers.
 */
public final class RegisterCounts {
  /*
   * The estimate is computed by O. Ertl, "New cardinality estimation algorithms for HyperLogLog
   * sketches", 2017, algorithm 6: it needs no tables, and no correction for small or large numbers.
   * Redis' PFCOUNT has used it since 4.0.
   */
  /** Binary logarithm of the number of registers. The standard error of the estimate is 0.81 %. */
  public static final int PRECISION = 14;

  private static final int REGISTERS = 1 << PRECISION;
  private static final int MOST_VALUE = Long.SIZE - PRECISION + 1;
  private static final double ALPHA = 0.5 / Math.log(2);

  private final int[] counts = new int[MOST_VALUE + 1];

  /** Creates the counts of an empty HyperLogLog. */
  public RegisterCounts() {
    counts[0] = REGISTERS;
  }

  /** Notes that one register has changed its value. */
  public void change(int from, int to) {
    counts[from]--;
    counts[to]++;
  }

  /** Returns a copy, whose changes leave these counts as they are. */
  public RegisterCounts copy() {
    RegisterCounts copy = new RegisterCounts();
    System.arraycopy(counts, 0, copy.counts, 0, counts.length);
    return copy;
  }

  public boolean isEmpty() {
    return counts[0] == REGISTERS;
  }

  /** Returns the estimated number of distinct values. */
  public long estimate() {
    double z = REGISTERS * tau(1 - (double) counts[MOST_VALUE] / REGISTERS);
    for (int value = MOST_VALUE - 1; value > 0; value--) z = (z + counts[value]) / 2;
    z += REGISTERS * sigma((double) counts[0] / REGISTERS);
    return Math.round(ALPHA * REGISTERS * REGISTERS / z);
  }

  private static double sigma(double share) {
    if (share == 1) return Double.POSITIVE_INFINITY;
    double x = share;
    double y = 1;
    double sum = x;
    double last;
    do {
      x *= x;
      last = sum;
      sum += x * y;
      y += y;
    } while (sum != last);
    return sum;
  }

  private static double tau(double share) {
    if (share == 0 || share == 1) return 0;
    double x = share;
    double y = 1;
    double sum = 1 - x;
    double last;
    do {
      x = Math.sqrt(x);
      last = sum;
      y /= 2;
      sum -= (1 - x) * (1 - x) * y;
    } while (sum != last);
    return sum / 3;
  }

  /** Reads the counts that {@link #write} wrote. */
  public static RegisterCounts read(ByteBuffer in) {
    RegisterCounts read = new RegisterCounts();
    for (int top = in.get(), value = 1; value <= top; value++) {
      read.counts[value] = in.getShort();
      read.counts[0] -= read.counts[value];
    }
    return read;
  }

  public void write(ByteBuffer out) {
    int top = MOST_VALUE;
    while (top > 0 && counts[top] == 0) top--;
    out.put((byte) top);
    for (int value = 1; value <= top; value++) out.putShort((short) counts[value]);
  }

  /** Returns the largest number of bytes that {@link #write} can write. */
  public static int mostBytes() {
    return 1 + MOST_VALUE * Short.BYTES;
  }
}
