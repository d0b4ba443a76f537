package io.sluice.topology.intake;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Requests a commit when a task has processed many records that are not committed, no matter how
 * long the commit interval is. After a crash all uncommitted records are processed again, and must
 * be recognised: but Redis recognises only the last records of a partition, and a limit that admits
 * each key once recognises only the last records of all topics together. For one task; not
 * thread-safe.
 */
final class CommitPace {
  /**
   * Number of uncommitted records of a task at which a commit is requested: a quarter of the 20,000
   * records of a partition about which Redis keeps its answers. The rest is for records that Redis
   * is asked about before they are processed (4,000, a poll, and the records that Streams has
   * buffered), and for records that are processed until the commit is done, which waits for a
   * running rebalance.
   */
  static final long MOST = 5_000;

  private final Runnable commit;
  private final Map<String, Long> last = new HashMap<>();
  private long passed;

  /**
   * @param commit requests a commit of the task
   */
  CommitPace(Runnable commit) {
    this.commit = commit;
  }

  /**
   * Counts a processed record of the task. To be called with every record, in the order of offsets
   * in each topic.
   */
  void passed(RecordMetadata record) {
    Long before = last.put(record.topic(), record.offset());
    if (before == null) return;
    // A revived task reads records again, whose offsets are lower than before.
    passed += Math.max(0, record.offset() - before);
    if (passed < MOST) return;
    passed = 0;
    commit.run();
  }
}
