package io.sluice.topology.config;

import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Kafka topics of one application.
 *
 * @param limits topic of revisions (dated changes of limits); empty if limits cannot change at run
 *     time
 * @param create whether missing topics are created at start
 * @param partitions number of partitions of a topic that is created
 * @param replicationFactor number of replicas of a topic that is created; -1 is the broker's
 *     default, as in Kafka's admin client
 */
public record Topics(
    List<String> inputs,
    OutputTopics allowed,
    OutputTopics rejected,
    String delayed,
    OutputTopics deadLetter,
    String limits,
    boolean create,
    int partitions,
    short replicationFactor) {

  /**
   * Time by which a record's timestamp may be in the future so that brokers certainly accept it,
   * milliseconds: half of the hour that brokers accept, since clocks differ.
   */
  public static final long SURELY_TAKEN_AHEAD_MS = 1_800_000;

  public Topics {
    inputs = List.copyOf(inputs);
  }

  /** Returns the topics for final results: allowed events, rejected events and dead letters. */
  public List<String> outputs() {
    return OutputTopics.names(allowed, rejected, deadLetter);
  }

  /** Whether input topics have different topics for at least one kind of output. */
  public boolean differByInput() {
    return !allowed.isOne() || !rejected.isOne() || !deadLetter.isOne();
  }

  /** Whether limits can change at run time, so that there is a topic of revisions. */
  public boolean hasLimits() {
    return !limits.isEmpty();
  }

  /** Parser of the topic settings. It refuses a topic that is set for two purposes. */
  static final class TopicsParser {
    private static final String LIMITS_SUFFIX = "-limits";

    /** Suffixes of the internal topics that Kafka Streams creates for an application. */
    private static final List<String> STREAMS = List.of("-changelog", "-repartition");

    /** Suffixes that only internal topics of Sluice applications have, with any application id. */
    private static final List<String> SLUICES =
        List.of("-limits-changelog", "-waiting-changelog", "-turns-changelog", "-home-repartition");

    private final RawSettings settings;
    private final Map<String, Taken> roles = new HashMap<>();

    private record Taken(String topic, Setting<?> role) {}

    TopicsParser(RawSettings settings) {
      this.settings = settings;
    }

    Topics read() {
      List<String> inputs = settings.read(CommonSettings.TOPICS_INPUT);
      if (inputs.isEmpty()) {
        settings.mistake(
            CommonSettings.TOPICS_INPUT, "at least one topic to read, such as user-actions");
      }
      Topics topics =
          new Topics(
              inputs,
              output(CommonSettings.TOPICS_ALLOWED, inputs),
              output(CommonSettings.TOPICS_REJECTED, inputs),
              settings.read(CommonSettings.TOPICS_DELAYED),
              output(CommonSettings.TOPICS_DEAD_LETTER, inputs),
              limits(),
              settings.read(CommonSettings.TOPICS_CREATE),
              settings.read(CommonSettings.TOPICS_PARTITIONS),
              settings.read(CommonSettings.TOPICS_REPLICATION_FACTOR).shortValue());
      checkRoles(topics);
      return topics;
    }

    private String limits() {
      boolean live = settings.read(CommonSettings.LIMITS_LIVE);
      String topic =
          settings.find(CommonSettings.TOPICS_LIMITS).orElse(application() + LIMITS_SUFFIX);
      return live ? topic : "";
    }

    /**
     * Returns the output topics for a setting. A name that contains an input topic's name may be
     * too long or invalid, and is then reported as a mistake.
     */
    private OutputTopics output(Setting<String> setting, List<String> inputs) {
      OutputTopics topics = OutputTopics.of(settings.read(setting), inputs);
      topics.names().stream()
          .filter(name -> !CommonSettings.isTopic(name))
          .findFirst()
          .ifPresent(
              name -> settings.mistake(setting, name + ": " + setting.accepted().split(";", 2)[0]));
      return topics;
    }

    private void checkRoles(Topics topics) {
      if (settings.sound(CommonSettings.TOPICS_INPUT)) {
        topics.inputs().forEach(input -> take(input, CommonSettings.TOPICS_INPUT));
        topics.inputs().forEach(input -> refuseIfOthers(input, CommonSettings.TOPICS_INPUT));
      }
      take(topics.allowed(), CommonSettings.TOPICS_ALLOWED);
      take(topics.rejected(), CommonSettings.TOPICS_REJECTED);
      take(OutputTopics.one(topics.delayed()), CommonSettings.TOPICS_DELAYED);
      take(topics.deadLetter(), CommonSettings.TOPICS_DEAD_LETTER);
      if (topics.hasLimits()) take(OutputTopics.one(topics.limits()), CommonSettings.TOPICS_LIMITS);
    }

    private void take(OutputTopics topics, Setting<?> role) {
      boolean sound = settings.sound(role);
      if (sound) topics.names().forEach(topic -> take(topic, role));
      if (sound) topics.names().forEach(topic -> refuseIfOthers(topic, role));
    }

    private void refuseIfOthers(String topic, Setting<?> role) {
      boolean ofStreams = isOfThisApplication(topic) || SLUICES.stream().anyMatch(topic::endsWith);
      if (!settings.sound(role) || !(ofStreams || Topic.isInternal(topic))) return;
      settings.mistake(
          role,
          topic
              + (ofStreams
                  ? " is named like an internal topic of Kafka Streams; set another name"
                  : " is an internal topic of Kafka; set another name"));
    }

    /** Whether a topic is named like an internal topic of this application. */
    private boolean isOfThisApplication(String topic) {
      return sameToKafka(topic).startsWith(sameToKafka(application() + "-"))
          && STREAMS.stream().anyMatch(topic::endsWith);
    }

    /**
     * Replaces dots by underscores, since Kafka permits no two topics whose names differ only in
     * dots and underscores.
     */
    private static String sameToKafka(String topic) {
      return topic.replace('.', '_');
    }

    private String application() {
      return settings.texts().getOrDefault(StreamsConfig.APPLICATION_ID_CONFIG, "").trim();
    }

    private void take(String topic, Setting<?> role) {
      Taken taken = roles.putIfAbsent(sameToKafka(topic), new Taken(topic, role));
      if (taken == null) return;
      // Reports a key that the user has set, since the other key may have its default.
      Setting<?> blamed = settings.has(role) ? role : taken.role;
      Setting<?> other = settings.has(role) ? taken.role : role;
      if (!settings.sound(blamed)) return;
      String its = settings.has(role) ? topic : taken.topic;
      String named = settings.text(blamed).trim().equals(its) ? "this" : its;
      settings.mistake(
          blamed,
          taken.topic.equals(topic)
              ? "each role needs its own topic, and " + named + " is also " + other.name
              : "Kafka cannot have both "
                  + taken.topic
                  + " and "
                  + topic
                  + ", of "
                  + other.name
                  + ": . and _ are the same to it");
    }
  }
}
