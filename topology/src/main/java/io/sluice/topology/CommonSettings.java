package io.sluice.topology;

import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;

/** Defines the settings that hold for the whole application. */
final class CommonSettings {

  private static final String REPLICATION_FACTORS = "1 to 32767, or -1 for the broker's default";

  private static final Form<String> TOPIC =
      Form.text(
          "at most 249 letters, digits, ., _ and -",
          name -> name.matches("[A-Za-z0-9._-]{1,249}") && !name.matches("\\.{1,2}"));

  static final Setting<List<String>> LIMITS =
      Setting.of(
          Keys.LIMITS,
          "",
          CommaList.of(LimitName.form(), "a comma list of names: " + LimitName.ACCEPTED),
          "The limits there are. Each has settings of its own, with its name for N.");

  static final Setting<Boolean> UNMATCHED_REJECTED =
      Setting.of(
          Keys.UNMATCHED,
          "allow",
          Form.either("allow", "reject"),
          "What an event gets that no limit matches.");

  static final Setting<List<String>> TOPICS_INPUT =
      Setting.of(
          Keys.TOPICS_INPUT,
          "user-actions",
          CommaList.of(TOPIC, "topics, comma list"),
          "Where events are read from.");

  static final Setting<String> TOPICS_ALLOWED =
      topic(Keys.TOPICS_ALLOWED, "allowed-actions", "Where events go that conform.");

  static final Setting<String> TOPICS_REJECTED =
      topic(Keys.TOPICS_REJECTED, "rejected-actions", "Where refused events go.");

  static final Setting<String> TOPICS_DELAYED =
      topic(
          Keys.TOPICS_DELAYED,
          "delayed-actions",
          "Where delayed events are announced. Each goes to the allowed topic when it is due.");

  static final Setting<String> TOPICS_DEAD_LETTER =
      topic(
          Keys.TOPICS_DEAD_LETTER,
          "dead-letter-actions",
          "Where records go that are not events, with what is wrong in their headers.");

  static final Setting<Boolean> TOPICS_CREATE =
      Setting.of(
          Keys.TOPICS_CREATE,
          "true",
          Form.BOOLEAN,
          "Whether topics that are missing are created at start. An existing one is never altered.");

  static final Setting<Integer> TOPICS_PARTITIONS =
      Setting.of(
          Keys.TOPICS_PARTITIONS,
          "6",
          Form.number(ConfigDef.Type.INT, 1, Integer.MAX_VALUE),
          "Partitions of a topic that is created.");

  static final Setting<Integer> TOPICS_REPLICATION_FACTOR =
      Setting.of(
          Keys.TOPICS_REPLICATION_FACTOR,
          "-1",
          new Form<>(ConfigDef.Type.INT, REPLICATION_FACTORS, CommonSettings::replicationFactor),
          "Replicas of a topic that is created.");

  static final Setting<TimeSource> TIME =
      Setting.of(
          Keys.TIME,
          "event",
          Form.oneOf(TimeSource.class),
          "The clock events are judged by: their own times, or the wall clock.");

  static final Setting<Duration> TIME_MAX_AHEAD =
      Setting.of(
          Keys.TIME_MAX_AHEAD,
          "60s",
          Form.period("0s", "3660d"),
          "How far in the future an event's time may be. One beyond it is a dead letter.");

  static final Setting<Duration> TIME_LATENESS =
      Setting.of(
          Keys.TIME_LATENESS,
          "2m",
          Form.period("0s", "3660d"),
          "How long after the latest event of its partition an event may come and still be judged by its own time; one that is later is judged as if it came at the last moment. At least sluice.time.max.ahead. State is kept this much longer.");

  static final Setting<Duplicates> DUPLICATES =
      Setting.of(
          Keys.DUPLICATES,
          "reject",
          Form.oneOf(Duplicates.class),
          "What becomes of another record with the user, action and event id of one that was admitted: it is rejected, charged like any other event, or gets the verdict again; only charge uses quota up. A log remembers ids for its window, the other algorithms the last four of a key within the period.");

