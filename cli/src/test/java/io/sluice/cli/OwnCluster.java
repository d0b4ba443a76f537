package io.sluice.cli;

import io.sluice.embedded.EmbeddedKafka;
import java.util.concurrent.CountDownLatch;

/** Stands in for the cluster that the reader of the manual has, until the process is ended. */
final class OwnCluster {
  private OwnCluster() {}

  /** Argument: the broker's port. */
  public static void main(String[] args) throws InterruptedException {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder().port(Integer.parseInt(args[0])).start()) {
      System.out.println("The broker answers at " + kafka.bootstrapServers());
      Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
      new CountDownLatch(1).await();
    }
  }
}
