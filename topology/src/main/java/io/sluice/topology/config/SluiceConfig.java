package io.sluice.topology.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.events.EventDecoder;
import io.sluice.events.SchemaConfig;
import io.sluice.events.TopicSelectors;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.ConfigErrors;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.LimitsTopicConfig;
import io.sluice.rules.settings.Passwords;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.RedisConfig;
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
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Checked configuration of an application, read from properties. Reading reports all mistakes, not
 * only the first. Immutable.
 */
public final class SluiceConfig {
  private static final String EXAMPLE = "/io/sluice/topology/example.properties";

  private final CheckedSettings settings;

  private SluiceConfig(CheckedSettings settings) {
    this.settings = settings;
  }

  /**
   * Reads a properties file in UTF-8.
   *
   * @throws ConfigurationException with all mistakes
   */
  public static SluiceConfig load(Path file) {
    return load(file, Map.of());
  }

  /**
   * Reads a properties file in UTF-8, and the environment variables named {@code SLUICE_...} that
   * override its settings.
   *
   * @throws ConfigurationException with all mistakes
   */
  public static SluiceConfig load(Path file, Map<String, String> environment) {
    return new SluiceConfig(CheckedSettings.of(RawSettings.load(file, environment, Map.of())));
  }

  /**
   * Reads a configuration for a simulation, which may omit the application id and the addresses of
   * Kafka and Redis, with the environment variables that override it.
   *
   * @throws ConfigurationException with all mistakes
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
    return new SluiceConfig(CheckedSettings.of(RawSettings.load(file, environment, standIns)));
  }

  /**
   * Returns this configuration with the changes for a simulation, such as one topic for all
   * verdicts.
   */
  public SluiceConfig simulated() {
    return new SluiceConfig(settings.simulated());
  }

  /**
   * Reads a configuration from a map of keys and values.
   *
   * @throws ConfigurationException with all mistakes
   */
  public static SluiceConfig of(Map<String, String> properties) {
    Map<String, String> texts = new LinkedHashMap<>(properties);
    RawSettings given = new RawSettings(texts, new ConfigErrors(texts.keySet()));
    return new SluiceConfig(CheckedSettings.of(given));
  }

  public Limits limits() {
    return settings.limits().limits();
  }

  /** Returns the limits as configured texts, with a parser for changed texts. */
  public LimitTexts limitTexts() {
    return settings.limits().texts();
  }

  /**
   * Returns the limits as configured, before any change at run time, with everything that is needed
   * to apply revisions (dated changes) to them.
   */
  public LimitsConfig limitsConfig() {
    return settings.limits();
  }

  /** Order in which the events in line leave: classes, aging, and fair shares. */
  public QueueOrder queueOrder() {
    return settings.queueOrder();
  }

  /** Settings of the topic of revisions (dated changes of limits), and of its Kafka clients. */
  public LimitsTopicConfig limitsTopic() {
    Topics all = topics();
    return new LimitsTopicConfig(
        all.limits(), all.create(), all.replicationFactor(), applicationId(), streams());
  }

  public Topics topics() {
    return settings.output().topics();
  }

  /** Whether events are metered at the times in the events; otherwise by the wall clock. */
  public boolean judgesByEventTime() {
    return settings.time().byEvents();
  }

  public Duration timeMaxAhead() {
    return settings.time().maxAhead();
  }

  public Duration timeLateness() {
    return settings.time().lateness();
  }

  /** Form of the record headers that tell consumers the verdict. */
  public VerdictHeaders.Style headers() {
    return settings.output().headers();
  }

  /** Treatment of tombstones, and of records without a user or an action. */
  public NonEvents nonEvents() {
    return settings.output().nonEvents();
  }

  boolean rejectsUnmatched() {
    return limits().rejectsUnmatched();
  }

  /** Whether the counts of limits are kept on the heap; otherwise they are kept in RocksDB. */
  public boolean keepsStateInMemory() {
    return settings.inMemory();
  }

  /** Settings for Redis. The URI is present if any limit is on Redis. */
  public RedisConfig redis() {
    return settings.limits().redis();
  }

  /** Whether a configured limit counts in Redis. */
  public boolean usesRedis() {
    return limits().useRedis();
  }

