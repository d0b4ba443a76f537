package io.sluice.topology.config;

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
    String allowed,
    String rejected,
    String delayed,
    String deadLetter,
    String limits,
    boolean create,
    int partitions,
    short replicationFactor) {

  /** Brokers take timestamps that are an hour ahead, and no two clocks are quite the same. */
  public static final long SURELY_TAKEN_AHEAD_MS = 1_800_000;

  public Topics {
    inputs = List.copyOf(inputs);
  }

  /** Whether limits change while it runs. */
  public boolean hasLimits() {
    return !limits.isEmpty();
  }
}
