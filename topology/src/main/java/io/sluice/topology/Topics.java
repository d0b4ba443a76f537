package io.sluice.topology;

import java.util.List;

/**
 * The topics of one application.
 *
 * @param create whether those that are missing are created at start
 * @param partitions of a topic that is created
 * @param replicationFactor of a topic that is created; -1, as in Kafka's own admin client, leaves
 *     it to the broker
 */
record Topics(
    List<String> inputs,
    String allowed,
    String rejected,
    String delayed,
    String deadLetter,
    boolean create,
    int partitions,
    short replicationFactor) {

  Topics {
    inputs = List.copyOf(inputs);
  }
}