  /** Whether any limit may count in Redis, now or after a change of limits at run time. */
  public boolean mayUseRedis() {
    return usesRedis() || (topics().hasLimits() && !redis().uri().isEmpty());
  }

  /**
   * Whether the processing guarantee is exactly-once, so that output records and state stores are
   * committed together.
   */
  public boolean isExactlyOnce() {
    String guarantee = streams().getProperty(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, "");
    return guarantee.equals(StreamsConfig.EXACTLY_ONCE_V2);
  }

  /**
   * Creates a decoder of events in the configured format. The decoder is thread-safe, and asks the
   * schema registry for a schema when an event first needs it.
   */
  public EventDecoder eventDecoder() {
    return EventDecoder.of(selectors(), schemas(), inputTopics());
  }

  /**
   * Creates a decoder of events that are a part of a record's value. The events must be {@code
   * UserAction}s, since the configured selectors do not apply.
   */
  public EventDecoder eventDecoder(EventDecoder.Part part) {
    return EventDecoder.ofPart(part, selectors().common().leastCost());
  }

  /** Release of Sluice that the file was written for; empty if the file names none. */
  Optional<String> writtenFor() {
    return settings.source().writtenFor();
  }

  /** Keys that the configuration contains, including those for Kafka. */
  public Set<String> given() {
    return settings.source().given();
  }

  /** Selectors of the fields of events. */
  public TopicSelectors selectors() {
    return settings.events().selectors();
  }

  /** Source of the schemas of events. */
  public SchemaConfig schemas() {
    return settings.events().schemas();
  }

  public long delayTickMs() {
    return settings.output().delayTickMs();
  }

  /** Settings of the HTTP server. */
  public HttpConfig http() {
    return settings.http();
  }

  /** Field by which events are partitioned; empty if no limit is on the state store. */
  public Optional<Field> home() {
    return limits().storedHome();
  }

  /** Names of the environment variables that set a value of this configuration. */
  List<String> variables() {
    return settings.source().variables();
  }

  /**
   * Returns the value of a key for display: if the value was given as a reference to a config
   * provider, the reference, since the value may be secret.
   */
  String shown(String key, String text) {
    return settings.source().references().given(key).map(Passwords::hiddenIn).orElse(text);
  }

  /** Number of Kafka Streams threads of an instance. */
  public int streamThreads() {
    return settings.streams().threads();
  }

  public String applicationId() {
    return streams().getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
  }

  /**
   * Settings for Kafka Streams: all settings without the prefix {@code sluice.}, with Sluice's
   * defaults.
   */
  public Properties streams() {
    return settings.streams().withDefaults();
  }

  /** Whether Kafka Streams must create its consumer itself, so that Sluice cannot wrap it. */
  public boolean makesItsOwnConsumer() {
    return StreamsSettings.makesItsOwnConsumer(streams());
  }

  /** Names of the limits, in the order of {@code sluice.limits}. */
  public List<String> limitNames() {
    return limitsConfig().names();
  }

  /** Topics that events are read from. */
  public List<String> inputTopics() {
    return topics().inputs();
  }

  /** Topics that results are written to: allowed and rejected events, and dead letters. */
  public List<String> outputTopics() {
    return topics().outputs();
  }

  /** Address of Redis as configured, which may contain a password; empty if not given. */
  public String redisUri() {
    return redis().uri();
  }

  /**
   * Returns the packaged example configuration, with some of its settings replaced.
   *
   * @throws ConfigurationException with all mistakes
   */
  public static SluiceConfig example(Map<String, String> replaced) {
    return of(exampleSettings(replaced));
  }

  /** Returns the settings of the packaged example configuration, with some of them replaced. */
  public static Map<String, String> exampleSettings(Map<String, String> replaced) {
    Properties example = new Properties();
    try (InputStream in = SluiceConfig.class.getResourceAsStream(EXAMPLE)) {
      example.load(new InputStreamReader(in, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> settings = new TreeMap<>();
    example.stringPropertyNames().forEach(key -> settings.put(key, example.getProperty(key)));
    settings.putAll(replaced);
    return settings;
  }
}
