package io.sluice.topology.config;

import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.Setting;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Reference of all settings for users, generated from the definitions that parse configurations.
 */
final class ConfigReference {
  private static final String OTHERS =
      "Every other key goes to Kafka Streams and its clients unchanged. application.id and"
          + " bootstrap.servers are required. Sluice has its own defaults for these:"
          + " processing.guarantee=exactly_once_v2, max.task.idle.ms=-1, num.standby.replicas=1,"
          + " producer.linger.ms=5, producer.batch.size=131072 (not with producer.buffer.memory),"
          + " producer.max.request.size=16777216 (more if the input topics accept more),"
          + " session.timeout.ms (15 s; not with group.instance.id) and poll.ms (a"
          + " quarter of sluice.delay.tick). With group.protocol=streams, the broker sets standbys"
          + " and sessions.";
  private static final String PERIODS =
      "A period is 500ms, 60s, 10m, 1h, 1d or ISO-8601 such as PT1M. In lists, spaces around"
          + " a comma are ignored.";

  private ConfigReference() {}

  /** Returns the reference as a table for a terminal, at most 120 characters wide. */
  static String text() {
    TextTable table = new TextTable(33, 24, 19, 38).row("KEY", "VALUES", "DEFAULT", "WHAT IT IS");
    for (ConfigDef.ConfigKey key : CommonSettings.definition().configKeys().values()) {
      add(table, key);
    }
    table.row("").row("FOR EACH LIMIT N");
    for (ConfigDef.ConfigKey key : LimitSettings.definition().configKeys().values()) {
      add(table, key);
    }
    return table + "\n" + new TextTable(118).row(PERIODS).row(OTHERS);
  }

  private static void add(TextTable table, ConfigDef.ConfigKey key) {
    table.row(key.name, key.validator.toString(), byDefault(key), key.documentation);
  }

  /**
   * Returns the reference in Markdown for the manual: a table of the settings of the application,
   * and a table of the settings that every limit has.
   */
  static String markdown() {
    return rows(CommonSettings.definition())
        + "\nEvery limit has these, with its name for `N`:\n\n"
        + rows(LimitSettings.definition())
        + "\n"
        + PERIODS
        + "\n\n"
        + OTHERS
        + "\n";
  }

  private static String rows(ConfigDef definition) {
    StringBuilder rows = new StringBuilder("| key | values | default | what it is |\n");
    rows.append("|---|---|---|---|\n");
    for (ConfigDef.ConfigKey key : definition.configKeys().values()) {
      rows.append("| `").append(key.name).append("` | ");
      rows.append(escaped(key.validator.toString())).append(" | ");
      rows.append(marked(key)).append(" | ");
      rows.append(escaped(key.documentation)).append(" |\n");
    }
    return rows.toString();
  }

  private static String marked(ConfigDef.ConfigKey key) {
    return isText(key) ? "`" + byDefault(key) + "`" : byDefault(key);
  }

  private static boolean isText(ConfigDef.ConfigKey key) {
    return !((Setting<?>) key).defaultText().isEmpty();
  }

  private static String byDefault(ConfigDef.ConfigKey key) {
    if (!key.hasDefault()) return "required";
    return isText(key) ? ((Setting<?>) key).defaultText() : "none";
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|");
  }
}
