package io.sluice.rules.settings;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import io.sluice.limiter.config.SettingFormat;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.Match.Values;
import io.sluice.rules.limit.OpeningHours;
import io.sluice.rules.limit.ZoneSelector;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;

/** Definitions of the settings of each limit. */
public final class LimitSettings {
  private static final String MATCH_PREFIX = "match.";

  /**
   * Maximum number of permits of a sliding window log of distinct values, because the log is stored
   * in one row; the limiter's rationale has the reason.
   */
  static final int MOST_DISTINCT = 1_000;

  static final SettingType<Values> MATCH_FORM =
      new SettingType<>(
          ConfigDef.Type.STRING,
          "values, comma list; !a,b is all but these, begin* all that begin so, * any value; a"
              + " comma in a value is \\\\,",
          LimitSettings::values);

  static final Setting<Values> MATCH =
      Setting.optional(
          Setting.EACH + MATCH_PREFIX + "F",
          MATCH_FORM,
          "The events that the limit applies to: those with one of the values in field F ("
              + Field.NAMES
              + "). With several fields, all must match. Without any, the limit applies to every"
              + " event. An event without the field matches !a,b, and not *. In a value, \\\\! and"
              + " \\\\* are the characters.");

  public static final Setting<List<String>> UNLESS =
      Setting.of(
          Setting.EACH + "unless",
          "",
          CommaList.of(LimitName.form(), "a comma list of names of limits"),
          "The limits that take precedence: this limit does not apply to events that one of them"
              + " matches by its match.F, as long as that limit is in force and does not skip them"
              + " because of key.missing. A limit in shadow mode takes precedence only over limits in"
              + " shadow mode.");

  public static final Setting<List<Field>> KEY =
      Setting.of(
          Setting.EACH + "key",
          "userId",
          CommaList.of(
              new SettingType<>(ConfigDef.Type.STRING, Field.NAMES, Field::parse),
              "fields, comma list"),
          "The fields to count by: each combination of values has its own count. Empty means one"
              + " count for all events, on redis only.");

  public static final Setting<KeyMissing> KEY_MISSING =
      Setting.of(
          Setting.EACH + "key.missing",
          "skip",
          SettingType.oneOf(KeyMissing.class),
          "What happens to an event that lacks one of the fields in key or distinct, so that its"
              + " value is empty: the limit does not apply to it (skip), all such events share one"
              + " count (share), or it is rejected with the reason missing-key (reject). Only if key"
              + " or distinct has target or attributes.X.");

  public static final Setting<List<Field>> DISTINCT =
      Setting.of(
          Setting.EACH + "distinct",
          "",
          CommaList.of(
              new SettingType<>(ConfigDef.Type.STRING, Field.NAMES, Field::parse),
              "fields, comma list, or nothing"),
          "The fields whose different values are counted instead of events: a value that is already"
              + " counted charges nothing, and a new value needs one permit. With several fields,"
              + " their combinations are counted. If a field is a list, each of its elements is"
              + " counted, all or none. Only with exceeded=reject, and"
              + " algorithm=sliding-window-log (exact, up to "
              + MOST_DISTINCT
              + " permits) or hyperloglog (estimated, any number).");

  public static final Setting<Quota> QUOTA =
      Setting.required(
          Setting.EACH + "quota",
          SettingType.of(SettingFormat.QUOTA),
          "The permits in a period, such as 5/60s. A period is 500ms, 60s, 10m, 1h, 1d or ISO-8601."
              + " Permits may contain _ or , between digits. 1000/day counts whole days of the"
              + " calendar, and 1d any 24 hours; so do hour, week (from Monday on), month and"
              + " year.");

  public static final Setting<OpeningHours> OPEN =
      Setting.of(
          Setting.EACH + "open",
          "",
          new SettingType<>(
              ConfigDef.Type.STRING,
              OpeningHours.ACCEPTED + "; or nothing, for always",
              OpeningHours::parse),
          "The opening hours, in zone. Outside of them the limit refuses every event, does not count"
              + " it, and no other limit is charged; the retry-after is the next opening. A window"
              + " may last past midnight (fri 22:00-02:00), and days past Sunday (sat-mon).");

