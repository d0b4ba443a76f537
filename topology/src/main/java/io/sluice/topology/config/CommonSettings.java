package io.sluice.topology.config;

import io.sluice.events.config.EventSettings;
import io.sluice.limiter.config.SettingFormat;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.CommaList;
import io.sluice.rules.settings.LimitName;
import io.sluice.rules.settings.Setting;
import io.sluice.rules.settings.SettingType;
import io.sluice.topology.config.ConfigWarnings.ChangedDefaults;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;

/** Definitions of all settings that apply to the whole application, not to one limit. */
final class CommonSettings {

  private static final String REPLICATION_FACTORS = "1 to 32767, or -1 for the broker's default";

  private static final String NAME = "at most 249 letters, digits, ., _ and -";

  private static final SettingType<String> TOPIC = SettingType.text(NAME, CommonSettings::isTopic);

  /**
   * Type of an output topic's name. The names that result for each input topic are checked later,
   * when the input topics are known.
   */
  private static final SettingType<String> OUTPUT =
      SettingType.text(
          NAME + "; {input} is the name of the input topic",
          text -> isTopic(text.replace(OutputTopics.INPUT, "i")));

  private static final SettingType<String> DELAYED =
      SettingType.text(NAME + ": one for all inputs, so without {input}", CommonSettings::isTopic);

  static final Setting<String> VERSION =
      Setting.optional(
          Keys.VERSION,
          SettingType.text(ChangedDefaults.ACCEPTED, ChangedDefaults.RELEASE),
          "The release of Sluice that the file was written for. `config --check` then names the defaults that have changed since.");

  static final Setting<List<String>> LIMITS =
      Setting.of(
          Keys.LIMITS,
          "",
          CommaList.of(LimitName.form(), "a comma list of names: " + LimitName.ACCEPTED),
          "The names of the limits. Each limit N has its own settings, see below.");

  static final Setting<Boolean> LIMITS_LIVE =
      Setting.of(
          Keys.LIMITS_LIVE,
          "true",
          SettingType.BOOLEAN,
          "Whether limits can change while Sluice runs, by the revisions in sluice.topics.limits.");

  static final Setting<Boolean> UNMATCHED_REJECTED =
      Setting.of(
          Keys.UNMATCHED,
          "allow",
          SettingType.either("allow", "reject"),
          "The verdict on an event that matches no limit.");

  static final Setting<VerdictHeaders.Style> HEADERS =
      Setting.of(
          Keys.HEADERS,
          "each",
          SettingType.oneOf(VerdictHeaders.Style.class),
          "How the verdict is written to its event: each value in its own header, all values in one header, or no header on allowed events and one header on others.");

  static final Setting<List<String>> TOPICS_INPUT =
      Setting.of(
          Keys.TOPICS_INPUT,
          "user-actions",
          CommaList.of(TOPIC, "topics, comma list"),
          "The topics with the events to meter.");

  static final Setting<String> TOPICS_ALLOWED =
      output(Keys.TOPICS_ALLOWED, "allowed-actions", "The topic for allowed events.");

  static final Setting<String> TOPICS_REJECTED =
      output(Keys.TOPICS_REJECTED, "rejected-actions", "The topic for rejected events.");

  static final Setting<String> TOPICS_DELAYED =
      Setting.of(
          Keys.TOPICS_DELAYED,
          "delayed-actions",
          DELAYED,
          "The topic for delayed events. When an event is due it also goes to the allowed topic.");

  static final Setting<String> TOPICS_DEAD_LETTER =
      output(
          Keys.TOPICS_DEAD_LETTER,
          "dead-letter-actions",
          "The topic for records that are not events. Their headers say what is wrong.");

  static final Setting<String> TOPICS_LIMITS =
      Setting.optional(
          Keys.TOPICS_LIMITS,
          TOPIC,
          "The topic for revisions of limits, with one partition. If it is absent, its name is the application.id and -limits.");

  static final Setting<Boolean> TOPICS_CREATE =
      Setting.of(
          Keys.TOPICS_CREATE,
          "true",
          SettingType.BOOLEAN,
          "Whether Sluice creates missing topics at start. It never changes an existing topic.");

  static final Setting<Integer> TOPICS_PARTITIONS =
      Setting.of(
          Keys.TOPICS_PARTITIONS,
          "6",
          SettingType.number(ConfigDef.Type.INT, 1, Integer.MAX_VALUE),
          "The number of partitions of a topic that Sluice creates.");

  static final Setting<Integer> TOPICS_REPLICATION_FACTOR =
      Setting.of(
          Keys.TOPICS_REPLICATION_FACTOR,
          "-1",
          new SettingType<>(
              ConfigDef.Type.INT, REPLICATION_FACTORS, CommonSettings::replicationFactor),
          "The number of replicas of a topic that Sluice creates.");

  static final Setting<TimeSource> TIME =
      Setting.of(
          Keys.TIME,
          "event",
          SettingType.oneOf(TimeSource.class),
          "The clock for metering: the time in each event, or the wall clock.");

  static final Setting<Duration> TIME_MAX_AHEAD =
      Setting.of(
          Keys.TIME_MAX_AHEAD,
          "60s",
          SettingType.period("0s", "3660d"),
          "How far in the future an event's time may be. An event further ahead is a dead letter.");

  static final Setting<Duration> TIME_LATENESS =
      Setting.of(
          Keys.TIME_LATENESS,
          "2m",
          SettingType.period("0s", "3660d"),
          "How far an event's time may be behind the latest event of its partition. A later event is metered as if it were exactly this late. At least sluice.time.max.ahead. State is kept this much longer.");

