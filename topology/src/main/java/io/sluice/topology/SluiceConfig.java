package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.FieldPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The configuration of an application, read from properties and checked. Immutable. Reading finds
 * every mistake, not only the first.
 */
public final class SluiceConfig {
  private static final int TICK_PER_POLL = 4;

  private final Limits limits;
  private final Topics topics;
  private final boolean rejectsUnmatched;
  private final TimeSource time;
  private final Duration timeMaxAhead;
  private final Duration timeLateness;
  private final StateStoreKind stateStore;
  private final RedisConfig redis;
  private final long delayTickMs;
  private final FieldPaths paths;
  private final int leastCost;
  private final SchemaConfig schemas;
  private final HttpConfig http;
  private final StreamsSettings streams;
  private final List<String> variables;
  private final References references;

  private SluiceConfig(GivenSettings settings) {
    List<Limit> read = new LimitsReader(settings).read();
    topics = new TopicsReader(settings).read();
    time = settings.read(CommonSettings.TIME);
    timeMaxAhead = settings.read(CommonSettings.TIME_MAX_AHEAD);
    timeLateness = lateness(settings, timeMaxAhead);
    rejectsUnmatched = settings.read(CommonSettings.UNMATCHED_REJECTED);
    limits = Limits.of(read, rejectsUnmatched, settings.read(CommonSettings.DUPLICATES));
    stateStore = settings.read(CommonSettings.STATE_STORE);
    redis =
        new RedisConfig(
            settings.find(CommonSettings.REDIS_URI).orElse(""),
            settings.read(CommonSettings.REDIS_KEY_PREFIX),
            settings.read(CommonSettings.REDIS_TIMEOUT),
            settings.read(CommonSettings.REDIS_EXPIRY_GRACE));
    delayTickMs = settings.read(CommonSettings.DELAY_TICK).toMillis();
    EventReader events = new EventReader(settings);
    paths = events.paths();
    leastCost = events.leastCost(paths);
    schemas = events.schemas(paths);
    http = HttpConfig.of(settings);
    streams = new StreamsSettings(settings);
    streams.check(settings.mistakes());
    new UnknownKeys(settings, limitNames()).check();
    variables = settings.variables();
    references = settings.references();
    settings.mistakes().throwIfAny();
  }

  /**
   * The same for a {@link Simulation}: one topic out, so that its order is seen, beside the one on
   * which delayed events come back; nobody waits for a tick.
   */
  private SluiceConfig(SluiceConfig real, Topics simulatedTopics) {
    rejectsUnmatched = real.rejectsUnmatched;
    limits =
        Limits.of(
            real.limits.all().stream().map(SluiceConfig::simulated).toList(),
            rejectsUnmatched,
            real.limits.duplicates());
    topics = simulatedTopics;
    time = real.time;
    timeMaxAhead = real.timeMaxAhead;
    timeLateness = real.timeLateness;
    stateStore = real.stateStore;
    redis = real.redis;
    delayTickMs = 1;
    paths = real.paths;
    leastCost = real.leastCost;
    schemas = real.schemas; // a registry is asked only for what is in Confluent's format
    http = real.http;
    streams = real.streams;
    variables = real.variables;
    references = real.references;
  }

  /** At least as long as an event may be ahead, or such a one would make the others late. */
  private static Duration lateness(GivenSettings settings, Duration maxAhead) {
    Duration lateness = settings.read(CommonSettings.TIME_LATENESS);
    if (lateness.compareTo(maxAhead) >= 0) return lateness;
    if (settings.has(CommonSettings.TIME_LATENESS)) {
      settings.mistake(
          CommonSettings.TIME_LATENESS,
          "at least as long as " + Keys.TIME_MAX_AHEAD + ", " + maxAhead);
    }
    return maxAhead;
  }

  /**
   * Reads a properties file in UTF-8.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig load(Path file) {
    return load(file, Map.of());
  }

  /**
   * Reads a properties file in UTF-8, and the {@code SLUICE_} variables that override it.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig load(Path file, Map<String, String> environment) {
    return new SluiceConfig(GivenSettings.load(file, environment, Map.of()));
  }

  /**
   * The same, of a configuration that need not say where Kafka and Redis are.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig loadForSimulation(Path file, Map<String, String> environment) {
    Map<String, String> standIns =
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "simulation",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "localhost:9092",
            Keys.REDIS_URI,
            "redis://localhost:6379");
    return new SluiceConfig(GivenSettings.load(file, environment, standIns));
  }

  /** To do without Redis for a while would make the outcome a matter of chance. */
  private static Limit simulated(Limit limit) {
    return new Limit(
        limit.rule(),
        limit.match(),
        limit.key(),
        limit.backend(),
        limit.exceeded(),
        RedisUnavailable.WAIT);
  }

