package io.sluice.topology.intake;

import io.sluice.rules.limit.Verdict;
import java.util.List;

/**
 * Names of the topology's nodes and state stores, as they appear in metrics, in {@code
 * Topology#describe} and in the README.
 */
public final class Nodes {
  public static final String INPUT = "input";
  public static final String INTAKE = "intake";

  /**
   * Name of the repartition step that moves events to their home partitions. Kafka Streams derives
   * the names of the repartition topic and its nodes from it.
   */
  public static final String HOME = "home";

  static final String HOP = HOME + "-repartition-filter";
  public static final String AT_HOME = "at-home";
  public static final String METER = "meter";
  public static final String ALLOWED = "allowed";
  public static final String REJECTED = "rejected";

  /** Sink that writes records that are not events to the allowed topic, without metering. */
  public static final String UNMETERED = "unmetered";

  /**
   * Sink that writes delayed events to their topic, from which they come back through {@link
   * #WAITING_ROOM}.
   */
  public static final String DELAYED = "delayed";

  public static final String WAITING_ROOM = "waiting-room";
  public static final String SHAPER = "shaper";

  /**
   * Node before the meter that merges the events on their home partition with the events that are
   * to be metered again.
   */
  public static final String TO_METER = "to-meter";

  /** Sink that writes delayed events that are due to the allowed topic. */
  public static final String RELEASED = "released";

  /**
   * Sink that writes events again to the topic of delayed events, on their home partition, if they
   * came on another partition and are to be metered again.
   */
  public static final String REHOMED = "rehomed";

  /** Sink that writes delayed records that cannot be scheduled to the dead-letter topic. */
  public static final String UNSCHEDULED = "unscheduled";

  public static final String DEAD_LETTERS = "dead-letters";
  public static final String DEAD_LETTER = "dead-letter";

  /** State store with the counts of limits that do not count in Redis. */
  public static final String LIMITS = "limits";

  /** State store of delayed events, ordered by due time. */
  public static final String WAITING = "waiting";

  /** State store of the last waiting event of each key of a limit that delays events. */
  public static final String TURNS = "turns";

  private Nodes() {}

  /** Returns the name of the sink for events with a verdict. */
  public static String of(Verdict.Kind kind) {
    return switch (kind) {
      case ALLOWED -> ALLOWED;
      case REJECTED -> REJECTED;
      case DELAYED -> DELAYED;
    };
  }

  /** Returns the name of the repartition topic that moves events to their home partitions. */
  public static String hopTopic(String applicationId) {
    return hopTopic(applicationId, "");
  }

  /**
   * Returns the name of the repartition topic of one of several streams in an application.
   *
   * @param prefix first part of the names of the stream's nodes
   */
  public static String hopTopic(String applicationId, String prefix) {
    return applicationId + "-" + prefix + HOME + "-repartition";
  }

  /** Returns the name that Kafka Streams gives to the changelog topic of a state store. */
  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** Returns the names of the internal topics that Kafka Streams creates for the application. */
  public static List<String> internalTopics(String applicationId) {
    return List.of(
        hopTopic(applicationId),
        changelog(applicationId, LIMITS),
        changelog(applicationId, WAITING),
        changelog(applicationId, TURNS));
  }
}