  static final Setting<ZoneSelector> ZONE =
      Setting.of(
          Setting.EACH + "zone",
          "UTC",
          new SettingType<>(ConfigDef.Type.STRING, ZoneSelector.ACCEPTED, ZoneSelector::parse),
          "The time zone of the calendar and of open. An offset, or a field of the event with a"
              + " default for events whose value is not a zone, is only for open. Only with open, or"
              + " a quota for an hour, day, week, month or year.");

  static final Setting<Long> BURST =
      Setting.optional(
          Setting.EACH + "burst",
          SettingType.of(SettingFormat.BURST),
          "The permits that an idle key may use at once. If it is absent, as many as the quota has."
              + " Only with algorithm=funnel.");

  public static final Setting<Algorithm> ALGORITHM =
      Setting.of(
          Setting.EACH + "algorithm",
          "funnel",
          SettingType.of(SettingFormat.algorithm(named())),
          "How events are counted. A funnel allows a burst, and then an even rate. A"
              + " sliding-window-log never allows more than the permits in any period. A"
              + " sliding-window-counter is approximate and needs less memory. A calendar-window"
              + " counts whole periods of the calendar; it is the default, and the only choice,"
              + " with a quota for a calendar period. A bloom filter allows each key once in a"
              + " period, for hundreds of millions of keys. A hyperloglog estimates the number of"
              + " different values.");

  public static final Setting<Backend> BACKEND =
      Setting.of(
          Setting.EACH + "backend",
          "state-store",
          SettingType.oneOf(Backend.class),
          "Where counts are kept: in the state store of each partition, or in Redis for all"
              + " partitions together.");

  public static final Setting<Exceeded.Kind> EXCEEDED =
      Setting.of(
          Setting.EACH + "exceeded",
          "reject",
          SettingType.oneOf(Exceeded.Kind.class),
          "What happens to an event over the limit: it is rejected, delayed to a slot that is"
              + " reserved for it, metered again later (retry), or it waits in line until it"
              + " conforms to all its limits (queue).");

  static final Setting<Duration> DELAY_MAX =
      Setting.of(
          Setting.EACH + "delay.max",
          "10m",
          SettingType.period("1ms", "3660d"),
          "The longest wait for a reserved slot, inclusive. An event that would wait longer is"
              + " rejected. Only with exceeded=delay.");

  static final Setting<Integer> RETRY_ATTEMPTS =
      Setting.of(
          Setting.EACH + "retry.attempts",
          "5",
          SettingType.number(ConfigDef.Type.INT, 1, Integer.MAX_VALUE),
          "How often an event is metered in total, including the first time, before it is rejected."
              + " Only with exceeded=retry.");

  static final Setting<Double> RETRY_JITTER =
      Setting.of(
          Setting.EACH + "retry.jitter",
          "0.1",
          SettingType.share(),
          "The largest random extension of a wait, as a share of the wait: 0.1 is up to 10 %. Only"
              + " with exceeded=retry.");

  static final Setting<Duration> QUEUE_MAX_WAIT =
      Setting.of(
          Setting.EACH + "queue.max.wait",
          "24h",
          SettingType.period("1ms", "3660d"),
          "The longest time in line. An event that has waited longer is rejected, with the reason"
              + " delay-too-long. Only with exceeded=queue.");

  static final Setting<Integer> QUEUE_MAX_LENGTH =
      Setting.of(
          Setting.EACH + "queue.max.length",
          "10000",
          SettingType.number(ConfigDef.Type.INT, 1, 1_000_000),
          "The most events in one line. Further events are rejected, with the reason queue-full."
              + " Only with exceeded=queue.");

  static final Setting<Duration> BLOCK =
      Setting.of(
          Setting.EACH + "block",
          "",
          SettingType.of(SettingFormat.BLOCK),
          "How long a key that goes over the limit is blocked: from the event that is over it,"
              + " every event of the key is rejected, even with permits left. Nothing means"
              + " that no key is blocked. Only with exceeded=reject.");

