package io.sluice.topology.config;

import io.sluice.limiter.config.SettingFormat;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.settings.CommaList;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import io.sluice.rules.settings.SettingType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;

/** Parser of the settings of the order in which events in line leave, and their definitions. */
final class QueueOrderParser {
  private static final String AGING_ACCEPTED = "a period, 1ms to 3660d, or 0 for never";
  private static final SettingFormat<Duration> PERIOD = SettingFormat.period("0s", "3660d");

  private static final SettingType<Field> FIELD =
      new SettingType<>(ConfigDef.Type.STRING, Field.NAMES, Field::parse);

  private static final Setting<Field> PRIORITY =
      Setting.optional(
          Keys.QUEUE_PRIORITY,
          FIELD,
          "The field whose value gives the class of an event that waits in line. Without it, there is one class.");

  private static final Setting<List<String>> PRIORITIES =
      Setting.of(
          Keys.QUEUE_PRIORITIES,
          "",
          CommaList.of(
              new SettingType<>(
                  ConfigDef.Type.STRING, "a value, or *", QueueOrderParser::nameOfClass),
              "values, comma list; * is all others"),
          "The classes of events that wait in line, highest first: values of the field in sluice.queue.priority, as in match.F. * is all other events, which are the lowest class if it is absent. At most "
              + QueueOrder.MOST_CLASSES
              + " classes.");

  private static final Setting<Duration> AGING =
      Setting.of(
          Keys.QUEUE_AGING,
          "10m",
          new SettingType<>(ConfigDef.Type.STRING, AGING_ACCEPTED, QueueOrderParser::aging),
          "How long an event waits in line until it competes in the next higher class; after twice this time, in the one above. 0 is never. Only with sluice.queue.priority.");

  private static final Setting<Field> FAIR =
      Setting.optional(
          Keys.QUEUE_FAIR,
          FIELD,
          "The field with the tenant of an event. Tenants that wait at the same limit share it, within each class and on each partition. Without it, events of a class leave by arrival.");

  private static final Setting<Integer> WEIGHT =
      Setting.of(
          Keys.QUEUE_WEIGHT + "VALUE",
          "1",
          SettingType.number(ConfigDef.Type.INT, 1, QueueOrder.MOST_WEIGHT),
          "The weight of the tenant VALUE: with 3, it has three times the share of a tenant with 1. Only with sluice.queue.fair.");

  private final RawSettings settings;

  private QueueOrderParser(RawSettings settings) {
    this.settings = settings;
  }

  /** Adds the settings whose keys contain no name to a table of settings. */
  static void addTo(ConfigDef definition) {
    definition.define(PRIORITY).define(PRIORITIES).define(AGING).define(FAIR);
  }

  /** Adds the setting whose key contains the name of a tenant to a table of settings. */
  static void addNamedTo(ConfigDef definition) {
    definition.define(WEIGHT);
  }

  private static String nameOfClass(String text) {
    return QueueOrder.nameOfClass(text);
  }

  private static Duration aging(String text) {
    try {
      Duration aging = PERIOD.read(text.equals("0") ? "0s" : text);
      if (aging.isZero() || aging.toMillis() > 0) return aging;
      throw new IllegalArgumentException("less than a millisecond");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("accepted is " + AGING_ACCEPTED, e);
    }
  }

  /**
   * Parses the settings, and reports their mistakes.
   *
   * @param inputs input topics, the only values of the field topic
   */
  static QueueOrder read(RawSettings settings, List<String> inputs) {
    return new QueueOrderParser(settings).read(inputs);
  }

  private QueueOrder read(List<String> inputs) {
    Optional<Field> priority = settings.find(PRIORITY);
    List<String> classes = classes();
    Optional<Field> fair = settings.find(FAIR);
    long agingMs = settings.read(AGING).toMillis();
    if (settings.has(AGING) && !settings.has(PRIORITY))
      settings.mistake(AGING, onlyWith(Keys.QUEUE_PRIORITY));
    Map<String, Integer> weights = weights();
    if (settings.sound(CommonSettings.TOPICS_INPUT)) {
      if (priority.filter(Field.TOPIC::equals).isPresent()) checkTopics(classes, inputs);
      if (fair.filter(Field.TOPIC::equals).isPresent()) checkTopics(weights, inputs);
    }
    return new QueueOrder(priority, classes, agingMs, fair, weights);
  }

  private List<String> classes() {
    List<String> classes = settings.read(PRIORITIES);
    if (!settings.has(PRIORITY)) {
      if (settings.has(PRIORITIES)) settings.mistake(PRIORITIES, onlyWith(Keys.QUEUE_PRIORITY));
      return List.of();
    }
    if (!settings.has(PRIORITIES)) {
      settings.missing(
          PRIORITIES,
          "the values of " + Keys.QUEUE_PRIORITY + ", highest first, such as urgent,*,bulk");
    } else if (classes.isEmpty() && settings.sound(PRIORITIES)) {
      settings.mistake(PRIORITIES, "a comma list of values, highest first, such as urgent,*,bulk");
    }
    int count = classes.size() + (classes.contains(QueueOrder.OTHERS) ? 0 : 1);
    if (count <= QueueOrder.MOST_CLASSES) return classes;
    settings.mistake(
        PRIORITIES,
        "at most " + QueueOrder.MOST_CLASSES + " classes, with * for all others, and not " + count);
    return List.of();
  }

  private static String onlyWith(String key) {
    return "only applies with " + key;
  }

  private Map<String, Integer> weights() {
    Map<String, Integer> weights = new HashMap<>();
    settings
        .beginning(Keys.QUEUE_WEIGHT)
        .forEach(
            (value, text) -> {
              if (!value.isEmpty()) readWeight(value, text).ifPresent(w -> weights.put(value, w));
            });
    return weights;
  }

  private Optional<Integer> readWeight(String value, String text) {
    String key = Keys.QUEUE_WEIGHT + value;
    if (!settings.has(FAIR)) settings.mistakes().add(key, text, onlyWith(Keys.QUEUE_FAIR));
    try {
      return Optional.of(WEIGHT.read(text));
    } catch (IllegalArgumentException e) {
      settings.mistakes().add(key, text, e.getMessage());
      return Optional.empty();
    }
  }

  /** Reports classes of topics that are no input topics, since no event has such a class. */
  private void checkTopics(List<String> classes, List<String> inputs) {
    classes.stream()
        .filter(name -> !name.equals(QueueOrder.OTHERS) && !inputs.contains(name))
        .forEach(name -> settings.mistake(PRIORITIES, notAnInput(name, inputs)));
  }

  /** Reports weights of topics that are no input topics, since no event is of such a tenant. */
  private void checkTopics(Map<String, Integer> weights, List<String> inputs) {
    weights.forEach(
        (value, weight) -> {
          if (!inputs.contains(value))
            settings
                .mistakes()
                .add(Keys.QUEUE_WEIGHT + value, "" + weight, notAnInput(value, inputs));
        });
  }

  private static String notAnInput(String topic, List<String> inputs) {
    return "not an input topic: " + topic + "; accepted are " + String.join(", ", inputs);
  }
}
