package io.sluice.topology.config;

/** The clock that events are judged by. */
enum TimeSource {
  /** The largest event time a partition has seen. */
  EVENT,
  /** The Streams clock. */
  WALL
}
