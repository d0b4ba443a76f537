package io.sluice.topology.event;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Limit on the time in 30 seconds that is spent on requests to a schema registry for unknown schema
 * ids. Not thread-safe.
 */
final class FailedLookups {
  /*
   * In Confluent's format any four bytes after a zero byte are a schema id, so garbage would cause
   * a request for each record, which stops the stream and floods the registry. In each 30 seconds,
   * all ids with the same number of bits share a quota of request time. A registry counts its ids
   * from 1, so real ids are short. Random ids are long (half of them have 31 bits, one in 16,384
   * has no more than 17) and use up the quotas of long ids only. So the id of a schema that was
   * just registered is still requested while garbage arrives.
   */
  static final Duration WHILE = Duration.ofSeconds(30);

  private static final long SHARE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /**
   * Least time that a request for an unknown id is charged, so that even a fast registry gets at
   * most 100 such requests per quota.
   */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /**
   * Most time that a request for an unknown id is charged, so that one slow answer does not use up
   * the quota.
   */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final long[] spentNanos = new long[Integer.SIZE + 1];
  private long sinceNanos;

  FailedLookups(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /**
   * Returns whether requests for unknown ids with as many bits as this id have used up their quota
   * of the current 30 seconds.
   */
  boolean areTooMany(int id, long nowNanos) {
    if (nowNanos - sinceNanos >= WHILE.toNanos()) {
      Arrays.fill(spentNanos, 0);
      sinceNanos = nowNanos;
    }
    return spentNanos[bits(id)] >= SHARE_NANOS;
  }

  /** Charges the time of a request for an unknown id to the quota of ids with as many bits. */
  void add(int id, long tookNanos) {
    spentNanos[bits(id)] += Math.max(LEAST_NANOS, Math.min(MOST_NANOS, tookNanos));
  }

  private static int bits(int id) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(id);
  }
}
