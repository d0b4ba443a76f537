package io.sluice.guarantees;

import java.io.IOException;
import java.nio.file.Path;

/** What a run has left in its folder, read once more: its broker keeps what came out, and when. */
final class Remains {
  private Remains() {}

  static History of(Path folder) throws IOException, InterruptedException {
    BrokerProcess broker = new BrokerProcess(folder);
    broker.start();
    try (Evidence evidence = new Evidence(broker.bootstrapServers())) {
      evidence.readOn();
      return evidence.history();
    } finally {
      broker.process().kill();
    }
  }
}
