package io.sluice.topology;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigDef;

/**
 * What an application of Sluice is to do, read from properties and found sound. Immutable. Reading
 * finds every mistake, not only the first.
 */
public final class SluiceConfig {
  public static final String LIMITS = "sluice.limits";
  public static final String UNMATCHED = "sluice.unmatched";
  public static final String TOPICS_INPUT = "sluice.topics.input";
  public static final String TOPICS_ALLOWED = "sluice.topics.allowed";
  public static final String TOPICS_REJECTED = "sluice.topics.rejected";
  public static final String TOPICS_DELAYED = "sluice.topics.delayed";
  public static final String TOPICS_DEAD_LETTER = "sluice.topics.dead-letter";
  public static final String TOPICS_CREATE = "sluice.topics.create";
  public static final String TOPICS_PARTITIONS = "sluice.topics.partitions";
  public static final String TOPICS_REPLICATION_FACTOR = "sluice.topics.replication.factor";
  public static final String TIME = "sluice.time";
  public static final String TIME_MAX_AHEAD = "sluice.time.max.ahead";
  public static final String STATE_STORE = "sluice.state.store";
  public static final String REDIS_URI = "sluice.redis.uri";
  public static final String REDIS_TIMEOUT = "sluice.redis.timeout";
  public static final String REDIS_KEY_PREFIX = "sluice.redis.key.prefix";
  public static final String REDIS_EXPIRY_GRACE = "sluice.redis.expiry.grace";
  public static final String DELAY_TICK = "sluice.delay.tick";

  private final List<Limit> limits;
  private final Topics topics;
  private final TimeSource time;
  private final Duration timeMaxAhead;
  private final boolean rejectsUnmatched;
  private final StateStoreKind stateStore;
  private final RedisConfig redis;
  private final long delayTickMs;
  private final StreamsSettings streams;

  private SluiceConfig(GivenSettings settings) {
    limits = new LimitsReader(settings).read();
    topics = new TopicsReader(settings).read();
    time = settings.read(CommonSettings.TIME);
    timeMaxAhead = settings.read(CommonSettings.TIME_MAX_AHEAD);
    rejectsUnmatched = settings.read(CommonSettings.UNMATCHED_REJECTED);
    stateStore = settings.read(CommonSettings.STATE_STORE);
    redis =
        new RedisConfig(
            settings.find(CommonSettings.REDIS_URI).orElse(List.of()),
            settings.read(CommonSettings.REDIS_KEY_PREFIX),
            settings.read(CommonSettings.REDIS_TIMEOUT),
            settings.read(CommonSettings.REDIS_EXPIRY_GRACE));
    delayTickMs = settings.read(CommonSettings.DELAY_TICK).toMillis();
    streams = new StreamsSettings(settings.texts());
    streams.check(settings.mistakes());
    new UnknownKeys(settings, limits.stream().map(Limit::name).toList()).check();
    settings.mistakes().throwIfAny();
  }

  /**
   * Reads a properties file in UTF-8.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig load(Path file) {
    PropertiesFile properties = PropertiesFile.read(file);
    Mistakes mistakes = new Mistakes(properties.texts().keySet());
    properties.repeatedKeys().stream()
        .filter(SluiceConfig::isOwn)
        .forEach(key -> mistakes.add(key, "given more than once"));
    return new SluiceConfig(new GivenSettings(properties.texts(), mistakes));
  }

  /**
   * Reads properties, and reports mistakes in the order of the map.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig of(Map<String, String> properties) {
    Map<String, String> texts = new LinkedHashMap<>(properties);
    return new SluiceConfig(new GivenSettings(texts, new Mistakes(texts.keySet())));
  }

  /** The settings that hold for the application. */
  public static ConfigDef configDef() {
    return CommonSettings.definition();
  }

  /** The settings that every limit has, with {@code N} where its name is. */
  public static ConfigDef limitConfigDef() {
    return LimitSettings.definition();
  }

  /** Whether the key is Sluice's; any other is for Kafka. */
  static boolean isOwn(String key) {
    return key.startsWith("sluice.");
  }

  List<Limit> limits() {
    return limits;
  }

  Topics topics() {
    return topics;
  }

  TimeSource time() {
    return time;
  }

  Duration timeMaxAhead() {
    return timeMaxAhead;
  }

  boolean rejectsUnmatched() {
    return rejectsUnmatched;
  }

  StateStoreKind stateStore() {
    return stateStore;
  }

  /** Has nodes whenever a limit is on Redis. */
  RedisConfig redis() {
    return redis;
  }

  boolean usesRedis() {
    return limits.stream().anyMatch(limit -> limit.backend() == Backend.REDIS);
  }

  long delayTickMs() {
    return delayTickMs;
  }

  /** The field by which events are homed; empty if no limit is on the state store. */
  Optional<Field> home() {
    return Homing.field(limits);
  }

  /** For Kafka Streams: everything that is not Sluice's, and Sluice's defaults. */
  public Properties streams() {
    return streams.withDefaults();
  }

  /** What works, but perhaps not as intended; a line each. */
  public List<String> warnings() {
    return List.of();
  }

  /** The names of the limits, in the order in which they are listed. */
  public List<String> limitNames() {
    return limits.stream().map(Limit::name).toList();
  }

  /** The topics that events are read from. */
  public List<String> inputTopics() {
    return topics.inputs();
  }

  /** The topics that verdicts are read from: allowed, rejected and dead letters. */
  public List<String> outputTopics() {
    return List.of(topics.allowed(), topics.rejected(), topics.deadLetter());
  }

  /** Where Redis is, as configured; empty if it is not. May hold a password. */
  public String redisUri() {
    return redis.uri();
  }
}
