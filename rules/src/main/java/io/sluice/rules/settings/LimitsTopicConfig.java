package io.sluice.rules.settings;

import java.util.Properties;

/**
 * Settings of an application's topic of revisions, and of its clients.
 *
 * @param name of the topic
 * @param creates whether a missing topic is created
 * @param replicationFactor of a topic that is created; less than 1 for the broker's default
 * @param applicationId of the application, from which names of clients are made
 * @param streams settings of Kafka Streams, from which the settings of the clients are made
 */
public record LimitsTopicConfig(
    String name,
    boolean creates,
    short replicationFactor,
    String applicationId,
    Properties streams) {
  /** Returns the name alone, because the settings of clients contain passwords. */
  @Override
  public String toString() {
    return name;
  }
}
