package io.sluice.topology.config;

import io.sluice.events.config.EventFormat;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.rules.settings.References;
import io.sluice.topology.config.Topics.TopicsParser;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of an application after parsing and checking.
 *
 * @param limits limits, their texts, and Redis, which has a URI if any limit is on Redis
 * @param queueOrder order in which events in line leave
 * @param inMemory whether the counts of limits are kept on the heap; otherwise on disk
 */
record CheckedSettings(
    LimitsConfig limits,
    OutputConfig output,
    QueueOrder queueOrder,
    TimeConfig time,
    boolean inMemory,
    EventFormat events,
    HttpConfig http,
    StreamsSettings streams,
    ConfigSource source) {
  /**
   * Topics of an application, and the form in which it writes verdicts.
   *
   * @param delayTickMs interval between two releases of delayed events, milliseconds
   * @param nonEvents treatment of tombstones, and of records without a user or an action
   */
  record OutputConfig(
      Topics topics, VerdictHeaders.Style headers, long delayTickMs, NonEvents nonEvents) {}

  /**
   * Times at which events are metered.
   *
   * @param byEvents whether events are metered at their own times; otherwise by the wall clock
   */
  record TimeConfig(boolean byEvents, Duration maxAhead, Duration lateness) {}

  /**
   * Origin of the settings.
   *
   * @param writtenFor release of Sluice that the file was written for, if the file names one
   * @param variables names of the environment variables that set a value of the configuration
   * @param references references to values that config providers supply, such as passwords
   * @param given keys that the configuration contains
   */
  record ConfigSource(
      Optional<String> writtenFor,
      List<String> variables,
      References references,
      Set<String> given) {}

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
    boolean byEvents = given.read(CommonSettings.TIME) == CommonSettings.TimeSource.EVENT;
    Duration maxAhead = given.read(CommonSettings.TIME_MAX_AHEAD);
    TimeConfig time = new TimeConfig(byEvents, maxAhead, lateness(given, maxAhead));
    boolean rejectsUnmatched = given.read(CommonSettings.UNMATCHED_REJECTED);
    VerdictHeaders.Style headers = given.read(CommonSettings.HEADERS);
    Duplicates duplicates = given.read(CommonSettings.DUPLICATES);
    CommonSettings.StateStoreKind stateStore = given.read(CommonSettings.STATE_STORE);
    NonEvents nonEvents =
        new NonEvents(
            given.read(CommonSettings.TOMBSTONES), given.read(CommonSettings.EVENT_MISSING));
    RedisConfig redis = redis(given);
    long delayTickMs = given.read(CommonSettings.DELAY_TICK).toMillis();
    QueueOrder queueOrder = QueueOrderParser.read(given, topics.inputs());
    EventFormat events = EventFormat.of(given, topics.inputs());
    new ListAttributes(given, events.selectors()).check(limits);
    HttpConfig http = HttpConfig.of(given);
    StreamsSettings streams = new StreamsSettings(given, delayTickMs, maxAhead);
    streams.check(given.mistakes());
    new UnknownKeys(given, limits.stream().map(Limit::name).toList(), topics.inputs()).check();
    given.mistakes().throwIfAny();
    return new CheckedSettings(
        new LimitsConfig(
            LimitTexts.of(
                given,
                limits,
                new LimitTexts.EventShape(topics.inputs(), events.selectors().lists())),
            Limits.of(limits, rejectsUnmatched, duplicates),
            redis,
            events.selectors().common()),
        new OutputConfig(topics, headers, delayTickMs, nonEvents),
        queueOrder,
        time,
        stateStore == CommonSettings.StateStoreKind.MEMORY,
        events,
        http,
        streams,
        new ConfigSource(
            writtenFor, given.variables(), given.references(), Set.copyOf(given.texts().keySet())));
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
    Limits all = limits.limits();
    List<Limit> waiting = all.all().stream().map(Limit::waitingForRedis).toList();
    List<String> inputs = output.topics.inputs();
    OutputTopics out = OutputTopics.one(unused("verdicts"));
    Topics topics = new Topics(inputs, out, out, unused("delayed"), out, "", false, 1, (short) 1);
    return new CheckedSettings(
        new LimitsConfig(
            limits.texts().simulated(),
            Limits.of(waiting, all.rejectsUnmatched(), all.duplicates()),
            limits.redis(),
            limits.forms()),
        new OutputConfig(topics, VerdictHeaders.Style.EACH, 1, output.nonEvents),
        queueOrder,
        time,
        inMemory,
        events,
        http,
        streams,
        source);
  }

  /** Returns a topic name that no input topic has, made of the first input topic and a suffix. */
  private String unused(String name) {
    List<String> inputs = output.topics.inputs();
    String unused = inputs.get(0) + "-" + name;
    while (inputs.contains(unused)) unused += "-";
    return unused;
  }
}
