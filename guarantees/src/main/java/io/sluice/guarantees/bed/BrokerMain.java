package io.sluice.guarantees.bed;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.guarantees.scenario.Modes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Main program of the Kafka broker's process, with a given port and data folder; runs until it is
 * killed or the broker fails.
 */
final class BrokerMain {
  static final String READY = "the broker is ready on ";

  private BrokerMain() {}

  public static void main(String[] args) throws InterruptedException {
    LeaderlessPartitions.waitForTheirLeader();
    EmbeddedKafka kafka =
        EmbeddedKafka.builder()
            .port(Integer.parseInt(args[0]))
            .data(Path.of(args[1]))
            .settings(settings(List.of(args).subList(2, args.length)))
            .start();
    System.out.println(READY + kafka.bootstrapServers());
    CountDownLatch failed = new CountDownLatch(1);
    kafka.failure().thenRun(failed::countDown);
    failed.await();
    System.exit(1);
  }

  /**
   * Returns the broker's settings. With {@code group.protocol=streams} the broker determines the
   * session timeout, which is set to the short timeout that instances set with the classic
   * protocol.
   */
  private static Map<String, String> settings(List<String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("auto.create.topics.enable", "false");
    settings.put("log.cleaner.backoff.ms", "500");
    settings.put("group.streams.min.session.timeout.ms", "1000");
    settings.put("group.streams.session.timeout.ms", Integer.toString(Modes.SESSION_MS));
    settings.put("group.streams.min.heartbeat.interval.ms", "500");
    settings.put("group.streams.heartbeat.interval.ms", Integer.toString(Modes.HEARTBEAT_MS));
    for (String each : more) {
      int equals = each.indexOf('=');
      settings.put(each.substring(0, equals), each.substring(equals + 1));
    }
    return settings;
  }
}
