package io.sluice.topology.metering;

import io.sluice.limiter.RowSweeper;
import io.sluice.topology.delay.ThreadBudget;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Sweeper of a state store of counts. Every 100 ms it checks some rows, in endless passes over the
 * store, and deletes the rows of idle keys, which no verdict depends on any more.
 */
final class IdleKeys implements AutoCloseable {
  /*
   * A tick is a punctuation every 100 ms. One pass over the store takes five minutes, or less if
   * there are few rows. Where it finds many idle rows, as after a flood of keys, a tick goes on as
   * long as one in eight rows is deleted and time is left. So idle rows are a small part of all
   * rows, or they are deleted as fast as possible while the stream thread keeps nine tenths of its
   * time for other work.
   *
   * Each deletion writes a tombstone to the changelog. A task writes at most as many tombstones in
   * a tick as a producer can send in a tick.
   */
  static final long TICK_MS = 100;

  private static final int TICKS_PER_WALK = 3_000;
  private static final int ROWS_PER_LOOK = 64;
  private static final int LEAST_ROWS_PER_TICK = ROWS_PER_LOOK;
  static final int MOST_LEAVE_PER_TICK = 10_000;
  private static final int ONE_IN = 8;

  /**
   * Number of punctuations whose rows one punctuation checks if the store is on disk, as far as its
   * time allows. To start a scan of a disk store costs a look at every recently changed row, so the
   * following punctuations do nothing, unless many rows are deleted.
   */
  private static final int TICKS_ON_DISK = 4;

  /**
   * Argument of {@link ThreadBudget}, which lets all tasks of a stream thread together use half of
   * these milliseconds per punctuation: a tenth of the thread's time.
   */
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
   * @param wallMs clock that measures how long a punctuation takes, milliseconds
   * @param threads divide the time for the sweep among the tasks of a stream thread
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

  /**
   * Checks the next rows of the store, and deletes the rows that no arrival at or after a given
   * time needs. Does nothing if an earlier call has checked the rows of this call.
   *
   * @param nowMicros time in epoch microseconds
   */
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

  /**
   * Closes the scan, because an open scan would keep old files of a disk store. The next
   * punctuation starts a scan at the next key.
   */
  private void putAside() {
    next = rows.hasNext() ? rows.peekNextKey() : null;
    rows.close();
    rows = null;
  }

  /** Limits of one punctuation: the number of rows to check, of deletions, and the time. */
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

    /**
     * Returns how many of the next punctuations have nothing to do, because this punctuation has
     * checked their rows.
     */
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
