package io.sluice.guarantees;

import java.util.List;
import java.util.stream.Stream;

/** Something that Sluice promises, whatever happens to it. */
interface Guarantee {
  /** All of them. */
  static List<Guarantee> all() {
    return List.of(
        new NothingLost(),
        new NothingTwice(),
        new RightEnd(),
        new BytesUntouched(),
        new NeverOverLimit(),
        new KeyOrderKept(),
        new NeverEarly());
  }

  default String name() {
    return getClass().getSimpleName();
  }

  /** How many cases there were in which it could have been broken: none would prove nothing. */
  long cases(History history);

  /** What breaks it, a line each, naming the events and where they lie. */
  Stream<String> violations(History history);
}
