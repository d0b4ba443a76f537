package io.sluice.topology.config;

import io.sluice.topology.event.OutputTopics;
import java.util.List;

/**
 * Topics of one application.
 *
 * @param limits the topic of revisions; empty if limits are not live
 * @param create whether missing topics are created at start
 * @param partitions of a topic that is created
 * @param replicationFactor of a topic that is created; -1 leaves it to the broker, as in Kafka's
 *     admin client
 */
public record Topics(
    List<String> inputs,
    OutputTopics allowed,
    OutputTopics rejected,
    String delayed,
    OutputTopics deadLetter,
    String limits,
    boolean create,
    int partitions,
    short replicationFactor) {

  /**
   * Time ahead that brokers certainly accept in a timestamp, ms. They accept an hour, and clocks
   * differ.
   */
  public static final long SURELY_TAKEN_AHEAD_MS = 1_800_000;

  public Topics {
    inputs = List.copyOf(inputs);
  }

  /** Topics that are final outputs: allowed, rejected and dead letters. */
  public List<String> outputs() {
    return OutputTopics.names(allowed, rejected, deadLetter);
  }

  /** Whether the inputs have different topics for at least one kind of output. */
  public boolean differByInput() {
    return !allowed.isOne() || !rejected.isOne() || !deadLetter.isOne();
  }

  /** Whether limits are live, so that there is a topic of revisions. */
  public boolean hasLimits() {
    return !limits.isEmpty();
  }
}
