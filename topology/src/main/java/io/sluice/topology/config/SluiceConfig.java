package io.sluice.topology.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.ConfigErrors;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.LimitsTopicConfig;
import io.sluice.rules.settings.Passwords;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.schemas.FieldPaths;
import io.sluice.topology.event.EventDecoder;
import io.sluice.topology.event.SchemaConfig;
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
 * Configuration of an application, read from properties and checked. Reading finds all mistakes,
 * not only the first. Immutable.
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
   * Reads a properties file in UTF-8, and the {@code SLUICE_} variables that override it.
   *
   * @throws ConfigurationException with all mistakes
   */
  public static SluiceConfig load(Path file, Map<String, String> environment) {
    return new SluiceConfig(CheckedSettings.of(RawSettings.load(file, environment, Map.of())));
  }

  /**
   * Reads a configuration that may omit the addresses of Kafka and Redis, with the variables that
   * override it.
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

  /** Returns the configuration as a simulation needs it. */
  public SluiceConfig simulated() {
    return new SluiceConfig(settings.simulated());
  }

  /**
   * Reads properties, and reports mistakes in the order of the map.
   *
   * @throws ConfigurationException with all mistakes
   */
  public static SluiceConfig of(Map<String, String> properties) {
    Map<String, String> texts = new LinkedHashMap<>(properties);
    RawSettings given = new RawSettings(texts, new ConfigErrors(texts.keySet()));
    return new SluiceConfig(CheckedSettings.of(given));
  }

  public Limits limits() {
    return settings.limits();
  }

  /** Limits as texts, with a parser for changed ones. */
  public LimitTexts limitTexts() {
    return settings.limitTexts();
  }

  /** Limits before any revision, with all that is needed to apply revisions to them. */
  public LimitsConfig limitsConfig() {
    return new LimitsConfig(limitTexts(), limits(), redis());
  }

  /** Settings of the topic of revisions, and of its clients. */
  public LimitsTopicConfig limitsTopic() {
    Topics all = topics();
    return new LimitsTopicConfig(
        all.limits(), all.create(), all.replicationFactor(), applicationId(), streams());
  }

  public Topics topics() {
    return settings.topics();
  }

  /** Whether events are judged by their own times; otherwise by the wall clock. */
  public boolean judgesByEventTime() {
    return settings.time() == CommonSettings.TimeSource.EVENT;
  }

  public Duration timeMaxAhead() {
    return settings.timeMaxAhead();
  }

  public Duration timeLateness() {
    return settings.timeLateness();
  }

  /** Form of the headers that explain a verdict. */
  public VerdictHeaders.Style headers() {
    return settings.headers();
  }

  boolean rejectsUnmatched() {
    return settings.rejectsUnmatched();
  }

  /** Whether state is kept on the heap; otherwise in RocksDB. */
  public boolean keepsStateInMemory() {
    return settings.stateStore() == CommonSettings.StateStoreKind.MEMORY;
  }

  /** Settings for Redis; they have a URI if any limit is on Redis. */
  public RedisConfig redis() {
    return settings.redis();
  }

  /** Whether a configured limit counts in Redis. */
  public boolean usesRedis() {
    return limits().useRedis();
  }

  /** Whether a limit may count in Redis, now or after a revision. */
  public boolean mayUseRedis() {
    return usesRedis() || (topics().hasLimits() && !redis().uri().isEmpty());
  }

  /**
   * Whether the processing guarantee is exactly-once, so that records and state are committed
   * together.
   */
  public boolean isExactlyOnce() {
    String guarantee = streams().getProperty(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, "");
    return guarantee.equals(StreamsConfig.EXACTLY_ONCE_V2);
  }

  /** Creates a decoder of events. It is thread-safe, and asks for schemas when events need them. */
  public EventDecoder eventDecoder() {
    return new EventDecoder(paths(), schemas().open(paths()), inputTopics(), leastCost());
  }

  /**
   * Creates a decoder of events that are a part of a value. They are always {@code UserAction}s;
   * the configured paths do not apply.
   */
  public EventDecoder eventDecoder(EventDecoder.Part part) {
    return EventDecoder.ofPart(part, leastCost());
  }

  /** Release that the file was written for; empty if it names none. */
  Optional<String> writtenFor() {
    return settings.writtenFor();
  }

  /** Keys that the configuration contains, including those for Kafka. */
  public Set<String> given() {
    return settings.given();
  }

  FieldPaths paths() {
    return settings.paths();
  }

  /** Smallest valid cost of an event. */
  int leastCost() {
    return settings.leastCost();
  }

  SchemaConfig schemas() {
    return settings.schemas();
  }

  public long delayTickMs() {
    return settings.delayTickMs();
  }

  /** Settings of the HTTP server. */
  public HttpConfig http() {
    return settings.http();
  }

  /** Field by which events are partitioned; empty if no limit is on the state store. */
  public Optional<Field> home() {
    return limits().storedHome();
  }

  /** Names of the environment variables that set something. */
  List<String> variables() {
    return settings.variables();
  }

  /** Returns the text for display: the reference, if the value was given as one. */
  String shown(String key, String text) {
    return settings.references().given(key).map(Passwords::hiddenIn).orElse(text);
  }

  /** Number of stream threads of an instance. */
  public int streamThreads() {
    return settings.streams().threads();
  }

  public String applicationId() {
    return streams().getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
  }

  /** Settings for Kafka Streams: all that are not Sluice's own, with Sluice's defaults. */
  public Properties streams() {
    return settings.streams().withDefaults();
  }

  /** Whether Kafka Streams creates its consumer itself and accepts no other. */
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
    Properties example = new Properties();
    try (InputStream in = SluiceConfig.class.getResourceAsStream(EXAMPLE)) {
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
