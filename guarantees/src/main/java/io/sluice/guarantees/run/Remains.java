package io.sluice.guarantees.run;

import io.sluice.guarantees.bed.BrokerProcess;
import io.sluice.guarantees.evidence.Evidence;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Notes;
import io.sluice.guarantees.evidence.Read;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the results of an earlier run from its folder again, with its broker's data. */
public final class Remains {
  private Remains() {}

  /**
   * Returns the history of the run.
   *
   * @param seed seed of that run, which decided its modes
   */
  public static History of(Path folder, long seed) throws IOException, InterruptedException {
    Modes modes = Modes.of(seed);
    try (BrokerProcess broker = new BrokerProcess(folder, modes.brokerSettings())) {
      broker.start();
      Read first = read(broker, Topics.FIRST);
      Read again = read(broker, Topics.AGAIN);
      return new History(modes, first, again, Notes.in(folder));
    }
  }

  private static Read read(BrokerProcess broker, Topics.Outputs outputs) {
    try (Evidence evidence = new Evidence(broker.bootstrapServers(), outputs)) {
      evidence.readOn();
      return evidence.all();
    }
  }
}
