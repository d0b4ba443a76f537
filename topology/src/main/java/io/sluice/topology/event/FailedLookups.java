package io.sluice.topology.event;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A bound on how much of a while is spent on asking for schemas that nobody knows. Not thread-safe.
 */
final class FailedLookups {
  /*
   * Any four bytes after a zero are an id, so garbage would have the registry asked for each of its
   * records, which stops the stream and floods the registry. Of a while, ids of one length in bits
   * get a share of their own. A registry counts its ids from 1, so they are short; random ones are
   * long (half of them have 31 bits, one in 16,384 has no more than 17) and use up the shares of
   * the long ones only. So a sound id, of a schema that has just been registered, is still asked
   * for while garbage comes.
   */
  static final Duration WHILE = Duration.ofSeconds(30);

  private static final long SHARE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** So that a fast registry is not asked more than a hundred times. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** So that one slow answer does not use up the share. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final long[] spentNanos = new long[Integer.SIZE + 1];
  private long sinceNanos;

  FailedLookups(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /** Whether ids as long as this one have had their share of the while. */
  boolean areTooMany(int id, long nowNanos) {
    if (nowNanos - sinceNanos >= WHILE.toNanos()) {
      Arrays.fill(spentNanos, 0);
      sinceNanos = nowNanos;
    }
    return spentNanos[bits(id)] >= SHARE_NANOS;
  }

  /** Nobody knew the id, and it took so long to learn that. */
  void add(int id, long tookNanos) {
    spentNanos[bits(id)] += Math.max(LEAST_NANOS, Math.min(MOST_NANOS, tookNanos));
  }

  private static int bits(int id) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(id);
  }
}
