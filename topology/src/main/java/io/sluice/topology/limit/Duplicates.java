package io.sluice.topology.limit;

/** The treatment of another record that claims to be an admitted event. */
public enum Duplicates {
  /** It is rejected, and nothing is charged. */
  REJECT,
  /** It is an event like any other: ids say nothing. */
  CHARGE,
  /** It gets the verdict of the first, and nothing is charged. */
  REPEAT
}
