package io.sluice.cli;

import io.sluice.embedded.EmbeddedKafka;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a broker until the process is stopped, in place of the cluster that a reader of the manual
 * has.
 */
final class OwnCluster {
  private OwnCluster() {}

  /** Main method. Argument: the broker's port. */
  public static void main(String[] args) throws InterruptedException {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder().port(Integer.parseInt(args[0])).start()) {
      System.out.println("The broker answers at " + kafka.bootstrapServers());
      Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
      new CountDownLatch(1).await();
    }
  }
}
