package io.sluice.topology.metering;

import io.sluice.limiter.RowSweeper;
import io.sluice.topology.delay.ThreadBudget;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Sweep through a store, a few rows per tick, over and over. It deletes the rows of keys that are
 * fully reset.
 */
final class IdleKeys implements AutoCloseable {
  /*
   * One sweep takes five minutes, or less if there are few rows. Where it meets many idle rows, as
   * after a flood of keys, it goes on within the tick as long as one in eight rows is deleted and
   * time is left. So idle rows are a small part of all, or they are deleted as fast as possible
   * while the thread keeps nine tenths of its time for other work.
   *
   * Each deletion is a tombstone in the changelog. A task writes at most as many per tick as a
   * producer sends in a tick.
   */
  static final long TICK_MS = 100;

  private static final int TICKS_PER_WALK = 3_000;
  private static final int ROWS_PER_LOOK = 64;
  private static final int LEAST_ROWS_PER_TICK = ROWS_PER_LOOK;
  static final int MOST_LEAVE_PER_TICK = 10_000;
  private static final int ONE_IN = 8;

  /**
   * Ticks whose rows one tick looks at on disk, as far as its time allows. To start a scan there
   * costs a look at every recently changed row, so the next ticks do nothing, unless many rows are
   * deleted.
   */
  private static final int TICKS_ON_DISK = 4;

  /**
   * Argument of {@link ThreadBudget}, which lets all tasks of a stream thread together use half of
   * it per tick: a tenth of the thread's time.
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
   * @param wallMs clock that measures how long a tick takes
   * @param threads divide the time of a tick among the tasks of a thread
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

  /** Looks at the next rows, and deletes those that are idle at this time. */
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
   * Closes a scan on disk, where it would keep old files. The next tick goes on at the next key.
   */
  private void putAside() {
    next = rows.hasNext() ? rows.peekNextKey() : null;
    rows.close();
    rows = null;
  }

  /** Limits of one tick. */
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
     * Returns how many of the next ticks have nothing to do, because this one looked at their rows.
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
