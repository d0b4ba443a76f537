package io.sluice.rules.settings;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Rule;
import io.sluice.limiter.config.SettingFormat;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.LimitHours;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Match;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Parser of one limit's settings. It reports settings that cannot be combined. */
public final class LimitParser {
  private final String name;
  private final RawSettings settings;
  private final QuotaParser quota;
  private final Algorithm algorithm;
  private final BloomParser bloom;
  private final Backend backend;
  private final Exceeded.Kind exceeded;

  /**
   * Creates a parser for one limit.
   *
   * @param settings of this limit
   */
  public LimitParser(String name, RawSettings settings) {
    this.name = name;
    this.settings = settings;
    this.quota = new QuotaParser(settings);
    this.algorithm = quota.algorithm();
    this.bloom = new BloomParser(settings, algorithm);
    this.backend = settings.read(LimitSettings.BACKEND);
    this.exceeded = settings.read(LimitSettings.EXCEEDED);
  }

  /** Parses a limit from all its settings. The quota is required. */
  public static Limit readComplete(String name, RawSettings own) {
    if (!own.has(LimitSettings.QUOTA)) {
      own.missing(LimitSettings.QUOTA, "a quota is permits/period, such as 5/60s");
    }
    return new LimitParser(name, own).read();
  }

  /** Reports a match on a topic that is no input topic, since no event would match the limit. */
  public static void checkTopics(Limit limit, RawSettings settings, List<String> inputs) {
    String key = LimitSettings.matchPrefix(limit.name()) + Field.TOPIC;
    limit.match().clauses().stream()
        .filter(clause -> clause.field().equals(Field.TOPIC))
        .flatMap(clause -> clause.accepted().idle(inputs).stream())
        .forEach(
            text ->
                settings
                    .mistakes()
                    .add(
                        key,
                        settings.texts().get(key),
                        "not an input topic: "
                            + text
                            + "; accepted are "
                            + String.join(", ", inputs)));
  }

  /**
   * Reports uses of attributes that are lists: only {@code distinct} can count the elements, and
   * those of one list only, since the combinations of several would be too many.
   *
   * @param lists names of the attributes that are lists in events
   */
  public static void checkLists(Limit limit, RawSettings settings, Set<String> lists) {
    if (lists.isEmpty()) return;
    String prefix = Setting.limitPrefix(limit.name());
    limit.match().clauses().stream()
        .map(Match.Clause::field)
        .filter(field -> isList(field, lists))
        .forEach(field -> misuse(settings, LimitSettings.matchPrefix(limit.name()) + field, field));
    for (Field field : limit.key().fields()) {
      if (isList(field, lists)) misuse(settings, prefix + "key", field);
    }
    for (Field field : limit.hours().fields()) {
      if (isList(field, lists)) misuse(settings, prefix + "zone", field);
    }
    List<Field> counted = limit.distinct().stream().filter(each -> isList(each, lists)).toList();
    if (counted.size() < 2) return;
    settings.mistake(
        LimitSettings.DISTINCT,
        "only one of the fields can be a list, and "
            + counted.get(0)
            + " and "
            + counted.get(1)
            + " are lists");
  }

  private static boolean isList(Field field, Set<String> lists) {
    return field.kind() == Field.Kind.ATTRIBUTE && lists.contains(field.attribute());
  }

  private static void misuse(RawSettings settings, String key, Field field) {
    settings
        .mistakes()
        .add(
            key,
            settings.texts().get(key),
            field + " is a list, since its selector has []; only distinct can count its elements");
  }

  /** Returns the limit, with valid substitutes for settings that have mistakes. */
  public Limit read() {
    Exceeded over = exceeded();
    Rule rule =
        new Rule(
            name,
            bloom.quota(quota.quota()),
            algorithm,
            algorithm.canReserve() ? over.patienceMicros() : 0,
            countsAttempts(),
            settings.read(LimitSettings.SHADOW));
    bloom.rejects(exceeded);
    long block = bloom.blockMicros(blockMicros());
    Rule whole = rule.blocking(block).in(quota.zone()).with(bloom.size());
    Limit limit =
        new Limit(whole, match(), key(), quota.distinct(), backend, over, redisUnavailable());
    return limit.with(keyMissing(limit)).with(hours());
  }

  private LimitHours hours() {
    return LimitHours.of(settings.read(LimitSettings.OPEN), settings.read(LimitSettings.ZONE));
  }

