package io.sluice.topology.config;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.sluice.events.Role;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Rule;
import io.sluice.limiter.config.Spelling;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.OptionalKey;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.rules.settings.Setting;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Warnings for users about valid settings that probably do not work as intended. */
final class ConfigWarnings {
  private static final long LARGE_LOG = 100_000;
  private static final long MANY_GENERATIONS = 256;

  private final SluiceConfig config;

  ConfigWarnings(SluiceConfig config) {
    this.config = config;
  }

  /** Returns all warnings, one line each; warnings about limits are in the order of the limits. */
  List<String> lines() {
    Stream<String> ofLimits =
        config.limits().all().stream()
            .flatMap(
                limit ->
                    Stream.of(
                        largeLog(limit),
                        shortFilter(limit),
                        scatteredFallback(limit),
                        optionalKey(limit),
                        onBothBackends(limit),
                        longClosure(limit),
                        withoutSelector(limit),
                        redisForQueue(limit),
                        twoDelays(limit),
                        twoClocks(limit)))
            .flatMap(Optional::stream);
    Stream<String> changed =
        config.writtenFor().stream()
            .flatMap(release -> ChangedDefaults.since(release, config.given()));
    return Stream.of(
            changed,
            noLimits().stream(),
            ofLimits,
            new QueueOrderWarnings(config).lines(),
            manyRecordsAtOnce(),
            transactionalStores(),
            misspelled())
        .flatMap(lines -> lines)
        .collect(toList());
  }

  private Optional<String> noLimits() {
    if (!config.limits().all().isEmpty()) return Optional.empty();
    String all = config.rejectsUnmatched() ? "rejected" : "allowed";
    return Optional.of(Keys.LIMITS + ": there is no limit, so every event is " + all);
  }

  /** Warns of a limit that uses a field which the selectors give to no event. */
  private Optional<String> withoutSelector(Limit limit) {
    List<String> absent =
        limit.fields().stream()
            .filter(field -> !isSelected(config, field))
            .map(Field::toString)
            .toList();
    if (absent.isEmpty()) return Optional.empty();
    return Optional.of(
        Setting.limitPrefix(limit.name())
            + "key, match, distinct and zone: no event has "
            + String.join(", ", absent)
            + ", since no selector gives it");
  }

  /** Returns whether the events of an input topic may have the field. */
  static boolean isSelected(SluiceConfig config, Field field) {
    return config.selectors().all().stream()
        .anyMatch(
            each ->
                switch (field.kind()) {
                  case ATTRIBUTE ->
                      each.has(Role.ATTRIBUTES)
                          || each.attributeTexts().containsKey(field.attribute());
                  case TARGET -> each.has(Role.TARGET);
                  case USER_ID, ACTION, TOPIC -> true;
                });
  }

  /** Warns of a limit that events without its key pass, unless the configuration chooses that. */
  private Optional<String> optionalKey(Limit limit) {
    String key = LimitSettings.KEY_MISSING.keyFor(limit.name());
    return config.given().contains(key)
        ? Optional.empty()
        : OptionalKey.warning(limit).map(line -> key + ": " + line);
  }

  /** Warns of a limit that rejects events, instead of delaying them to its next opening. */
  private Optional<String> longClosure(Limit limit) {
    Duration longest = limit.hours().hours().longestClosure();
    boolean waits =
        !(limit.exceeded() instanceof Exceeded.Delay delay)
            || delay.maxWaitMicros() >= longest.toSeconds() * 1_000_000;
    if (waits) return Optional.empty();
    return Optional.of(
        LimitSettings.OPEN.keyFor(limit.name())
            + ": the limit is closed for up to "
            + LimitWords.period(longest.toMillis())
            + ", so events that would wait longer than delay.max are rejected");
  }

  private Optional<String> largeLog(Limit limit) {
    boolean log = limit.rule().algorithm().keepsArrivals();
    long permits = limit.rule().quota().permits();
    if (!log || permits <= LARGE_LOG) return Optional.empty();
    return Optional.of(
        LimitSettings.ALGORITHM.keyFor(limit.name())
            + ": a log keeps every arrival of a period, up to "
            + permits
            + " for each key; a "
            + LimitSettings.namesOf(Predicate.not(Algorithm::keepsArrivals), " or a ")
            + " keeps only a few numbers");
  }

  /**
   * Warns of a Bloom filter limit in Redis with a short period. Redis lists each generation of
   * filters until no late event can need it, so with a short period each event would read a long
   * list.
   */
  private Optional<String> shortFilter(Limit limit) {
    Rule rule = limit.rule();
    if (limit.backend() != Backend.REDIS || !rule.algorithm().admitsOnce()) return Optional.empty();
    long listedMicros = config.redis().grace().toMillis() * 1_000 + 2 * rule.quota().periodMicros();
    long generations = FilterSize.GENERATIONS * listedMicros / rule.quota().periodMicros();
    if (generations <= MANY_GENERATIONS) return Optional.empty();
    return Optional.of(
        LimitSettings.QUOTA.keyFor(limit.name())
            + ": with so short a period, Redis reads a list of up to "
            + generations
            + " generations for each event; a filter is for periods of minutes and more");
  }

