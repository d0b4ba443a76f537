package io.sluice.guarantees;

import java.io.IOException;
import java.nio.file.Path;

/** What a run has left in its folder, read once more: its broker keeps what came out, and when. */
final class Remains {
  private Remains() {}

  /**
   * @param seed of the run, which decided its modes
   */
  static History of(Path folder, long seed) throws IOException, InterruptedException {
    Modes modes = Modes.of(seed);
    try (BrokerProcess broker = new BrokerProcess(folder, modes.brokerSettings())) {
      broker.start();
      Read first = read(broker, Topics.FIRST);
      Read again = read(broker, Topics.AGAIN);
      return new History(modes, first, again, Lives.in(folder));
    }
  }

  private static Read read(BrokerProcess broker, Topics.Outputs outputs) {
    try (Evidence evidence = new Evidence(broker.bootstrapServers(), outputs)) {
      evidence.readOn();
      return evidence.all();
    }
  }
}
