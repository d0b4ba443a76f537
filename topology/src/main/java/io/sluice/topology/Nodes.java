package io.sluice.topology;

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
  static final String DEAD_LETTERS = "dead-letters";
  static final String DEAD_LETTER = "dead-letter";

  /** The store that holds what the state-store limits have counted. */
  static final String LIMITS = "limits";

  private Nodes() {}
}
