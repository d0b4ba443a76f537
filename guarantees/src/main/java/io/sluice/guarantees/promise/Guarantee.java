package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.Modes;
import java.util.stream.Stream;

/**
 * Guarantee of Sluice that must hold under all faults, checked against the results of a test run.
 */
public interface Guarantee {
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Returns the reason why the guarantee is weaker in the given modes; empty if it holds in full.
   */
  default String weakened(Modes modes) {
    return "";
  }

  /**
   * Returns the number of cases in the run that could have violated the guarantee; if there are
   * none, the run proves nothing about it.
   */
  long cases(History history);

  /**
   * Returns the violations of the guarantee in the run, one line each, which names events and their
   * records.
   */
  Stream<String> violations(History history);
}
