package io.sluice.topology.delay;

/**
 * Time that one task may spend on each tick: half of the tick, divided by the number of tasks of
 * its stream thread.
 */
public final class ThreadBudget implements AutoCloseable {
  /*
   * A stream thread punctuates all its tasks in turn and processes records in between. If
   * punctuations took longer than a tick, it would process nothing as long as many events are
   * overdue.
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

  /** Numbers of tasks that share the time of each stream thread. */
  public static final class Threads {
    private final ThreadLocal<int[]> tasks = ThreadLocal.withInitial(() -> new int[1]);

    /** Registers a task of the calling thread. */
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