  /** As a {@link Simulation} has it. */
  SluiceConfig simulated() {
    String input = topics.inputs().get(0);
    String out = input + "-verdicts";
    return new SluiceConfig(
        this, new Topics(topics.inputs(), out, out, input + "-delayed", out, false, 1, (short) 1));
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

  /** What it will do, limit by limit, in aligned lines. */
  public String explain() {
    return new ConfigSummary(this).text();
  }

  Limits limits() {
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

  Duration timeLateness() {
    return timeLateness;
  }

  boolean rejectsUnmatched() {
    return rejectsUnmatched;
  }

  StateStoreKind stateStore() {
    return stateStore;
  }

  /** Has a URI whenever a limit is on Redis. */
  RedisConfig redis() {
    return redis;
  }

  /** Whether any limit counts in Redis. */
  public boolean usesRedis() {
    return limits.useRedis();
  }

  /** Reads events, as many threads as there are; schemas are asked for when events need them. */
  public EventDecoder eventDecoder() {
    return new EventDecoder(paths, schemas.open(paths), leastCost);
  }

  FieldPaths paths() {
    return paths;
  }

  /** What an event must cost at least. */
  int leastCost() {
    return leastCost;
  }

  SchemaConfig schemas() {
    return schemas;
  }

  long delayTickMs() {
    return delayTickMs;
  }

  HttpConfig http() {
    return http;
  }

  /** The field by which events are homed; empty if no limit is on the state store. */
  Optional<Field> home() {
    return limits.storedHome();
  }

  /** The environment variables that set something. */
  List<String> variables() {
    return variables;
  }

  /** What people are shown of a text: the reference, if it was given as one. */
  String shown(String key, String text) {
    return references.given(key).map(RedisConfig::withoutPassword).orElse(text);
  }

  /** How many stream threads an instance has. */
  int streamThreads() {
    return streams.threads();
  }

  String applicationId() {
    return streams().getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
  }

  /** For Kafka Streams: everything that is not Sluice's, and Sluice's defaults. */
  public Properties streams() {
    Properties properties = streams.withDefaults();
    // How long a thread that has nothing to do sleeps, and so how late it may look at the clock.
    properties.putIfAbsent(
        StreamsConfig.POLL_MS_CONFIG, Long.toString(Math.max(1, delayTickMs / TICK_PER_POLL)));
    // Brokers refuse what is an hour ahead, and records of these topics have the events' times.
    if (timeMaxAhead.toMillis() >= EventOpener.SURELY_TAKEN_AHEAD_MS) {
      properties.putIfAbsent(
          StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG),
          Long.toString(Long.MAX_VALUE));
    }
    // An event may be as old as it likes.
    properties.putIfAbsent(
        StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG),
        Long.toString(Long.MAX_VALUE));
    return properties;
  }

  /** What works, but perhaps not as intended; a line each. */
  public List<String> warnings() {
    return new ConfigWarnings(this).lines();
  }

  /** What works, and costs more than it need to; a line each. */
  public List<String> remarks() {
    return new ConfigWarnings(this).onBothBackends();
  }

  /** Whether Kafka Streams takes no consumer of somebody else's. */
  boolean makesItsOwnConsumer() {
    return StreamsSettings.makesItsOwnConsumer(streams());
  }

  /** The names of the limits, in the order in which they are listed. */
  public List<String> limitNames() {
    return limits.all().stream().map(Limit::name).toList();
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

  /** Every setting there is, as a table for a terminal. */
  public static String referenceText() {
    return ConfigReference.text();
  }

  /** Every setting there is, as it stands in the manual. */
  public static String referenceMarkdown() {
    return ConfigReference.markdown();
  }

  /**
   * The example that is shipped, with some of its settings replaced.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig example(Map<String, String> replaced) {
    Properties example = new Properties();
    try (InputStream in = SluiceConfig.class.getResourceAsStream("example.properties")) {
      example.load(new InputStreamReader(in, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> settings = new TreeMap<>();
    example.stringPropertyNames().forEach(key -> settings.put(key, example.getProperty(key)));
    settings.putAll(replaced);
    return of(settings);
  }
}
