package io.sluice.guarantees;

import io.sluice.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A broker in a process of its own, on a given port and data, until it is killed. */
final class BrokerMain {
  static final String READY = "the broker is ready on ";

  private BrokerMain() {}

  public static void main(String[] args) throws InterruptedException {
    LeaderlessPartitions.waitForTheirLeader();
    EmbeddedKafka kafka =
        EmbeddedKafka.builder()
            .port(Integer.parseInt(args[0]))
            .data(Path.of(args[1]))
            .settings(Map.of("auto.create.topics.enable", "false"))
            .start();
    System.out.println(READY + kafka.bootstrapServers());
    CountDownLatch failed = new CountDownLatch(1);
    kafka.failure().thenRun(failed::countDown);
    failed.await();
    System.exit(1);
  }
}