  static final Setting<StateStoreKind> STATE_STORE =
      Setting.of(
          Keys.STATE_STORE,
          "memory",
          Form.oneOf(StateStoreKind.class),
          "What holds the counts of limits on the state store; both have a changelog.");

  static final Setting<String> REDIS_URI =
      Setting.optional(
          Keys.REDIS_URI,
          new Form<>(
              ConfigDef.Type.STRING,
              "a URI, or a comma list",
              text -> RedisSettings.of(text).uri()),
          "Where Redis is, needed if a limit is on redis: redis://user:password@host:port/db, of which the host is enough. A comma list is the nodes of a Redis Cluster, redis-sentinel:// with ?master=NAME the master that Sentinels name; rediss:// and rediss-sentinel:// use TLS. docs/configuration.md has more.");

  static final Setting<Duration> REDIS_TIMEOUT =
      Setting.of(
          Keys.REDIS_TIMEOUT,
          "50ms",
          Form.millis("1ms", "10s"),
          "How long to wait for an answer before Redis is asked whether it is there at all. If it answers a PING, within this time or 1 s, it has much to do and is waited for, 2 s at most; else it counts as unavailable. A stall over 10 s ends an exactly-once transaction.");

  static final Setting<String> REDIS_KEY_PREFIX =
      Setting.of(
          Keys.REDIS_KEY_PREFIX,
          "sluice",
          Form.text("1 to 64 letters, digits, ., _, : and -", "[A-Za-z0-9._:-]{1,64}"),
          "What all keys in Redis begin with. Applications that share a Redis need one each.");

  static final Setting<Duration> REDIS_EXPIRY_GRACE =
      Setting.of(
          Keys.REDIS_EXPIRY_GRACE,
          "10m",
          Form.period("0s", "3660d"),
          "How much longer than needed a key stays in Redis, which expires by its own clock: a backlog is judged by the events' times, and an instance that stood still by the time at which it asked.");

  static final Setting<Duration> DELAY_TICK =
      Setting.of(
          Keys.DELAY_TICK,
          "100ms",
          Form.millis("10ms", "1m"),
          "How often delayed events are looked at; one may leave this much after it is due.");

  static final Setting<Integer> HTTP_PORT =
      Setting.optional(
          Keys.HTTP_PORT,
          Form.number(ConfigDef.Type.INT, 0, 65_535),
          "Where /metrics, /health/live and /health/ready are served, if at all; 0 is any port that is free, which the log names.");

  static final Setting<String> HTTP_HOST =
      Setting.of(
          Keys.HTTP_HOST,
          "127.0.0.1",
          Form.text("a host name or an address", "[A-Za-z0-9._:%-]+"),
          "The address they are served on: only this machine's own unless another is given, such as 0.0.0.0 for all.");

  private CommonSettings() {}

  static ConfigDef definition() {
    ConfigDef definition = new ConfigDef();
    definition
        .define(LIMITS)
        .define(UNMATCHED_REJECTED)
        .define(TOPICS_INPUT)
        .define(TOPICS_ALLOWED)
        .define(TOPICS_REJECTED)
        .define(TOPICS_DELAYED)
        .define(TOPICS_DEAD_LETTER)
        .define(TOPICS_CREATE)
        .define(TOPICS_PARTITIONS)
        .define(TOPICS_REPLICATION_FACTOR)
        .define(TIME)
        .define(TIME_MAX_AHEAD)
        .define(TIME_LATENESS)
        .define(DUPLICATES);
    EventSettings.addTo(definition);
    return definition
        .define(STATE_STORE)
        .define(REDIS_URI)
        .define(REDIS_TIMEOUT)
        .define(REDIS_KEY_PREFIX)
        .define(REDIS_EXPIRY_GRACE)
        .define(DELAY_TICK)
        .define(HTTP_PORT)
        .define(HTTP_HOST);
  }

  private static Setting<String> topic(String key, String byDefault, String documentation) {
    return Setting.of(key, byDefault, TOPIC, documentation);
  }

  private static int replicationFactor(String text) {
    if (text.equals("-1")) return -1;
    try {
      return Form.number(ConfigDef.Type.INT, 1, Short.MAX_VALUE).read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(REPLICATION_FACTORS, e);
    }
  }
}
