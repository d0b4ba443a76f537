package io.sluice.guarantees.evidence;

import java.util.List;
import java.util.stream.Stream;

/**
 * Committed records in the input and output topics of one application, sorted by topic, partition
 * and offset.
 *
 * @param inputs input records that the broker has, whether or not the publisher got an
 *     acknowledgement
 * @param delayed records of the topic of delayed events: announcements of a later release or retry,
 *     after which the event still ends in another topic
 * @param strangers descriptions of output records that do not name their input
 */
public record Read(
    List<Kept> inputs,
    List<Kept> allowed,
    List<Kept> rejected,
    List<Kept> deadLetters,
    List<Kept> delayed,
    List<String> strangers) {
  public static final Read NOTHING =
      new Read(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  /** Returns all records with which an event has ended: allowed, rejected and dead letters. */
  Stream<Kept> ends() {
    return Stream.of(allowed, rejected, deadLetters).flatMap(List::stream);
  }
}
