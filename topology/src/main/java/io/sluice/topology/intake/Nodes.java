package io.sluice.topology.intake;

import io.sluice.rules.limit.Verdict;
import java.util.List;

/**
 * Names of the topology's nodes and stores, as in metrics, {@code Topology#describe} and the
 * README.
 */
public final class Nodes {
  public static final String INPUT = "input";
  public static final String INTAKE = "intake";

  /** Name of the hop, from which Streams derives its topic and nodes. */
  public static final String HOME = "home";

  static final String HOP = HOME + "-repartition-filter";
  public static final String AT_HOME = "at-home";
  public static final String METER = "meter";
  public static final String ALLOWED = "allowed";
  public static final String REJECTED = "rejected";

  /** Sink of delayed events, which come back through {@link #WAITING_ROOM}. */
  public static final String DELAYED = "delayed";

  public static final String WAITING_ROOM = "waiting-room";
  public static final String SHAPER = "shaper";

  /** Merges events on their home partition with those to be metered again, before the meter. */
  public static final String TO_METER = "to-meter";

  /** Sink that writes released events to the allowed topic. */
  public static final String RELEASED = "released";

  /**
   * Sink that sends records on the topic of delayed events from a wrong partition to their home.
   */
  public static final String REHOMED = "rehomed";

  /** Writes delayed records that cannot be scheduled to the dead-letter topic. */
  public static final String UNSCHEDULED = "unscheduled";

  public static final String DEAD_LETTERS = "dead-letters";
  public static final String DEAD_LETTER = "dead-letter";

  /** Store of the counts of limits on the state store. */
  public static final String LIMITS = "limits";

  /** Store of delayed events, ordered by due time. */
  public static final String WAITING = "waiting";

  /** Store of the last waiting event of each shaped key. */
  public static final String TURNS = "turns";

  private Nodes() {}

  /** Returns the sink of the events with this verdict. */
  public static String of(Verdict.Kind kind) {
    return switch (kind) {
      case ALLOWED -> ALLOWED;
      case REJECTED -> REJECTED;
      case DELAYED -> DELAYED;
    };
  }

  /** Returns the topic of the hop, as Streams names it. */
  public static String hopTopic(String applicationId) {
    return hopTopic(applicationId, "");
  }

  /**
   * Returns the topic of the hop of one of several streams, whose names begin with {@code prefix}.
   */
  public static String hopTopic(String applicationId, String prefix) {
    return applicationId + "-" + prefix + HOME + "-repartition";
  }

  /** Returns the changelog topic of a store, as Streams names it. */
  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** Returns the topics that Streams creates for itself. */
  public static List<String> internalTopics(String applicationId) {
    return List.of(
        hopTopic(applicationId),
        changelog(applicationId, LIMITS),
        changelog(applicationId, WAITING),
        changelog(applicationId, TURNS));
  }
}
