package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.Modes;
import java.util.stream.Stream;

/** Something that Sluice promises, whatever happens to it. */
public interface Guarantee {
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Why less is promised than its name says when Sluice runs like that; empty if it is not less.
   */
  default String weakened(Modes modes) {
    return "";
  }

  /** How many cases there were in which it could have been broken: none would prove nothing. */
  long cases(History history);

  /** What breaks it, a line each, naming the events and where they lie. */
  Stream<String> violations(History history);
}
