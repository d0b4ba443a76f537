package io.sluice.topology.config;

import io.sluice.topology.event.OutputTopics;
import java.util.List;

/**
 * Kafka topics of one application.
 *
 * @param limits topic of revisions (dated changes of limits); empty if limits cannot change at run
 *     time
 * @param create whether missing topics are created at start
 * @param partitions number of partitions of a topic that is created
 * @param replicationFactor number of replicas of a topic that is created; -1 is the broker's
 *     default, as in Kafka's admin client
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
   * Time by which a record's timestamp may be in the future so that brokers certainly accept it,
   * milliseconds: half of the hour that brokers accept, since clocks differ.
   */
  public static final long SURELY_TAKEN_AHEAD_MS = 1_800_000;

  public Topics {
    inputs = List.copyOf(inputs);
  }

  /** Returns the topics for final results: allowed events, rejected events and dead letters. */
  public List<String> outputs() {
    return OutputTopics.names(allowed, rejected, deadLetter);
  }

  /** Whether input topics have different topics for at least one kind of output. */
  public boolean differByInput() {
    return !allowed.isOne() || !rejected.isOne() || !deadLetter.isOne();
  }

  /** Whether limits can change at run time, so that there is a topic of revisions. */
  public boolean hasLimits() {
    return !limits.isEmpty();
  }
}