  /**
   * Warns of a limit whose fallback to the state store counts too few events: while Redis is
   * unavailable, each partition counts only its own events, and the events of a key may be on
   * several partitions.
   */
  private Optional<String> scatteredFallback(Limit limit) {
    boolean falls =
        limit.backend() == Backend.REDIS
            && limit.redisUnavailable() == RedisUnavailable.STATE_STORE
            && !limit.queues();
    boolean homed = config.home().filter(limit.key().fields()::contains).isPresent();
    if (!falls || homed) return Optional.empty();
    return Optional.of(
        LimitSettings.REDIS_UNAVAILABLE.keyFor(limit.name())
            + ": events are not partitioned by a field of this limit's key, so while Redis is down"
            + " each partition allows the whole quota");
  }

  /** Warns of a limit with a queue whose events wait for Redis although it says otherwise. */
  private Optional<String> redisForQueue(Limit limit) {
    boolean waits = limit.redisUnavailable() == RedisUnavailable.WAIT;
    if (limit.backend() != Backend.REDIS || waits || !limit.queues()) return Optional.empty();
    return Optional.of(
        LimitSettings.REDIS_UNAVAILABLE.keyFor(limit.name())
            + "="
            + Keys.nameOf(limit.redisUnavailable())
            + ": has no effect with exceeded=queue, because events wait in line while Redis is"
            + " down; set wait");
  }

  /**
   * Warns of a limit that delays events which an earlier limit with another key delays too. Such an
   * event reserves a slot far ahead under both limits, and no event gets a slot before it.
   */
  private Optional<String> twoDelays(Limit limit) {
    List<Limit> all = config.limits().resolved();
    Limit own = resolved(limit);
    String others =
        all.subList(0, all.indexOf(own)).stream()
            .filter(other -> delays(own) && delays(other))
            .filter(other -> !fieldsOf(other).equals(fieldsOf(own)))
            .filter(other -> other.match().overlaps(own.match()))
            .map(other -> other.name() + " (" + other.key() + ")")
            .collect(joining(", "));
    if (others.isEmpty()) return Optional.empty();
    return Optional.of(
        LimitSettings.EXCEEDED.keyFor(limit.name())
            + "=delay: an event can also match "
            + others
            + ", which delays by another key; an event reserves the first instant that suits both"
            + " limits, and no later event leaves before it, so many events of one key delay the"
            + " events of all other keys; exceeded=queue on these limits lets only the one key"
            + " wait");
  }

  private Limit resolved(Limit limit) {
    return config.limits().resolved().stream()
        .filter(each -> each.name().equals(limit.name()))
        .findFirst()
        .orElseThrow();
  }

  private static Set<Field> fieldsOf(Limit limit) {
    return Set.copyOf(limit.key().fields());
  }

  private static boolean delays(Limit limit) {
    return limit.exceeded() instanceof Exceeded.Delay && !limit.rule().shadow();
  }

  /**
   * Warns of a limit without a queue that matches some events with a queue, which are metered by
   * the wall clock, and others, which are metered by their own times.
   */
  private Optional<String> twoClocks(Limit limit) {
    Limit own = resolved(limit);
    if (!config.judgesByEventTime() || own.queues() || own.rule().shadow()) return Optional.empty();
    List<Limit> queues =
        config.limits().resolved().stream()
            .filter(Limit::queues)
            .filter(queue -> queue.match().overlaps(own.match()))
            .toList();
    boolean onlyQueued = queues.stream().anyMatch(each -> each.match().includes(own.match()));
    if (queues.isEmpty() || onlyQueued) return Optional.empty();
    return Optional.of(
        Setting.limitPrefix(limit.name())
            + "match: an event that also matches "
            + queues.stream().map(Limit::name).collect(joining(", "))
            + " waits in line and is metered by the wall clock, other events by their own times, so"
            + " a late event may find the count ahead of it; set "
            + Keys.TIME
            + "=wall, or let the limit match only events that wait in line");
  }

