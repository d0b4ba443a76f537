package io.sluice.guarantees.evidence;

import java.util.List;
import java.util.stream.Stream;

/**
 * The records that are committed in the topics of one application, each topic's records in the
 * order of their partitions and offsets.
 *
 * @param inputs what the broker accepted, whatever the publisher was told
 * @param delayed what was announced to leave later: never an end
 * @param strangers records of which nobody knows what they are
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

  /** Where events can end. */
  Stream<Kept> ends() {
    return Stream.of(allowed, rejected, deadLetters).flatMap(List::stream);
  }
}
