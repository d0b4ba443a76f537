package io.sluice.topology.intake;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A bound on how much is processed and not committed: beyond it a commit is asked for, however long
 * the commit interval is. After a crash all that is not committed comes again, and Redis knows only
 * so much of a partition again, a limit that admits once only so many records of all topics
 * together. For one task; not thread-safe.
 */
final class CommitPace {
  /**
   * Redis keeps its answers about the last 20,000 positions. A quarter is for these. The rest is
   * for what is asked ahead (4,000, a poll, and what Streams has buffered), and for what is
   * processed from asking until the commit is done, which waits for a rebalance that is under way.
   */
  static final long MOST = 5_000;

  private final Runnable commit;
  private final Map<String, Long> last = new HashMap<>();
  private long passed;

  /**
   * @param commit asks for a commit soon
   */
  CommitPace(Runnable commit) {
    this.commit = commit;
  }

  /** Called with every record of a topic, in order. */
  void passed(RecordMetadata record) {
    Long before = last.put(record.topic(), record.offset());
    if (before == null) return;
    passed += Math.max(0, record.offset() - before); // of a task that is revived they come again
    if (passed < MOST) return;
    passed = 0;
    commit.run();
  }
}
