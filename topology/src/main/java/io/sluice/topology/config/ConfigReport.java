package io.sluice.topology.config;

import io.sluice.events.EventSelectors;
import io.sluice.events.Role;
import io.sluice.events.SchemaConfig;
import io.sluice.events.config.EventSettings;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.config.SettingFormat;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.rules.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;

/** Texts for users about settings and configurations: summaries, warnings and references. */
public final class ConfigReport {
  private ConfigReport() {}

  /** Describes what an application with this configuration will do: aligned lines of text. */
  public static String summary(SluiceConfig config) {
    return new ConfigSummary(config).text();
  }

  /**
   * Returns a description of one line for each limit, by the limit's name. Equal limits have equal
   * descriptions.
   */
  public static Map<String, String> limits(SluiceConfig config) {
    return new LimitWords(config.limitsConfig()).lines();
  }

  /**
   * Describes a limit in parts, one for each table column, without its name; parts may be empty.
   */
  public static List<String> words(SluiceConfig config, Limit limit) {
    return new LimitWords(config.limitsConfig()).words(limit);
  }

  /**
   * Returns a limit's settings for display. A value that the file gives as a reference to a config
   * provider is shown as that reference, since the value may be secret.
   */
  public static Map<String, String> shown(
      SluiceConfig config, String limit, Map<String, String> settings) {
    Map<String, String> given = config.limitTexts().given().getOrDefault(limit, Map.of());
    Map<String, String> shown = new TreeMap<>(settings);
    shown.replaceAll(
        (name, text) ->
            text.equals(given.get(name))
                ? config.shown(Setting.limitPrefix(limit) + name, text)
                : text);
    return shown;
  }

  /** Returns the name of an algorithm in the configuration. */
  public static String name(Algorithm algorithm) {
    return SettingFormat.nameOf(algorithm);
  }

  /** Returns one line for each valid setting that probably does not work as the user intends. */
  public static List<String> warnings(SluiceConfig config) {
    return new ConfigWarnings(config).lines();
  }

  /**
   * Returns one line for each limit in Redis that slows down events which also match limits on the
   * state store.
   */
  public static List<String> remarks(SluiceConfig config) {
    return new ConfigWarnings(config).onBothBackends();
  }

  /** Returns the reference of all settings, as a table for a terminal. */
  public static String referenceText() {
    return ConfigReference.text();
  }

  /** Returns the reference of all settings, in Markdown for the manual. */
  public static String referenceMarkdown() {
    return ConfigReference.markdown();
  }

  /**
   * Reference of all settings for users, generated from the definitions that parse configurations.
   */
  static final class ConfigReference {
    private static final String OTHERS =
        "Every other key goes to Kafka Streams and its clients unchanged. application.id and"
            + " bootstrap.servers are required. Sluice has its own defaults for these:"
            + " processing.guarantee=exactly_once_v2, max.task.idle.ms=-1, num.standby.replicas=1,"
            + " producer.linger.ms=5, producer.batch.size=131072 (not with producer.buffer.memory),"
            + " producer.max.request.size=16777216 (more if the input topics accept more),"
            + " restore.consumer.fetch.max.wait.ms=100, buffered.records.per.partition=2000,"
            + " session.timeout.ms (15 s; not with group.instance.id) and poll.ms (a quarter of"
            + " sluice.delay.tick). With group.protocol=streams, the broker sets standbys and"
            + " sessions.";
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
      table.row("").row("FOR ATTRIBUTES, TOPICS, TENANTS");
      for (ConfigDef.ConfigKey key : named().configKeys().values()) add(table, key);
      table.row("").row("FOR EACH LIMIT N");
      for (ConfigDef.ConfigKey key : LimitSettings.definition().configKeys().values()) {
        add(table, key);
      }
      return table + "\n" + new TextTable(118).row(PERIODS).row(OTHERS);
    }

    private static ConfigDef named() {
      ConfigDef named = new ConfigDef();
      EventSettings.addNamedTo(named);
      QueueOrderParser.addNamedTo(named);
      return named;
    }

    private static void add(TextTable table, ConfigDef.ConfigKey key) {
      table.row(key.name, key.validator.toString(), byDefault(key), key.documentation);
    }

