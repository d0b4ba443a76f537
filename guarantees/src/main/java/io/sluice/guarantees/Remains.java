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
    BrokerProcess broker = new BrokerProcess(folder, modes.brokerSettings());
    broker.start();
    try (Evidence first = new Evidence(broker.bootstrapServers(), Topics.FIRST);
        Evidence again = new Evidence(broker.bootstrapServers(), Topics.AGAIN)) {
      first.readOn();
      again.readOn();
      return new History(modes, first.all(), again.all(), Lives.in(folder));
    } finally {
      broker.process().kill();
    }
  }
}
