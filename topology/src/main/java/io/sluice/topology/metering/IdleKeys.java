package io.sluice.topology.metering;

import io.sluice.limiter.RowSweeper;
import io.sluice.topology.delay.ThreadBudget;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A walk through a store a few rows at a time, over and over, which lets go of those that are fully
 * reset.
 */
final class IdleKeys implements AutoCloseable {
  /*
   * A walk takes five minutes, or less where there are few rows. Where it meets many idle ones, as after
   * a flood of keys, it goes on within the tick: as long as one in eight that it looks at goes, and
   * until its time is up. So idle rows are a small part of all, or leave as fast as can be while the
   * thread does nine tenths of what it does otherwise.
   *
   * Each that leaves is a tombstone in the changelog. A task writes so many in a tick at most, which
   * is what a producer sends in one.
   */
  static final long TICK_MS = 100;

  private static final int TICKS_PER_WALK = 3_000;
  private static final int ROWS_PER_LOOK = 64;
  private static final int LEAST_ROWS_PER_TICK = ROWS_PER_LOOK;
  static final int MOST_LEAVE_PER_TICK = 10_000;
  private static final int ONE_IN = 8;

  /**
   * On disk, beginning costs a look at every row that has changed lately: there a tick looks at the
   * rows of the next ones, too, as far as its time goes, and they rest, unless many rows leave.
   */
  private static final int TICKS_ON_DISK = 4;

  /** All tasks of a thread get half of what they share. */
  private static final long SHARED_MS = TICK_MS / 5;

  private final KeyValueStore<Bytes, byte[]> store;
  private final RowSweeper sweeper;
  private final LongSupplier wallMs;
  private final ThreadBudget.Threads threads;
  private ThreadBudget share;
  private KeyValueIterator<Bytes, byte[]> rows;
  private Bytes next;
  private int rest;

  /**
   * @param wallMs how long a tick takes is measured by this
   * @param threads what the tasks of each thread take their time from
   */
  IdleKeys(
      KeyValueStore<Bytes, byte[]> store,
      RowSweeper sweeper,
      LongSupplier wallMs,
      ThreadBudget.Threads threads) {
    this.store = store;
    this.sweeper = sweeper;
    this.wallMs = wallMs;
    this.threads = threads;
  }

  /** Looks at the next rows, judged by this clock. */
  void sweepSome(long nowMicros) {
    if (rest > 0) {
      rest--;
      return;
    }
    if (share == null) share = threads.join(SHARED_MS);
    Tick tick = new Tick();
    if (rows == null) rows = next == null ? store.all() : store.range(next, null);
    while (rows.hasNext() && tick.goesOn()) {
      KeyValue<Bytes, byte[]> row = rows.next();
      if (sweeper.sweep(row.key.get(), row.value, nowMicros)) tick.left++;
    }
    if (!rows.hasNext() || store.persistent()) putAside();
    rest = tick.ticksAhead();
  }

  private int ticksAtOnce() {
    return store.persistent() ? TICKS_ON_DISK : 1;
  }

  /** On disk a walk is not kept open, which would keep old files. It goes on by the next key. */
  private void putAside() {
    next = rows.hasNext() ? rows.peekNextKey() : null;
    rows.close();
    rows = null;
  }

  /** The bounds of one tick. */
  private final class Tick {
    private final long endMs = wallMs.getAsLong() + share.millis();
    private final long least =
        Math.max(LEAST_ROWS_PER_TICK, store.approximateNumEntries() / TICKS_PER_WALK);
    private long looked;
    private int left;
    private int leftBefore;
    private boolean manyLeave;

    boolean goesOn() {
      if (left == MOST_LEAVE_PER_TICK) return false;
      if (looked++ % ROWS_PER_LOOK != 0 || looked == 1) return true;
      manyLeave = ONE_IN * (left - leftBefore) >= ROWS_PER_LOOK;
      leftBefore = left;
      return (looked <= ticksAtOnce() * least || manyLeave) && wallMs.getAsLong() < endMs;
    }

    /** How many of the next ticks have nothing to do, since it has looked at their rows. */
    int ticksAhead() {
      if (manyLeave || looked < least) return 0;
      return (int) Math.min(ticksAtOnce(), looked / least) - 1;
    }
  }

  @Override
  public void close() {
    if (rows != null) rows.close();
    rows = null;
    if (share != null) share.close();
    share = null;
  }
}
