package io.sluice.topology;

import java.util.List;

/**
 * The topology's nodes, as metrics, {@code Topology#describe} and the README's picture name them.
 */
final class Nodes {
  static final String INPUT = "input";
  static final String INTAKE = "intake";

  /** Streams derives the hop's topic and nodes from this name. */
  static final String HOME = "home";

  static final String HOP = HOME + "-repartition-filter";
  static final String AT_HOME = "at-home";
  static final String METER = "meter";
  static final String ALLOWED = "allowed";
  static final String REJECTED = "rejected";

  /** The sink; what it writes comes back through {@link #WAITING_ROOM}. */
  static final String DELAYED = "delayed";

  static final String WAITING_ROOM = "waiting-room";
  static final String SHAPER = "shaper";

  /** Where events go on to the meter, those at home and those that are metered again. */
  static final String TO_METER = "to-meter";

  /** Writes to the allowed topic what has waited. */
  static final String RELEASED = "released";

  /** Sends what somebody put into the wrong partition to where it is metered. */
  static final String REHOMED = "rehomed";

  /** Writes to the dead letters what cannot be scheduled. */
  static final String UNSCHEDULED = "unscheduled";

  static final String DEAD_LETTERS = "dead-letters";
  static final String DEAD_LETTER = "dead-letter";

  /** The store that holds what the state-store limits have counted. */
  static final String LIMITS = "limits";

  /** The store of delayed events, by the time they are due. */
  static final String WAITING = "waiting";

  /** The store that knows of each shaped key the last event that waits. */
  static final String TURNS = "turns";

  private Nodes() {}

  /** The sink of what gets a verdict of this kind. */
  static String of(Verdict.Kind kind) {
    return switch (kind) {
      case ALLOWED -> ALLOWED;
      case REJECTED -> REJECTED;
      case DELAYED -> DELAYED;
    };
  }

  /** The topic of the hop, as Streams names it. */
  static String hopTopic(String applicationId) {
    return applicationId + "-" + HOME + "-repartition";
  }

  /** The topic that holds a copy of a store, as Streams names it. */
  static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** The topics that Streams makes for itself. */
  static List<String> internalTopics(String applicationId) {
    return List.of(
        hopTopic(applicationId),
        changelog(applicationId, LIMITS),
        changelog(applicationId, WAITING),
        changelog(applicationId, TURNS));
  }
}