  private Exceeded exceeded() {
    if (countsDistinct()) {
      allowOnlyReject();
    } else if (!canReserve()) {
      settings.mistake(
          LimitSettings.EXCEEDED,
          "a "
              + SettingFormat.nameOf(algorithm)
              + " cannot reserve; a "
              + LimitSettings.namesOf(Algorithm::canReserve, " and a ")
              + " can, and a calendar-window, with a quota such as 100/day");
    }
    Exceeded.Delay delay =
        new Exceeded.Delay(settings.read(LimitSettings.DELAY_MAX).toNanos() / 1_000);
    Exceeded.Retry retry =
        new Exceeded.Retry(
            settings.read(LimitSettings.RETRY_ATTEMPTS), settings.read(LimitSettings.RETRY_JITTER));
    allowOnlyWith(Exceeded.Kind.DELAY, LimitSettings.DELAY_MAX);
    allowOnlyWith(Exceeded.Kind.RETRY, LimitSettings.RETRY_ATTEMPTS);
    allowOnlyWith(Exceeded.Kind.RETRY, LimitSettings.RETRY_JITTER);
    Exceeded.Queue queue =
        new Exceeded.Queue(
            settings.read(LimitSettings.QUEUE_MAX_WAIT).toNanos() / 1_000,
            settings.read(LimitSettings.QUEUE_MAX_LENGTH));
    allowOnlyWith(Exceeded.Kind.QUEUE, LimitSettings.QUEUE_MAX_WAIT);
    allowOnlyWith(Exceeded.Kind.QUEUE, LimitSettings.QUEUE_MAX_LENGTH);
    return switch (exceeded) {
      case REJECT -> new Exceeded.Reject();
      case DELAY -> delay;
      case RETRY -> retry;
      case QUEUE -> queue;
    };
  }

  private boolean canReserve() {
    return exceeded != Exceeded.Kind.DELAY || algorithm.canReserve();
  }

  private boolean countsDistinct() {
    return !quota.distinct().isEmpty();
  }

  private void allowOnlyReject() {
    if (exceeded == Exceeded.Kind.REJECT) return;
    settings.mistake(
        LimitSettings.EXCEEDED,
        "distinct things can only be counted with exceeded=reject, not with "
            + Keys.nameOf(exceeded));
  }

  private void allowOnlyWith(Exceeded.Kind kind, Setting<?> setting) {
    boolean idle = settings.has(setting) && exceeded != kind;
    if (idle && settings.sound(LimitSettings.EXCEEDED)) {
      settings.mistake(setting, "only applies with exceeded=" + Keys.nameOf(kind));
    }
  }

  /**
   * Returns the duration of blocks in microseconds. It is 0 if the limit does not reject, so that a
   * revision may set another value of {@code exceeded}.
   */
  private long blockMicros() {
    Duration block = settings.read(LimitSettings.BLOCK);
    if (block.isZero()) return 0;
    allowOnlyWith(Exceeded.Kind.REJECT, LimitSettings.BLOCK);
    return exceeded == Exceeded.Kind.REJECT ? block.toNanos() / 1_000 : 0;
  }

  private boolean countsAttempts() {
    if (!settings.read(LimitSettings.COUNTS_ATTEMPTS)) return false;
    boolean window = algorithm.canCountAttempts();
    if (countsDistinct()) {
      settings.mistake(LimitSettings.COUNTS_ATTEMPTS, "with distinct, attempts cannot be counted");
      return false;
    }
    if (!window && settings.sound(LimitSettings.ALGORITHM)) {
      settings.mistake(
          LimitSettings.COUNTS_ATTEMPTS,
          "attempts are counted by a "
              + LimitSettings.namesOf(Algorithm::canCountAttempts, " or ")
              + ", not by a "
              + SettingFormat.nameOf(algorithm));
    }
    boolean polices = exceeded == Exceeded.Kind.REJECT;
    if (!polices) {
      settings.mistake(
          LimitSettings.COUNTS_ATTEMPTS,
          "attempts can only be counted with exceeded=reject, not with " + Keys.nameOf(exceeded));
    }
    return window && polices;
  }

  private Match match() {
    List<Match.Clause> clauses = new ArrayList<>();
    String prefix = LimitSettings.matchPrefix(name);
    settings
        .beginning(prefix)
        .forEach(
            (field, text) -> {
              try {
                clauses.add(new Match.Clause(Field.parse(field), LimitSettings.MATCH.read(text)));
              } catch (IllegalArgumentException e) {
                settings.mistakes().add(prefix + field, text, e.getMessage());
              }
            });
    return new Match(clauses).unless(settings.read(LimitSettings.UNLESS));
  }

  private LimitKey key() {
    LimitKey key = new LimitKey(settings.read(LimitSettings.KEY));
    boolean onStateStore = backend == Backend.STATE_STORE && settings.sound(LimitSettings.BACKEND);
    if (key.fields().isEmpty() && onStateStore) {
      settings.mistake(
          LimitSettings.KEY,
          "one count for all needs backend=redis; on the state store a key is " + Field.NAMES);
    }
    return key;
  }

  private KeyMissing keyMissing(Limit limit) {
    boolean never =
        Stream.concat(limit.key().fields().stream(), limit.distinct().stream())
            .noneMatch(Field::mayBeMissing);
    boolean sound = settings.sound(LimitSettings.KEY) && settings.sound(LimitSettings.DISTINCT);
    if (never && sound && settings.has(LimitSettings.KEY_MISSING)) {
      settings.mistake(
          LimitSettings.KEY_MISSING,
          "only applies if key or distinct has target or attributes.X; every event has the others");
    }
    return settings.read(LimitSettings.KEY_MISSING);
  }

  private RedisUnavailable redisUnavailable() {
    boolean onStateStore = backend == Backend.STATE_STORE && settings.sound(LimitSettings.BACKEND);
    if (settings.has(LimitSettings.REDIS_UNAVAILABLE) && onStateStore) {
      settings.mistake(LimitSettings.REDIS_UNAVAILABLE, "only applies with backend=redis");
    }
    return settings.read(LimitSettings.REDIS_UNAVAILABLE);
  }
}
