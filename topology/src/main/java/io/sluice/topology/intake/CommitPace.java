package io.sluice.topology.intake;

/**
 * Requests a commit when a task has processed many records that are not committed, no matter how
 * long the commit interval is. After a crash all uncommitted records are processed again, and must
 * be recognised: but Redis recognises only the last records of a partition, and a limit that admits
 * each key once recognises only the last records of all topics together. For one task; not
 * thread-safe.
 */
public final class CommitPace {
  /**
   * Number of uncommitted records of a task at which a commit is requested: a quarter of the 20,000
   * records of a partition about which Redis keeps its answers. The rest is for records that Redis
   * is asked about before they are processed (4,000, a poll, and the records that Streams has
   * buffered), and for records that are processed until the commit is done, which waits for a
   * running rebalance.
   */
  static final int MOST = 5_000;

  private final Runnable commit;
  private int passed;

  /**
   * @param commit requests a commit of the task
   */
  public CommitPace(Runnable commit) {
    this.commit = commit;
  }

  /** Counts a processed record of the task. */
  public void passed() {
    if (++passed < MOST) return;
    passed = 0;
    commit.run();
  }
}
