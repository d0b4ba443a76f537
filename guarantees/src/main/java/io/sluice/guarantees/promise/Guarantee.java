package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.Modes;
import java.util.stream.Stream;

/** Guarantee of Sluice that must hold under all faults. */
public interface Guarantee {
  default String name() {
    return getClass().getSimpleName();
  }

  /** Returns the reason why the guarantee is weaker in these modes; empty if it is complete. */
  default String weakened(Modes modes) {
    return "";
  }

  /** Returns the number of cases that could have violated it; with none, the run proves nothing. */
  long cases(History history);

  /** Returns the violations, one line each, naming events and their records. */
  Stream<String> violations(History history);
}
