package io.sluice.topology.config;

import io.sluice.topology.event.OutputTopics;
import java.util.List;

/**
 * The topics of one application.
 *
 * @param limits of revisions; empty if limits do not change while it runs
 * @param create whether those that are missing are created at start
 * @param partitions of a topic that is created
 * @param replicationFactor of a topic that is created; -1, as in Kafka's own admin client, leaves
 *     it to the broker
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

  /** Brokers take timestamps that are an hour ahead, and no two clocks are quite the same. */
  public static final long SURELY_TAKEN_AHEAD_MS = 1_800_000;

  public Topics {
    inputs = List.copyOf(inputs);
  }

  /** All topics that events or dead letters leave by for good. */
  public List<String> outputs() {
    return OutputTopics.names(allowed, rejected, deadLetter);
  }

  /** Whether each input has outputs of its own, in one role at least. */
  public boolean differByInput() {
    return !allowed.isOne() || !rejected.isOne() || !deadLetter.isOne();
  }

  /** Whether limits change while it runs. */
  public boolean hasLimits() {
    return !limits.isEmpty();
  }
}
