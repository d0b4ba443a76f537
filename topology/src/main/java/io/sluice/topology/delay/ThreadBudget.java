package io.sluice.topology.delay;

/**
 * The time that the shaper of one task may take of each tick: half of it, shared by all tasks of
 * the stream thread.
 */
public final class ThreadBudget implements AutoCloseable {
  /*
   * A stream thread punctuates all its tasks one after another, and processes records in between. If
   * punctuations took longer than the tick, it would do nothing else for as long as much is overdue.
   */
  private static final int PART_OF_TICK = 2;

  private final long tickMs;
  private final int[] tasks;
  private boolean closed;

  private ThreadBudget(long tickMs, int[] tasks) {
    this.tickMs = tickMs;
    this.tasks = tasks;
    tasks[0]++;
  }

  /** The shares of each stream thread's tasks. */
  public static final class Threads {
    private final ThreadLocal<int[]> tasks = ThreadLocal.withInitial(() -> new int[1]);

    /** For a task of this thread. */
    public ThreadBudget join(long tickMs) {
      return new ThreadBudget(tickMs, tasks.get());
    }
  }

  public long millis() {
    return Math.max(1, tickMs / PART_OF_TICK / tasks[0]);
  }

  @Override
  public void close() {
    if (!closed) tasks[0]--;
    closed = true;
  }
}