  /**
   * Returns a remark on each limit in Redis that may match the same event as a state-store limit.
   */
  List<String> onBothBackends() {
    return config.limits().all().stream()
        .map(this::onBothBackends)
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Returns a remark if a limit is in Redis and an event may also match a limit on the state store.
   * Such an event needs its own round trip, while Redis is asked about the other events of a poll
   * at once. An event with a queue limit is asked about at its turn anyway.
   */
  private Optional<String> onBothBackends(Limit limit) {
    if (limit.backend() != Backend.REDIS || limit.queues()) return Optional.empty();
    String stored =
        config.limits().all().stream()
            .filter(other -> other.backend() == Backend.STATE_STORE && !other.queues())
            .filter(other -> !other.match().excludes(limit.match()))
            .map(Limit::name)
            .collect(joining(", "));
    if (stored.isEmpty()) return Optional.empty();
    return Optional.of(
        LimitSettings.BACKEND.keyFor(limit.name())
            + ": an event that also matches "
            + stored
            + " on the state store needs its own round trip to Redis, which is slower");
  }

  /**
   * Warns of a large {@code max.poll.records}: the records of a poll and the records that are not
   * yet committed must fit into the journal of answers that Redis keeps for a partition.
   */
  private Stream<String> manyRecordsAtOnce() {
    if (!config.usesRedis()) return Stream.empty();
    return StreamsSettings.consumerKeys(ConsumerConfig.MAX_POLL_RECORDS_CONFIG)
        .filter(
            key -> isMoreThan(RedisConfig.MOST_ASKED_AHEAD, config.streams().getProperty(key, "")))
        .map(
            key ->
                key
                    + ": with limits in Redis, a value above "
                    + RedisConfig.MOST_ASKED_AHEAD
                    + " may charge some records twice after a crash, because Redis keeps the answers"
                    + " of only the last 20,000 records of a partition");
  }

  private static boolean isMoreThan(int most, String text) {
    return text.trim().matches("[0-9]{1,9}") && Integer.parseInt(text.trim()) > most;
  }

  /** Warns if transactional state stores are on, since Sluice is not tested with them. */
  private Stream<String> transactionalStores() {
    String key = StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG;
    String text = config.streams().getProperty(key, "").trim();
    if (!text.equalsIgnoreCase("true")) return Stream.empty();
    return Stream.of(key + ": Sluice is not tested with it, and gains nothing by it; leave it off");
  }

  /** Warns of keys without the prefix of Sluice that Kafka does not know either. */
  private Stream<String> misspelled() {
    return config.streams().stringPropertyNames().stream()
        .sorted()
        .filter(KafkaKeys::isUnknown)
        .map(ConfigWarnings::misspelled);
  }

  private static String misspelled(String key) {
    if (isNearlyOwn(key.split("\\.", 2)[0])) {
      return key + ": does not begin with sluice., so it goes to Kafka Streams";
    }
    return key
        + ": neither Sluice nor Kafka knows this key"
        + KafkaKeys.nearest(key).map(meant -> "; did you mean " + meant + "?").orElse("");
  }

  private static boolean isNearlyOwn(String first) {
    return first.length() < 10 && Spelling.distance(first, "sluice") <= 2;
  }

  /**
   * Change of a setting's default value in a release of Sluice.
   *
   * @param key key of the setting; for a Kafka setting also with any client prefix before it
   * @param since the first release with the new default
   * @param before the old default
   * @param now the new default
   */
  record ChangedDefaults(String key, String since, String before, String now) {
    static final String ACCEPTED = "a release of Sluice, such as 0.2 or 0.2.0";
    static final String RELEASE = "[0-9]{1,4}\\.[0-9]{1,4}(\\.[0-9]{1,4})?";

    /** All changes of defaults. A new change must be added here, and to docs/migrating.md. */
    private static final List<ChangedDefaults> ALL =
        List.of(
            new ChangedDefaults(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "0.2", "45000", "15000"),
            new ChangedDefaults(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "0.2", "0", "1"),
            new ChangedDefaults(
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "0.2", "1048576", "16777216"));

    /**
     * Returns a warning for each setting whose default has changed since a release and which the
     * configuration does not set.
     *
     * @param release release that the configuration file was written for
     * @param given keys that the configuration sets
     */
    static Stream<String> since(String release, Set<String> given) {
      return ALL.stream()
          .filter(each -> isBefore(release, each.since))
          .filter(each -> given.stream().noneMatch(each::isOf))
          .map(ChangedDefaults::line);
    }

    private boolean isOf(String given) {
      return given.equals(key) || given.endsWith("." + key);
    }

    private String line() {
      return "%s: the default is %s since %s, and was %s before; give the one that you want, and then a later %s"
          .formatted(key, now, since, before, Keys.VERSION);
    }

    private static boolean isBefore(String one, String other) {
      return Arrays.compare(numbers(one), numbers(other)) < 0;
    }

    private static int[] numbers(String release) {
      return Arrays.copyOf(
          Arrays.stream(release.split("\\.")).mapToInt(Integer::parseInt).toArray(), 3);
    }
  }
}
