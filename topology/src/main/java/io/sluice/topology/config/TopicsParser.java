package io.sluice.topology.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;

/** The parser of the topics, which refuses one topic in two roles. */
final class TopicsParser {
  private static final List<Setting<String>> OUTPUTS =
      List.of(
          CommonSettings.TOPICS_ALLOWED,
          CommonSettings.TOPICS_REJECTED,
          CommonSettings.TOPICS_DELAYED,
          CommonSettings.TOPICS_DEAD_LETTER);

  private static final String LIMITS_SUFFIX = "-limits";

  private final RawSettings settings;

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
            settings.read(CommonSettings.TOPICS_ALLOWED),
            settings.read(CommonSettings.TOPICS_REJECTED),
            settings.read(CommonSettings.TOPICS_DELAYED),
            settings.read(CommonSettings.TOPICS_DEAD_LETTER),
            limits(),
            settings.read(CommonSettings.TOPICS_CREATE),
            settings.read(CommonSettings.TOPICS_PARTITIONS),
            settings.read(CommonSettings.TOPICS_REPLICATION_FACTOR).shortValue());
    checkRoles(topics);
    return topics;
  }

  private String limits() {
    boolean live = settings.read(CommonSettings.LIMITS_LIVE);
    String application =
        settings.texts().getOrDefault(StreamsConfig.APPLICATION_ID_CONFIG, "").trim();
    String topic = settings.find(CommonSettings.TOPICS_LIMITS).orElse(application + LIMITS_SUFFIX);
    return live ? topic : "";
  }

  private void checkRoles(Topics topics) {
    Map<String, Setting<?>> roles = new HashMap<>();
    List<String> inputs = topics.inputs();
    if (settings.sound(CommonSettings.TOPICS_INPUT)) {
      inputs.forEach(input -> roles.put(input, CommonSettings.TOPICS_INPUT));
    }
    for (Setting<String> output : OUTPUTS) {
      if (!settings.sound(output)) continue;
      take(settings.text(output).trim(), output, roles);
    }
    if (topics.hasLimits()) take(topics.limits(), CommonSettings.TOPICS_LIMITS, roles);
  }

  private void take(String topic, Setting<?> role, Map<String, Setting<?>> roles) {
    Setting<?> other = roles.putIfAbsent(topic, role);
    if (other != null) twoRoles(other, role);
  }

  /** Blames a key that is given: the other may be a default. */
  private void twoRoles(Setting<?> first, Setting<?> second) {
    Setting<?> blamed = settings.has(second) ? second : first;
    Setting<?> other = settings.has(second) ? first : second;
    settings.mistake(blamed, "each role needs its own topic, and this is also " + other.name);
  }
}
