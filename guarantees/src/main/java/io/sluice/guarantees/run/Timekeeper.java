package io.sluice.guarantees.run;

import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.scenario.Topics;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * Switches the output topics of a test run between timestamps set by the broker and timestamps set
 * by the sender, every 4 seconds.
 */
final class Timekeeper implements AutoCloseable {
  private static final long TURN_MS = 4_000;

  private final Admin admin;
  private final Thread thread = new Thread(this::run, "timekeeper");
  private volatile boolean over;

  Timekeeper(String bootstrapServers) {
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      for (boolean byBroker = false; !over; byBroker = !byBroker) {
        Waiting.pass(TURN_MS);
        Topics.time(admin, byBroker);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over = true;
    thread.interrupt();
    admin.close();
  }
}
