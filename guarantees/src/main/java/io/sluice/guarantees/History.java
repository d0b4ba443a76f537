package io.sluice.guarantees;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All that a run left in its topics, each topic's records in the order of their partitions and
 * offsets. Inputs are what the broker accepted, whatever the publisher was told.
 */
final class History {
  private final List<Kept> inputs;
  private final List<Kept> allowed;
  private final List<Kept> rejected;
  private final List<Kept> deadLetters;
  private final List<String> strangers;
  private final Map<Long, Kept> inputOf = new HashMap<>();
  private final Clocks clocks;
  private final Announcements announcements;

  /**
   * @param delayed what was announced to leave later: never an end
   * @param strangers records of which nobody knows what they are
   */
  History(
      List<Kept> inputs,
      List<Kept> allowed,
      List<Kept> rejected,
      List<Kept> deadLetters,
      List<Kept> delayed,
      List<String> strangers) {
    this.inputs = inputs;
    this.allowed = allowed;
    this.rejected = rejected;
    this.deadLetters = deadLetters;
    this.strangers = strangers;
    for (Kept input : inputs) inputOf.put(input.number(), input);
    clocks = new Clocks(inputs);
    announcements = new Announcements(delayed);
  }

  List<Kept> inputs() {
    return inputs;
  }

  List<Kept> allowed() {
    return allowed;
  }

  List<Kept> rejected() {
    return rejected;
  }

  List<Kept> deadLetters() {
    return deadLetters;
  }

  /** Where events can end. */
  Stream<Kept> ends() {
    return Stream.of(allowed, rejected, deadLetters).flatMap(List::stream);
  }

  /** Output records that do not say which input they were. */
  List<String> strangers() {
    return strangers;
  }

  /** The record that an output was, or null if there was none. */
  Kept inputOf(Kept output) {
    return inputOf.get(output.number());
  }

  Clocks clocks() {
    return clocks;
  }

  Announcements announcements() {
    return announcements;
  }
}
