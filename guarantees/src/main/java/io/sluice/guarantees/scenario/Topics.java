package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
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

    /** Where events end. */
    public List<String> ends() {
      return List.of(allowed, rejected, deadLetters);
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

  private static final String MOST_BYTES = "max.message.bytes";

  /** The default of max.message.bytes, which counts the bytes of a batch and a record, too. */
  public static final int DEFAULT_BYTES = 1_048_588;

  /** How long the topic of limits remembers that something was taken back: for a short absence. */
  private static final long REMEMBERED_MS = 5_000;

  public static final int PARTITIONS = 6;
  private static final long MOST_WAITING_S = 30;

  private Topics() {}

  public static void create(String bootstrapServers) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      List<NewTopic> topics =
          Stream.of(INPUTS, FIRST.all(), AGAIN.all())
              .flatMap(List::stream)
              .map(Topics::topic)
              .collect(Collectors.toCollection(ArrayList::new));
      topics.add(limits());
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

  /** The topic of limits, which forgets what was taken back as soon as Kafka can. */
  private static NewTopic limits() {
    Map<String, String> configs = new HashMap<>();
    configs.put("cleanup.policy", "compact");
    configs.put("delete.retention.ms", Long.toString(REMEMBERED_MS));
    configs.put("segment.ms", "1000"); // the newest segment is never compacted
    configs.put("min.cleanable.dirty.ratio", "0.01");
    return new NewTopic(LIMITS, Optional.of(1), Optional.empty()).configs(configs);
  }

  /**
   * From now on, records that are allowed or rejected get the broker's time, or keep that of their
   * sender: the one is evidence of when they left, the other of what they left as, and a topic can
   * give one of both only.
   */
  public static void time(Admin admin, boolean byBroker) throws InterruptedException {
    ConfigEntry timed = new ConfigEntry(TIMESTAMP, byBroker ? BY_BROKER : "CreateTime");
    try {
      change(admin, TIMED, new AlterConfigOp(timed, AlterConfigOp.OpType.SET));
    } catch (ExecutionException | TimeoutException e) {
      // The broker is gone: it stays as it was for a while.
    }
  }

  /** From now on, the topic of allowed events takes records of at most so many bytes. */
  public static void shrink(Admin admin, int bytes) throws InterruptedException {
    ConfigEntry most = new ConfigEntry(MOST_BYTES, Integer.toString(bytes));
    resize(admin, new AlterConfigOp(most, AlterConfigOp.OpType.SET));
  }

  /** From now on, it takes as much as it did at first. */
  public static void restore(Admin admin) throws InterruptedException {
    ConfigEntry most = new ConfigEntry(MOST_BYTES, null);
    resize(admin, new AlterConfigOp(most, AlterConfigOp.OpType.DELETE));
  }

  private static void resize(Admin admin, AlterConfigOp change) throws InterruptedException {
    try {
      change(admin, List.of(FIRST.allowed()), change);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(FIRST.allowed() + " keeps its size", e);
    }
  }

  private static void change(Admin admin, List<String> topics, AlterConfigOp change)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    for (String topic : topics) {
      changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change));
    }
    admin.incrementalAlterConfigs(changes).all().get(MOST_WAITING_S, TimeUnit.SECONDS);
  }
}
