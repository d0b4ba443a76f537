package io.sluice.topology.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.FieldPaths;
import io.sluice.topology.event.EventDecoder;
import io.sluice.topology.event.Field;
import io.sluice.topology.event.Keys;
import io.sluice.topology.event.SchemaConfig;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limits;
import io.sluice.topology.limit.VerdictHeaders;
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
 * The configuration of an application, read from properties and checked. Immutable. Reading finds
 * every mistake, not only the first.
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
    return new SluiceConfig(CheckedSettings.of(RawSettings.load(file, environment, Map.of())));
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
    return new SluiceConfig(CheckedSettings.of(RawSettings.load(file, environment, standIns)));
  }

  /** As a simulation has it. */
  public SluiceConfig simulated() {
    return new SluiceConfig(settings.simulated());
  }

  /**
   * Reads properties, and reports mistakes in the order of the map.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static SluiceConfig of(Map<String, String> properties) {
    Map<String, String> texts = new LinkedHashMap<>(properties);
    RawSettings given = new RawSettings(texts, new ConfigErrors(texts.keySet()));
    return new SluiceConfig(CheckedSettings.of(given));
  }

  public Limits limits() {
    return settings.limits();
  }

  /** The limits as texts, and a reader of others. */
  public LimitTexts limitTexts() {
    return settings.limitTexts();
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

  /** How a verdict is written on its event. */
  public VerdictHeaders.Style headers() {
    return settings.headers();
  }

  boolean rejectsUnmatched() {
    return settings.rejectsUnmatched();
  }

  /** Whether state is kept on the heap; otherwise it is in RocksDB. */
  public boolean keepsStateInMemory() {
    return settings.stateStore() == CommonSettings.StateStoreKind.MEMORY;
  }

  /** Has a URI whenever a limit is on Redis. */
  public RedisConfig redis() {
    return settings.redis();
  }

  /** Whether any limit counts in Redis from the start. */
  public boolean usesRedis() {
    return limits().useRedis();
  }

  /** Whether a limit may ever count in Redis: one that does could be added. */
  public boolean mayUseRedis() {
    return usesRedis() || (topics().hasLimits() && !redis().uri().isEmpty());
  }

  /** Whether what is processed and its state are committed together. */
  public boolean isExactlyOnce() {
    String guarantee = streams().getProperty(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, "");
    return guarantee.equals(StreamsConfig.EXACTLY_ONCE_V2);
  }

  /** Reads events, as many threads as there are; schemas are asked for when events need them. */
  public EventDecoder eventDecoder() {
    return new EventDecoder(paths(), schemas().open(paths()), inputTopics(), leastCost());
  }

  /**
   * Reads events that are a part of a value, {@code UserAction}s, whatever paths are configured.
   */
  public EventDecoder eventDecoder(EventDecoder.Part part) {
    return EventDecoder.ofPart(part, leastCost());
  }

  /** The release that the file was written for, if it says so. */
  Optional<String> writtenFor() {
    return settings.writtenFor();
  }

  /** The keys that are given, with those for Kafka. */
  public Set<String> given() {
    return settings.given();
  }

  FieldPaths paths() {
    return settings.paths();
  }

  /** What an event must cost at least. */
  int leastCost() {
    return settings.leastCost();
  }

  SchemaConfig schemas() {
    return settings.schemas();
  }

  public long delayTickMs() {
    return settings.delayTickMs();
  }

  /** What is served over HTTP, if anything is. */
  public HttpConfig http() {
    return settings.http();
  }

  /** The field by which events are homed; empty if no limit is on the state store. */
  public Optional<Field> home() {
    return limits().storedHome();
  }

  /** The environment variables that set something. */
  List<String> variables() {
    return settings.variables();
  }

  /** What people are shown of a text: the reference, if it was given as one. */
  String shown(String key, String text) {
    return settings.references().given(key).map(Passwords::hiddenIn).orElse(text);
  }

  /** How many stream threads an instance has. */
  public int streamThreads() {
    return settings.streams().threads();
  }

  public String applicationId() {
    return streams().getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
  }

  /** For Kafka Streams: everything that is not Sluice's, and Sluice's defaults. */
  public Properties streams() {
    return settings.streams().withDefaults();
  }

  /** Whether Kafka Streams takes no consumer of somebody else's. */
  public boolean makesItsOwnConsumer() {
    return StreamsSettings.makesItsOwnConsumer(streams());
  }

  /** The names of the limits, in the order in which they are listed. */
  public List<String> limitNames() {
    return limits().all().stream().map(Limit::name).toList();
  }

  /** The topics that events are read from. */
  public List<String> inputTopics() {
    return topics().inputs();
  }

  /** The topics that verdicts are read from: allowed, rejected and dead letters. */
  public List<String> outputTopics() {
    return topics().outputs();
  }

  /** Where Redis is, as configured; empty if it is not. May hold a password. */
  public String redisUri() {
    return redis().uri();
  }

  /**
   * The example that is shipped, with some of its settings replaced.
   *
   * @throws ConfigurationException with everything that is wrong
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