  static final Setting<Duplicates> DUPLICATES =
      Setting.of(
          Keys.DUPLICATES,
          "reject",
          SettingType.oneOf(Duplicates.class),
          "What happens to another record with the user, action and event id of an admitted event: it is rejected, charged like any other event, or gets the same verdict again. Only charge uses up quota. A log remembers ids for its window, the other algorithms the last four ids of a key within the period.");

  static final Setting<NonEvents.Policy> TOMBSTONES =
      Setting.of(
          Keys.TOMBSTONES,
          "dead-letter",
          SettingType.oneOf(NonEvents.Policy.class),
          "What happens to a record without a value: it is a dead letter, it is passed on unmetered to the allowed topic, so that a compacted copy can forget its key, or it is dropped. An empty value is a dead letter.");

  static final Setting<NonEvents.Policy> EVENT_MISSING =
      Setting.of(
          Keys.EVENT_MISSING,
          "dead-letter",
          SettingType.oneOf(NonEvents.Policy.class),
          "What happens to a record whose user or action is missing, null or empty: it is a dead letter, it is passed on unmetered to the allowed topic, or it is dropped.");

  static final Setting<StateStoreKind> STATE_STORE =
      Setting.of(
          Keys.STATE_STORE,
          "memory",
          SettingType.oneOf(StateStoreKind.class),
          "The store for limits on the state store: in memory, or RocksDB on disk. Both have a changelog.");

  static final Setting<String> REDIS_URI =
      Setting.optional(
          Keys.REDIS_URI,
          new SettingType<>(
              ConfigDef.Type.STRING,
              "a URI, or a comma list",
              text -> RedisSettings.of(text).uri()),
          "The address of Redis, required if a limit is on redis: redis://user:password@host:port/db, where only the host is required. A comma list names nodes of a Redis Cluster. redis-sentinel:// with ?master=NAME asks Sentinels for the master. rediss:// and rediss-sentinel:// use TLS. limiter/README.md has examples.");

  static final Setting<Duration> REDIS_TIMEOUT =
      Setting.of(
          Keys.REDIS_TIMEOUT,
          "50ms",
          SettingType.of(SettingFormat.REDIS_TIMEOUT),
          "How long to wait for an answer of Redis. Then Sluice sends a PING. If Redis answers the PING within this time or 1 s, whichever is longer, it is busy, and Sluice waits for it, 2 s at most. Otherwise Redis is unavailable. A wait of more than 10 s ends an exactly-once transaction.");

  static final Setting<String> REDIS_KEY_PREFIX =
      Setting.of(
          Keys.REDIS_KEY_PREFIX,
          "sluice",
          SettingType.of(SettingFormat.REDIS_KEY_PREFIX),
          "The beginning of all keys in Redis. Each application that shares a Redis needs its own.");

  static final Setting<Duration> REDIS_EXPIRY_GRACE =
      Setting.of(
          Keys.REDIS_EXPIRY_GRACE,
          "10m",
          SettingType.of(SettingFormat.REDIS_EXPIRY_GRACE),
          "How much longer than needed Redis keeps a key. Redis expires keys by its own clock, but the events of a backlog, or of an instance that was paused, are metered at earlier times.");

  static final Setting<Duration> DELAY_TICK =
      Setting.of(
          Keys.DELAY_TICK,
          "100ms",
          SettingType.of(SettingFormat.millis("10ms", "1m")),
          "How often Sluice releases delayed events that are due. An event may leave this much after it is due.");

  /** Kind of state store for the counts of limits. Each kind has a changelog topic in Kafka. */
  enum StateStoreKind {
    MEMORY,
    ROCKSDB
  }

  /** Clock that gives the time at which an event is metered. */
  enum TimeSource {
    /**
     * The event's own time, or, if that is earlier, the time {@code sluice.time.lateness} before
     * the latest event of its partition.
     */
    EVENT,
    /** The wall clock as Kafka Streams reads it. */
    WALL
  }

  private CommonSettings() {}

  static ConfigDef definition() {
    ConfigDef definition = new ConfigDef();
    definition
        .define(VERSION)
        .define(LIMITS)
        .define(LIMITS_LIVE)
        .define(UNMATCHED_REJECTED)
        .define(HEADERS)
        .define(TOPICS_INPUT)
        .define(TOPICS_ALLOWED)
        .define(TOPICS_REJECTED)
        .define(TOPICS_DELAYED)
        .define(TOPICS_DEAD_LETTER)
        .define(TOPICS_LIMITS)
        .define(TOPICS_CREATE)
        .define(TOPICS_PARTITIONS)
        .define(TOPICS_REPLICATION_FACTOR)
        .define(TIME)
        .define(TIME_MAX_AHEAD)
        .define(TIME_LATENESS)
        .define(DUPLICATES)
        .define(TOMBSTONES)
        .define(EVENT_MISSING);
    EventSettings.addTo(definition);
    definition
        .define(STATE_STORE)
        .define(REDIS_URI)
        .define(REDIS_TIMEOUT)
        .define(REDIS_KEY_PREFIX)
        .define(REDIS_EXPIRY_GRACE)
        .define(DELAY_TICK);
    QueueOrderParser.addTo(definition);
    HttpConfig.addTo(definition);
    return definition;
  }

  private static Setting<String> output(String key, String byDefault, String documentation) {
    return Setting.of(key, byDefault, OUTPUT, documentation);
  }

  /** Whether a name is valid for a Kafka topic. */
  static boolean isTopic(String name) {
    return name.matches("[A-Za-z0-9._-]{1,249}") && !name.matches("\\.{1,2}");
  }

  private static int replicationFactor(String text) {
    if (text.equals("-1")) return -1;
    try {
      return SettingType.number(ConfigDef.Type.INT, 1, Short.MAX_VALUE).read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(REPLICATION_FACTORS, e);
    }
  }
}