  static final Setting<Boolean> COUNTS_ATTEMPTS =
      Setting.of(
          Setting.EACH + "count",
          "allowed",
          SettingType.either("allowed", "attempts"),
          "What uses up the quota: only allowed events, or every attempt. attempts needs"
              + " exceeded=reject and a "
              + namesOf(Algorithm::canCountAttempts, " or ")
              + ", or a calendar-window.");

  static final Setting<Boolean> SHADOW =
      Setting.of(
          Setting.EACH + "mode",
          "enforce",
          SettingType.either("enforce", "shadow"),
          "Whether the limit is enforced, or only metered and reported in sluice-shadow headers.");

  public static final Setting<RedisUnavailable> REDIS_UNAVAILABLE =
      Setting.of(
          Setting.EACH + "redis.unavailable",
          "wait",
          SettingType.oneOf(RedisUnavailable.class),
          "What happens while Redis is unavailable: events wait, the limit allows all events, it"
              + " rejects all events, or each partition counts for itself.");

  static final Setting<Long> BLOOM_CAPACITY =
      Setting.optional(
          Setting.EACH + "bloom.capacity",
          SettingType.of(SettingFormat.count(FilterSize.MOST_CAPACITY)),
          "How many different keys are expected in a period; the filters are as large as that. If"
              + " more come, filters are added. Required with algorithm=bloom, and only with it.");

  static final Setting<Double> BLOOM_ERROR =
      Setting.of(
          Setting.EACH + "bloom.error",
          "0.001",
          SettingType.share(FilterSize.LEAST_ERROR, FilterSize.MOST_ERROR),
          "The largest share of new keys that may be rejected wrongly, because they are taken for"
              + " known ones. Only with algorithm=bloom.");

  private LimitSettings() {}

  public static ConfigDef definition() {
    return new ConfigDef()
        .define(MATCH)
        .define(UNLESS)
        .define(KEY)
        .define(KEY_MISSING)
        .define(DISTINCT)
        .define(QUOTA)
        .define(OPEN)
        .define(ZONE)
        .define(BURST)
        .define(ALGORITHM)
        .define(BACKEND)
        .define(EXCEEDED)
        .define(DELAY_MAX)
        .define(RETRY_ATTEMPTS)
        .define(RETRY_JITTER)
        .define(QUEUE_MAX_WAIT)
        .define(QUEUE_MAX_LENGTH)
        .define(BLOCK)
        .define(COUNTS_ATTEMPTS)
        .define(BLOOM_CAPACITY)
        .define(BLOOM_ERROR)
        .define(SHADOW)
        .define(REDIS_UNAVAILABLE);
  }

  /** Prefix of the keys that define a limit's match; the name of a field follows the prefix. */
  public static String matchPrefix(String limit) {
    return Setting.limitPrefix(limit) + MATCH_PREFIX;
  }

  /** Algorithms that users can name in the configuration. */
  private static List<Algorithm> named() {
    return Arrays.stream(Algorithm.values())
        // Users name a log of distinct values and a log of events alike.
        .filter(each -> each != Algorithm.DISTINCT_LOG)
        .toList();
  }

  /**
   * Names of the algorithms that have an ability, among the algorithms that users can choose for
   * counting events. The algorithm for calendar periods is left out, since the quota determines it.
   */
  public static String namesOf(Predicate<Algorithm> ability, String separator) {
    return eligible().filter(ability).map(SettingFormat::nameOf).collect(joining(separator));
  }

  private static Stream<Algorithm> eligible() {
    return Arrays.stream(Algorithm.values())
        .filter(each -> !each.countsCalendarPeriods() && !each.admitsOnce())
        .filter(each -> !each.countsDistinct());
  }

  private static Values values(String text) {
    boolean negated = text.startsWith("!");
    return Values.of(negated, CommaList.split(negated ? text.substring(1) : text));
  }
}