    /**
     * Returns the reference in Markdown for the manual: a table of the settings of the application,
     * one of the settings of events whose keys have names, and one of the settings that every limit
     * has.
     */
    static String markdown() {
      return rows(CommonSettings.definition())
          + "\n[Attributes](selectors.md#named-attributes),"
          + " [input topics](selectors.md#topics-of-different-shape) and"
          + " [tenants](waiting.md#fair-shares) have these, with their names for `NAME`, `TOPIC` and"
          + " `VALUE`:\n\n"
          + rows(named())
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

  /** Text for users that describes what an application with a given configuration will do. */
  static final class ConfigSummary {
    private static final int WIDE = 1_000;

    private final SluiceConfig config;

    ConfigSummary(SluiceConfig config) {
      this.config = config;
    }

    String text() {
      return application() + (config.limits().all().isEmpty() ? "" : "\n" + limits());
    }

    /** Returns a table with a row for each limit. */
    private TextTable limits() {
      LimitWords words = new LimitWords(config.limitsConfig());
      TextTable table = new TextTable(WIDE, WIDE, WIDE, WIDE, WIDE, WIDE);
      for (Limit limit : config.limits().all()) {
        List<String> row = new ArrayList<>(List.of(limit.name()));
        row.addAll(words.words(limit));
        table.row(row.toArray(String[]::new));
      }
      return table;
    }

    private TextTable application() {
      Properties streams = config.streams();
      Topics topics = config.topics();
      TextTable table =
          new TextTable(WIDE, WIDE)
              .row(
                  "application",
                  shown("application.id", config.applicationId())
                      + " on "
                      + shown("bootstrap.servers", streams.getProperty("bootstrap.servers"))
                      + ", "
                      + streams.getProperty("processing.guarantee"))
              .row("reads", shown(Keys.TOPICS_INPUT, String.join(", ", topics.inputs())))
              .row("allowed", "to " + shown(Keys.TOPICS_ALLOWED, "" + topics.allowed()))
              .row("rejected", "to " + shown(Keys.TOPICS_REJECTED, "" + topics.rejected()))
              .row("delayed", "to " + shown(Keys.TOPICS_DELAYED, topics.delayed()))
              .row("not an event", "to " + shown(Keys.TOPICS_DEAD_LETTER, "" + topics.deadLetter()))
              .row("missing topics", created(topics))
              .row("live limits", liveLimits(topics))
              .row("unmatched", config.rejectsUnmatched() ? "rejected" : "allowed")
              .row("time", time())
              .row("sizes", sizes(streams));
      NonEvents.Policy tombstones = config.nonEvents().tombstones();
      NonEvents.Policy missing = config.nonEvents().missing();
      if (tombstones != NonEvents.Policy.DEAD_LETTER)
        table.row("tombstones", unmetered(tombstones));
      if (missing != NonEvents.Policy.DEAD_LETTER)
        table.row("no user or action", unmetered(missing));
      if (config.headers() != VerdictHeaders.Style.EACH) table.row("headers", headers());
      if (!fields().isEmpty()) table.row("fields", fields());
      if (config.schemas().isGiven()) table.row("schemas", schemas(config.schemas()));
      config.home().ifPresent(field -> table.row("state store", stateStore(field)));
      if (!config.queueOrder().fields().isEmpty()) table.row("in line", order());
      if (config.usesRedis()) table.row("redis", redis());
      if (config.http().served()) table.row("metrics", "on " + http(config.http()));
      List<String> variables = config.variables();
      if (!variables.isEmpty()) table.row("environment", "sets " + String.join(", ", variables));
      return table;
    }

    /**
     * Returns the value of a key for display: if the file gives a reference to a config provider,
     * the reference, since the value may be a secret.
     */
    private String shown(String key, String text) {
      return config.shown(key, text);
    }

    private String schemas(SchemaConfig schemas) {
      if (!schemas.folder().isEmpty()) {
        String folder = shown(Keys.SCHEMAS_FOLDER, schemas.folder());
        return schemas.files().size() + " in " + folder;
      }
      String user = shown(Keys.SCHEMAS_USER, schemas.user());
      return shown(Keys.SCHEMAS_URL, schemas.url()) + (user.isEmpty() ? "" : ", as " + user);
    }

    /** Describes the event fields whose selectors differ from the default ones. */
    private String fields() {
      EventSelectors common = config.selectors().common();
      List<String> fields = new ArrayList<>();
      for (Role role : Role.values()) {
        String selector = common.text(role);
        if (selector.equals(role.defaultPath())) continue;
        fields.add(role.label() + ": " + field(role, selector));
      }
      common
          .attributeTexts()
          .forEach((name, text) -> fields.add("attributes." + name + ": " + text));
      config.selectors().own().keySet().stream()
          .sorted()
          .forEach(topic -> fields.add("others in " + topic));
      return String.join(", ", fields);
    }

    private String field(Role role, String path) {
      if (path.isEmpty() && role == Role.ACTION) return "the topic's name";
      return path.isEmpty() ? "none" : shown(EventSettings.path(role).name, path);
    }

    private static String created(Topics topics) {
      if (!topics.create()) return "an error";
      String replicas =
          topics.replicationFactor() < 0
              ? "the broker's default number of"
              : "" + topics.replicationFactor();
      return "created, with " + topics.partitions() + " partitions and " + replicas + " replicas";
    }

    private String liveLimits(Topics topics) {
      if (!topics.hasLimits()) return "off";
      String application = shown("application.id", config.applicationId());
      boolean byDefault = topics.limits().equals(config.applicationId() + "-limits");
      String topic = byDefault ? application + "-limits" : topics.limits();
      return "revisions from " + shown(Keys.TOPICS_LIMITS, topic);
    }

    private String unmetered(NonEvents.Policy policy) {
      if (policy == NonEvents.Policy.DROP) return "dropped";
      return "unmetered to " + shown(Keys.TOPICS_ALLOWED, "" + config.topics().allowed());
    }

    private String headers() {
      return config.headers() == VerdictHeaders.Style.ONE
          ? "one on each event"
          : "one on rejected events, none on allowed ones";
    }

    private String time() {
      boolean ofEvents = config.judgesByEventTime();
      return (ofEvents ? "event time" : "wall clock")
          + (ofEvents
              ? ", up to " + LimitWords.period(config.timeLateness().toMillis()) + " late"
              : "")
          + "; an event more than "
          + LimitWords.period(config.timeMaxAhead().toMillis())
          + " ahead is a dead letter";
    }

    private static String sizes(Properties streams) {
      String most = given(streams, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "");
      String compression = given(streams, ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
      return "events up to "
          + (most.isEmpty() ? "16 MiB (more if the input topics accept more)" : most + " bytes")
          + ", if their topics accept them "
          + (compression.equals("none") ? "uncompressed" : "compressed (" + compression + ")")
          + "; a larger event is a dead letter";
    }

    private static String given(Properties streams, String name, String otherwise) {
      String forAll = streams.getProperty(name, otherwise);
      return streams.getProperty(StreamsConfig.producerPrefix(name), forAll);
    }

    private String stateStore(Field home) {
      return "in "
          + (config.keepsStateInMemory() ? "memory" : "RocksDB")
          + ", with a changelog; events are metered on the partition of their "
          + home;
    }

    /** Describes the order in which events in line leave. */
    private String order() {
      QueueOrder order = config.queueOrder();
      List<String> rules = new ArrayList<>();
      order.priority().ifPresent(field -> rules.add(classes(field, order)));
      order.fair().ifPresent(field -> rules.add("fair by " + shown(Keys.QUEUE_FAIR, "" + field)));
      return String.join("; ", rules);
    }

    private String classes(Field priority, QueueOrder order) {
      String classes = String.join(", ", order.classes());
      String aging =
          order.agingMs() == 0
              ? "never in a higher class"
              : "a class higher after each " + LimitWords.period(order.agingMs());
      return shown(Keys.QUEUE_PRIORITIES, classes)
          + " by "
          + shown(Keys.QUEUE_PRIORITY, "" + priority)
          + ", "
          + aging;
    }

    private String redis() {
      RedisConfig redis = config.redis();
      return shown(Keys.REDIS_URI, redis.toString())
          + (redis.isCluster() ? ", a cluster" : "")
          + "; keys begin with "
          + shown(Keys.REDIS_KEY_PREFIX, redis.keyPrefix())
          + "; timeout "
          + LimitWords.period(redis.timeout().toMillis());
    }

    private String http(HttpConfig http) {
      String host = shown(Keys.HTTP_HOST, http.host());
      String port = http.port() == 0 ? "a free port of " + host : host + ":" + http.port();
      if (http.token().isEmpty()) return port;
      return port
          + ", with a token"
          + (http.readToken().isEmpty() ? "" : ", and one that only reads");
    }
  }
}
