package io.sluice.topology.intake;

import io.sluice.topology.limit.Verdict;
import java.util.List;

/**
 * The topology's nodes, as metrics, {@code Topology#describe} and the README's picture name them.
 */
public final class Nodes {
  public static final String INPUT = "input";
  public static final String INTAKE = "intake";

  /** Streams derives the hop's topic and nodes from this name. */
  public static final String HOME = "home";

  static final String HOP = HOME + "-repartition-filter";
  public static final String AT_HOME = "at-home";
  public static final String METER = "meter";
  public static final String ALLOWED = "allowed";
  public static final String REJECTED = "rejected";

  /** The sink; what it writes comes back through {@link #WAITING_ROOM}. */
  public static final String DELAYED = "delayed";

  public static final String WAITING_ROOM = "waiting-room";
  public static final String SHAPER = "shaper";

  /** Where events go on to the meter, those at home and those that are metered again. */
  public static final String TO_METER = "to-meter";

  /** Writes to the allowed topic what has waited. */
  public static final String RELEASED = "released";

  /** Sends what somebody put into the wrong partition to where it is metered. */
  public static final String REHOMED = "rehomed";

  /** Writes to the dead letters what cannot be scheduled. */
  public static final String UNSCHEDULED = "unscheduled";

  public static final String DEAD_LETTERS = "dead-letters";
  public static final String DEAD_LETTER = "dead-letter";

  /** The store that holds what the state-store limits have counted. */
  public static final String LIMITS = "limits";

  /** The store of delayed events, by the time they are due. */
  public static final String WAITING = "waiting";

  /** The store that knows of each shaped key the last event that waits. */
  public static final String TURNS = "turns";

  private Nodes() {}

  /** The sink of what gets a verdict of this kind. */
  public static String of(Verdict.Kind kind) {
    return switch (kind) {
      case ALLOWED -> ALLOWED;
      case REJECTED -> REJECTED;
      case DELAYED -> DELAYED;
    };
  }

  /** The topic of the hop, as Streams names it. */
  public static String hopTopic(String applicationId) {
    return hopTopic(applicationId, "");
  }

  /** The same of one of several, whose names begin so. */
  public static String hopTopic(String applicationId, String prefix) {
    return applicationId + "-" + prefix + HOME + "-repartition";
  }

  /** The topic that holds a copy of a store, as Streams names it. */
  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** The topics that Streams makes for itself. */
  public static List<String> internalTopics(String applicationId) {
    return List.of(
        hopTopic(applicationId),
        changelog(applicationId, LIMITS),
        changelog(applicationId, WAITING),
        changelog(applicationId, TURNS));
  }
}
