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

/**
 * Reads the results of an earlier test run from its folder, with a broker that is started on the
 * run's data.
 */
public final class Remains {
  private Remains() {}

  /**
   * Returns the results of the run.
   *
   * @param folder folder of the run, with the broker's data and the notes
   * @param seed seed of the run, which determined its modes
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
