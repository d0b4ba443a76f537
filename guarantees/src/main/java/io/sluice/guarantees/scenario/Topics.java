package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Utils;

/** The topics that users see. */
public final class Topics {
  /** The input topics that there may be; a run uses the first, or both. */
  public static final List<String> INPUTS = List.of("user-actions", "more-actions");

  /** Where events go, and where they go when they are replayed. */
  public static final Outputs FIRST = Outputs.named("");

  public static final Outputs AGAIN = Outputs.named("again-");

  /** Where changes of limits are: that of the first application, by its name. */
  public static final String LIMITS = Modes.APPLICATION + "-limits";

  /** Where records end that may have been delayed. At first the broker times them. */
  private static final List<String> TIMED = List.of(FIRST.allowed(), FIRST.rejected());

  /** The topics that an application writes to. */
  public record Outputs(String allowed, String rejected, String delayed, String deadLetters) {
    private static Outputs named(String prefix) {
      return new Outputs(
          prefix + "allowed-actions",
          prefix + "rejected-actions",
          prefix + "delayed-actions",
          prefix + "dead-letter-actions");
    }

    public List<String> all() {
      return List.of(allowed, rejected, delayed, deadLetters);
    }

    /** What the application is told of them. */
    public List<String> settings() {
      return List.of(
          "sluice.topics.allowed=" + allowed,
          "sluice.topics.rejected=" + rejected,
          "sluice.topics.delayed=" + delayed,
          "sluice.topics.dead-letter=" + deadLetters);
    }
  }

  /** The partition on which limits in the state store count what a user does. */
  public static int home(String user) {
    return Utils.toPositive(Utils.murmur2(user.getBytes(UTF_8))) % PARTITIONS;
  }

  private static final String TIMESTAMP = "message.timestamp.type";
  private static final String BY_BROKER = "LogAppendTime";

  private static final int PARTITIONS = 6;
  private static final long MOST_WAITING_S = 30;

  private Topics() {}

  public static void create(String bootstrapServers) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      List<NewTopic> topics =
          Stream.of(INPUTS, FIRST.all(), AGAIN.all())
              .flatMap(List::stream)
              .map(Topics::topic)
              .toList();
      admin.createTopics(topics).all().get(MOST_WAITING_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the topics cannot be made", e);
    }
  }

  private static NewTopic topic(String name) {
    Map<String, String> configs = new HashMap<>();
    // A record of 1970 is older than any retention: it would be gone before anybody can look.
    configs.put("retention.ms", "-1");
    configs.put("segment.ms", Long.toString(Long.MAX_VALUE));
    if (TIMED.contains(name)) configs.put(TIMESTAMP, BY_BROKER);
    return new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()).configs(configs);
  }

  /**
   * From now on, records that are allowed or rejected get the broker's time, or keep that of their
   * sender: the one is evidence of when they left, the other of what they left as, and a topic can
   * give one of both only.
   */
  public static void time(Admin admin, boolean byBroker) throws InterruptedException {
    AlterConfigOp timed =
        new AlterConfigOp(
            new ConfigEntry(TIMESTAMP, byBroker ? BY_BROKER : "CreateTime"),
            AlterConfigOp.OpType.SET);
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    for (String topic : TIMED) {
      changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(timed));
    }
    try {
      admin.incrementalAlterConfigs(changes).all().get(MOST_WAITING_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The broker is gone: it stays as it was for a while.
    }
  }
}
