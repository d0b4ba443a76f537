package io.sluice.topology.limit;

/** The clock that events are judged by. */
public enum TimeSource {
  /** The largest event time a partition has seen. */
  EVENT,
  /** The Streams clock. */
  WALL
}
