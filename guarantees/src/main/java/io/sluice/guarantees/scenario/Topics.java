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

/** Input, output and limits topics of a test run, and changes of their settings. */
public final class Topics {
  /** Names of the input topics; a run uses only the first, or both. */
  public static final List<String> INPUTS = List.of("user-actions", "more-actions");

  /**
   * Output topics of the first application, which runs under faults; {@link #AGAIN} has those of
   * the replay.
   */
  public static final Outputs FIRST = Outputs.named("");

  public static final Outputs AGAIN = Outputs.named("again-");

  /**
   * Topic of the revisions (dated changes of limits); its name is derived from the application id
   * of the first application.
   */
  public static final String LIMITS = Modes.APPLICATION + "-limits";

  /**
   * Topics of allowed and rejected events, where delayed events can end. At first the broker sets
   * their timestamps.
   */
  private static final List<String> TIMED = List.of(FIRST.allowed(), FIRST.rejected());

  /** Names of the output topics of an application. */
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

    /** Returns the topics in which events end, without the topic of delayed events. */
    public List<String> ends() {
      return List.of(allowed, rejected, deadLetters);
    }

    /** Returns the settings with which an application writes to these topics. */
    public List<String> settings() {
      return List.of(
          "sluice.topics.allowed=" + allowed,
          "sluice.topics.rejected=" + rejected,
          "sluice.topics.delayed=" + delayed,
          "sluice.topics.dead-letter=" + deadLetters);
    }
  }

  /**
   * Returns the home partition of a user, on which limits in the state store count the user's
   * events.
   */
  public static int home(String user) {
    return Utils.toPositive(Utils.murmur2(user.getBytes(UTF_8))) % PARTITIONS;
  }

  private static final String TIMESTAMP = "message.timestamp.type";
  private static final String BY_BROKER = "LogAppendTime";

  private static final String MOST_BYTES = "max.message.bytes";

  /** Kafka's default of max.message.bytes, which includes the overhead of a batch and a record. */
  public static final int DEFAULT_BYTES = 1_048_588;

  /**
   * Time in milliseconds for which tombstones stay in the topic of limits: so short that an
   * instance that is briefly absent misses them.
   */
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
    // A record with a timestamp of 1970 is older than any retention, and would be deleted before it
    // is read.
    configs.put("retention.ms", "-1");
    configs.put("segment.ms", Long.toString(Long.MAX_VALUE));
    if (TIMED.contains(name)) configs.put(TIMESTAMP, BY_BROKER);
    return new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()).configs(configs);
  }

  /** Returns the definition of the topic of limits, which is compacted as early as Kafka can. */
  private static NewTopic limits() {
    Map<String, String> configs = new HashMap<>();
    configs.put("cleanup.policy", "compact");
    configs.put("delete.retention.ms", Long.toString(REMEMBERED_MS));
    configs.put("segment.ms", "1000"); // short, as the active segment is never compacted
    configs.put("min.cleanable.dirty.ratio", "0.01");
    return new NewTopic(LIMITS, Optional.of(1), Optional.empty()).configs(configs);
  }

  /**
   * Switches the timestamps of allowed and rejected records between the broker's time, which shows
   * when a record left Sluice, and the sender's time, which shows whether Sluice kept it unchanged.
   * A topic can have only one of the two.
   */
  public static void time(Admin admin, boolean byBroker) throws InterruptedException {
    ConfigEntry timed = new ConfigEntry(TIMESTAMP, byBroker ? BY_BROKER : "CreateTime");
    try {
      change(admin, TIMED, new AlterConfigOp(timed, AlterConfigOp.OpType.SET));
    } catch (ExecutionException | TimeoutException e) {
      // While the broker is down, the old setting stays until the next switch.
    }
  }

  /** Makes the topic of allowed events accept only records of at most {@code bytes} bytes. */
  public static void shrink(Admin admin, int bytes) throws InterruptedException {
    ConfigEntry most = new ConfigEntry(MOST_BYTES, Integer.toString(bytes));
    resize(admin, new AlterConfigOp(most, AlterConfigOp.OpType.SET));
  }

  /** Restores the original maximum size of records in the topic of allowed events. */
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
