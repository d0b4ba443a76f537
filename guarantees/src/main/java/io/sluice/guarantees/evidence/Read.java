package io.sluice.guarantees.evidence;

import java.util.List;
import java.util.stream.Stream;

/**
 * Committed records in the topics of one application, sorted by topic, partition and offset.
 *
 * @param inputs records that the broker has, whether or not the publisher got an acknowledgement
 * @param delayed announcements of later releases, which are not ends
 * @param strangers descriptions of records that cannot be identified
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

  /** Returns all ends: allowed, rejected and dead records. */
  Stream<Kept> ends() {
    return Stream.of(allowed, rejected, deadLetters).flatMap(List::stream);
  }
}
