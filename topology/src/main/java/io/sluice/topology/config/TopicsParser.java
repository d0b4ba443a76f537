package io.sluice.topology.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The parser of the topics, which refuses one topic in two roles. */
final class TopicsParser {
  private static final List<Setting<String>> OUTPUTS =
      List.of(
          CommonSettings.TOPICS_ALLOWED,
          CommonSettings.TOPICS_REJECTED,
          CommonSettings.TOPICS_DELAYED,
          CommonSettings.TOPICS_DEAD_LETTER);

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
            settings.read(CommonSettings.TOPICS_CREATE),
            settings.read(CommonSettings.TOPICS_PARTITIONS),
            settings.read(CommonSettings.TOPICS_REPLICATION_FACTOR).shortValue());
    checkRoles(inputs);
    return topics;
  }

  private void checkRoles(List<String> inputs) {
    Map<String, Setting<?>> roles = new HashMap<>();
    if (settings.sound(CommonSettings.TOPICS_INPUT)) {
      inputs.forEach(input -> roles.put(input, CommonSettings.TOPICS_INPUT));
    }
    for (Setting<String> output : OUTPUTS) {
      if (!settings.sound(output)) continue;
      Setting<?> other = roles.putIfAbsent(settings.text(output).trim(), output);
      if (other != null) twoRoles(other, output);
    }
  }

  /** Blames a key that is given: the other may be a default. */
  private void twoRoles(Setting<?> first, Setting<?> second) {
    Setting<?> blamed = settings.has(second) ? second : first;
    Setting<?> other = settings.has(second) ? first : second;
    settings.mistake(blamed, "each role needs its own topic, and this is also " + other.name);
  }
}
