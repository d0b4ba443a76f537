package io.sluice.topology.intake;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Requests a commit when many records are processed and not committed, no matter how long the
 * commit interval is. After a crash all uncommitted records come again. Redis recognises only so
 * many of a partition, and a limit that admits once only so many of all topics together. For one
 * task; not thread-safe.
 */
final class CommitPace {
  /**
   * Most uncommitted records of a task. Redis keeps its answers about the last 20,000 positions: a
   * quarter is for these. The rest is for what is asked ahead (4,000, a poll, and what Streams has
   * buffered), and for what is processed until the commit is done, which waits for a running
   * rebalance.
   */
  static final long MOST = 5_000;

  private final Runnable commit;
  private final Map<String, Long> last = new HashMap<>();
  private long passed;

  /**
   * @param commit requests a commit soon
   */
  CommitPace(Runnable commit) {
    this.commit = commit;
  }

  /** Counts a record. To be called with every record of a topic, in order. */
  void passed(RecordMetadata record) {
    Long before = last.put(record.topic(), record.offset());
    if (before == null) return;
    passed += Math.max(0, record.offset() - before); // the records of a revived task come again
    if (passed < MOST) return;
    passed = 0;
    commit.run();
  }
}
