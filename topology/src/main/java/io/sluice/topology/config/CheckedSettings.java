package io.sluice.topology.config;

import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.rules.settings.References;
import io.sluice.schemas.FieldPaths;
import io.sluice.topology.config.Topics.TopicsParser;
import io.sluice.topology.event.OutputTopics;
import io.sluice.topology.event.SchemaConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of an application after parsing and checking.
 *
 * @param writtenFor release of Sluice that the file was written for, if the file names one
 * @param leastCost smallest valid cost of an event
 * @param redis has a URI if any limit is on Redis
 * @param variables names of the environment variables that set a value of the configuration
 * @param references references to values that config providers supply, such as passwords
 * @param given keys that the configuration contains
 */
record CheckedSettings(
    Optional<String> writtenFor,
    Limits limits,
    LimitTexts limitTexts,
    Topics topics,
    boolean rejectsUnmatched,
    VerdictHeaders.Style headers,
    CommonSettings.TimeSource time,
    Duration timeMaxAhead,
    Duration timeLateness,
    CommonSettings.StateStoreKind stateStore,
    RedisConfig redis,
    long delayTickMs,
    FieldPaths paths,
    int leastCost,
    SchemaConfig schemas,
    HttpConfig http,
    StreamsSettings streams,
    List<String> variables,
    References references,
    Set<String> given) {
  /**
   * Parses and checks all settings. Mistakes are reported in the order of parsing.
   *
   * @throws ConfigurationException with all mistakes
   */
  static CheckedSettings of(RawSettings given) {
    Optional<String> writtenFor = given.find(CommonSettings.VERSION);
    LimitListParser parser = new LimitListParser(given);
    List<Limit> limits = parser.read();
    Topics topics = new TopicsParser(given).read();
    if (given.sound(CommonSettings.TOPICS_INPUT)) parser.checkTopics(limits, topics.inputs());
    CommonSettings.TimeSource time = given.read(CommonSettings.TIME);
    Duration maxAhead = given.read(CommonSettings.TIME_MAX_AHEAD);
    Duration lateness = lateness(given, maxAhead);
    boolean rejectsUnmatched = given.read(CommonSettings.UNMATCHED_REJECTED);
    VerdictHeaders.Style headers = given.read(CommonSettings.HEADERS);
    Duplicates duplicates = given.read(CommonSettings.DUPLICATES);
    CommonSettings.StateStoreKind stateStore = given.read(CommonSettings.STATE_STORE);
    RedisConfig redis = redis(given);
    long delayTickMs = given.read(CommonSettings.DELAY_TICK).toMillis();
    EventFormatParser events = new EventFormatParser(given);
    FieldPaths paths = events.paths();
    int leastCost = events.leastCost(paths);
    SchemaConfig schemas = events.schemas(paths);
    HttpConfig http = HttpConfig.of(given);
    StreamsSettings streams = new StreamsSettings(given, delayTickMs, maxAhead);
    streams.check(given.mistakes());
    new UnknownKeys(given, limits.stream().map(Limit::name).toList()).check();
    given.mistakes().throwIfAny();
    return new CheckedSettings(
        writtenFor,
        Limits.of(limits, rejectsUnmatched, duplicates),
        LimitTexts.of(given, limits, topics.inputs()),
        topics,
        rejectsUnmatched,
        headers,
        time,
        maxAhead,
        lateness,
        stateStore,
        redis,
        delayTickMs,
        paths,
        leastCost,
        schemas,
        http,
        streams,
        given.variables(),
        given.references(),
        Set.copyOf(given.texts().keySet()));
  }

  /**
   * Returns {@code sluice.time.lateness}, by which an event's time may be behind the latest event
   * of its partition. It is at least {@code sluice.time.max.ahead}, since otherwise an event that
   * is so far ahead would make the other events late.
   */
  private static Duration lateness(RawSettings given, Duration maxAhead) {
    Duration lateness = given.read(CommonSettings.TIME_LATENESS);
    if (lateness.compareTo(maxAhead) >= 0) return lateness;
    if (given.has(CommonSettings.TIME_LATENESS)) {
      given.mistake(
          CommonSettings.TIME_LATENESS,
          "at least as long as " + Keys.TIME_MAX_AHEAD + ", " + maxAhead);
    }
    return maxAhead;
  }

  private static RedisConfig redis(RawSettings given) {
    return new RedisConfig(
        given.find(CommonSettings.REDIS_URI).orElse(""),
        given.read(CommonSettings.REDIS_KEY_PREFIX),
        given.read(CommonSettings.REDIS_TIMEOUT),
        given.read(CommonSettings.REDIS_EXPIRY_GRACE));
  }

  /**
   * Returns the settings for a simulation: one output topic for all verdicts, which keeps their
   * order, another topic for delayed events, a release of delayed events every millisecond, and
   * limits for which events wait while Redis is unavailable.
   */
  CheckedSettings simulated() {
    OutputTopics out = OutputTopics.one(unused("verdicts"));
    List<Limit> waiting = limits.all().stream().map(Limit::waitingForRedis).toList();
    return new CheckedSettings(
        writtenFor,
        Limits.of(waiting, rejectsUnmatched, limits.duplicates()),
        limitTexts.simulated(),
        new Topics(topics.inputs(), out, out, unused("delayed"), out, "", false, 1, (short) 1),
        rejectsUnmatched,
        VerdictHeaders.Style.EACH,
        time,
        timeMaxAhead,
        timeLateness,
        stateStore,
        redis,
        1,
        paths,
        leastCost,
        schemas,
        http,
        streams,
        variables,
        references,
        given);
  }

  /** Returns a topic name that no input topic has, made of the first input topic and a suffix. */
  private String unused(String name) {
    String unused = topics.inputs().get(0) + "-" + name;
    while (topics.inputs().contains(unused)) unused += "-";
    return unused;
  }
}
