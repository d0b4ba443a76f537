package io.sluice.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Settings of a Kafka cluster with a single node, which is broker and controller, and one replica
 * of each partition.
 */
final class BrokerSettings {
  static final int NODE_ID = 1;
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  /** Default broker settings, which a caller may override. */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          // Internal topics have one replica, and few partitions, because each partition costs
          // files and time.
          Map.entry("offsets.topic.replication.factor", "1"),
          Map.entry("offsets.topic.num.partitions", "4"),
          Map.entry("transaction.state.log.replication.factor", "1"),
          Map.entry("transaction.state.log.min.isr", "1"),
          Map.entry("transaction.state.log.num.partitions", "4"),
          Map.entry("share.coordinator.state.topic.replication.factor", "1"),
          Map.entry("share.coordinator.state.topic.min.isr", "1"),
          Map.entry("share.coordinator.state.topic.num.partitions", "4"),
          // A consumer group starts with its first member; by Kafka's default it waits three
          // seconds for others.
          Map.entry("group.initial.rebalance.delay.ms", "0"),
          Map.entry("group.streams.initial.rebalance.delay.ms", "0"),
          // The broker has few threads and little memory, because the machine has other work; by
          // Kafka's default, the log cleaner's buffer has 128 MB.
          Map.entry("num.network.threads", "2"),
          Map.entry("num.io.threads", "4"),
          Map.entry("background.threads", "2"),
          Map.entry("log.cleaner.dedupe.buffer.size", "8388608"));

  private BrokerSettings() {}

  /**
   * Returns all settings of the broker. The settings that {@link #requireNotOwn} refuses cannot be
   * overridden.
   *
   * @param extra settings that override the defaults
   */
  static Properties of(
      int port, int controllerPort, Path data, Map<String, String> extra, Users users) {
    Map<String, String> own = own(port, controllerPort, data);
    Map<String, String> merged = new HashMap<>(DEFAULTS);
    merged.putAll(extra);
    merged.putAll(own);
    merged.putAll(users.brokerSettings());
    Properties settings = new Properties();
    settings.putAll(merged);
    return settings;
  }

  /**
   * Checks that a caller's settings contain no role, address or data folder of the broker.
   *
   * @throws IllegalArgumentException if they contain one; the message names the first such setting
   */
  static void requireNotOwn(Map<String, String> extra) {
    for (String name : own(0, 0, Path.of("")).keySet()) {
      if (extra.containsKey(name)) {
        throw new IllegalArgumentException(
            "%s=%s: the embedded broker sets this itself".formatted(name, extra.get(name)));
      }
    }
  }

  private static Map<String, String> own(int port, int controllerPort, Path data) {
    String brokerAddress = LocalPort.LOOPBACK + ":" + port;
    String controllerAddress = LocalPort.LOOPBACK + ":" + controllerPort;
    return Map.ofEntries(
        Map.entry("process.roles", "broker,controller"),
        Map.entry("node.id", Integer.toString(NODE_ID)),
        Map.entry(
            "listeners",
            "PLAINTEXT://%s,%s://%s"
                .formatted(brokerAddress, CONTROLLER_LISTENER, controllerAddress)),
        Map.entry("advertised.listeners", "PLAINTEXT://" + brokerAddress),
        Map.entry(
            "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,%s:PLAINTEXT".formatted(CONTROLLER_LISTENER)),
        Map.entry("inter.broker.listener.name", "PLAINTEXT"),
        Map.entry("controller.listener.names", CONTROLLER_LISTENER),
        Map.entry("controller.quorum.voters", NODE_ID + "@" + controllerAddress),
        Map.entry("log.dirs", data.toString()),
        Map.entry("log.dir", data.toString()),
        Map.entry("metadata.log.dir", data.toString()));
  }
}
