package io.sluice.topology.delay;

/**
 * Time that one task may spend in each punctuation: half of the punctuation interval, divided by
 * the number of tasks of its stream thread that have work, and at least 1 ms.
 */
public final class ThreadBudget implements AutoCloseable {
  /*
   * A stream thread calls the punctuations of all its tasks one after another, and processes
   * records in between. If all punctuations together took longer than the interval, the thread
   * would process no records as long as many events are overdue.
   */
  private static final int PART_OF_TICK = 2;

  private final long tickMs;
  private final int[] tasks;
  private boolean counts;

  private ThreadBudget(long tickMs, int[] tasks) {
    this.tickMs = tickMs;
    this.tasks = tasks;
    hasWork(true);
  }

  /** Number of tasks with work of each stream thread, among which its time is divided. */
  public static final class Threads {
    private final ThreadLocal<int[]> tasks = ThreadLocal.withInitial(() -> new int[1]);

    /**
     * Registers a task of the calling stream thread, as one that has work.
     *
     * @param tickMs interval of the task's punctuation, milliseconds
     */
    public ThreadBudget join(long tickMs) {
      return new ThreadBudget(tickMs, tasks.get());
    }
  }

  public long millis() {
    return Math.max(1, tickMs / PART_OF_TICK / Math.max(1, tasks[0]));
  }

  /** Notes whether the task has work; if not, the other tasks of its thread may use its time. */
  public void hasWork(boolean has) {
    if (has == counts) return;
    counts = has;
    tasks[0] += has ? 1 : -1;
  }

  @Override
  public void close() {
    hasWork(false);
  }
}
