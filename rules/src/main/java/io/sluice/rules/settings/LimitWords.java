package io.sluice.rules.settings;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.config.SettingFormat;
import io.sluice.limiter.config.Zones;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.limit.Match;
import io.sluice.rules.limit.ZoneSelector;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Descriptions of limits in words, for users. */
public final class LimitWords {
  private final LimitsConfig configured;

  public LimitWords(LimitsConfig configured) {
    this.configured = configured;
  }

  /** Returns a description of each limit in one line, by name of the limit. */
  public Map<String, String> lines() {
    Map<String, String> limits = new LinkedHashMap<>();
    for (Limit limit : configured.limits().all()) {
      List<String> words = words(limit).stream().filter(each -> !each.isEmpty()).toList();
      limits.put(limit.name(), String.join(", ", words));
    }
    return limits;
  }

  /** Returns the description of a limit in parts, without its name; some parts may be empty. */
  public List<String> words(Limit limit) {
    return List.of(
        match(limit),
        quota(limit.rule(), different(limit)) + per(limit) + hours(limit),
        kept(limit),
        "if exceeded: " + over(limit),
        whileRedisIsAway(limit));
  }

  private String match(Limit limit) {
    String prefix = LimitSettings.matchPrefix(limit.name());
    List<Match.Clause> clauses = limit.match().clauses();
    return limit
        .match()
        .inWords(
            clauses.stream()
                .map(
                    each ->
                        each.field()
                            + "="
                            + configured
                                .texts()
                                .shown(prefix + each.field(), "" + each.accepted())));
  }

  private static String different(Limit limit) {
    if (limit.distinct().isEmpty()) return "";
    return " different " + names(limit.distinct(), " and ");
  }

  private static String quota(Rule rule, String different) {
    Quota quota = rule.quota();
    if (QuotaParser.isOfCalendar(quota)) return ofCalendar(quota, rule.zone());
    String time = period(quota.periodMicros() / 1_000);
    if (rule.algorithm().admitsOnce()) return "once in any " + time;
    if (rule.algorithm().hasBurst()) {
      return quota.permits() + " in " + time + ", burst " + quota.burst() + ",";
    }
    String most = rule.algorithm().isApproximate() ? "about " : "at most ";
    return most + quota.permits() + different + " in any " + time;
  }

  private static String ofCalendar(Quota quota, ZoneId zone) {
    String article = quota.unit() == CalendarUnit.HOUR ? " an " : " a ";
    String period = article + quota.unit().title() + " (" + Zones.nameOf(zone) + ")";
    return "at most " + quota.permits() + period;
  }

  private static String per(Limit limit) {
    List<Field> fields = limit.key().fields();
    String per = fields.isEmpty() ? " over all events" : " per " + names(fields, " and ");
    return per + withoutKey(limit);
  }

  private static String hours(Limit limit) {
    if (limit.hours().areAlways()) return "";
    ZoneSelector zone = limit.hours().zone();
    String where =
        zone instanceof ZoneSelector.OfField named
            ? "zone of " + named.field() + ", else " + Zones.nameOf(named.otherwise())
            : Zones.nameOf(((ZoneSelector.Fixed) zone).zone());
    return ", open " + limit.hours().hours() + " (" + where + ")";
  }

  /** Describes the treatment of events that lack a field by which the limit counts. */
  private static String withoutKey(Limit limit) {
    boolean shares = limit.keyMissing() == KeyMissing.SHARE;
    List<Field> missing = limit.optionalFields();
    if (shares) missing = missing.stream().filter(limit.key().fields()::contains).toList();
    if (missing.isEmpty()) return "";
    String without = "without " + names(missing, " or ");
    return switch (limit.keyMissing()) {
      case SKIP -> " (events " + without + " are not limited by it)";
      case SHARE -> " (all " + without + " as one)";
      case REJECT ->
          " (events " + without + (limit.rule().shadow() ? " only reported)" : " are rejected)");
    };
  }

  private static String names(List<Field> fields, String separator) {
    return fields.stream().map(Field::toString).collect(joining(separator));
  }

  private static String kept(Limit limit) {
    Algorithm algorithm = limit.rule().algorithm();
    String backend = limit.backend() == Backend.REDIS ? "redis" : "the state store";
    return SettingFormat.nameOf(algorithm) + " on " + backend + memory(limit.rule());
  }

  /** Memory of the Bloom filters for the configured capacity, over all partitions. */
  private static String memory(Rule rule) {
    if (!rule.algorithm().admitsOnce()) return "";
    long mebibytes = (rule.filter().bytes() + (1 << 20) - 1) >> 20;
    return String.format(
        Locale.ROOT, ", %,d keys in about %,d MiB", rule.filter().capacity(), mebibytes);
  }

  private static String over(Limit limit) {
    if (limit.rule().shadow()) return "only report" + block(limit.rule(), ", as if");
    if (limit.rule().countsAttempts()) {
      return "reject, and count the attempt" + block(limit.rule(), ", and");
    }
    Exceeded exceeded = limit.exceeded();
    if (exceeded instanceof Exceeded.Delay delay) {
      return "delay up to " + period(delay.maxWaitMicros() / 1_000) + ", else reject";
    }
    if (exceeded instanceof Exceeded.Retry retry) {
      return "retry, " + retry.attempts() + " attempts in total, then reject";
    }
    if (exceeded instanceof Exceeded.Queue queue) {
      return "wait in line up to "
          + period(queue.maxWaitMicros() / 1_000)
          + ", at most "
          + queue.maxLength()
          + " in a line, else reject";
    }
    return "reject" + block(limit.rule(), ", and");
  }

  private static String block(Rule rule, String and) {
    String verb = rule.shadow() ? " blocking" : " block";
    return rule.blockMicros() > 0
        ? and + verb + " the key for " + period(rule.blockMicros() / 1_000)
        : "";
  }

  private static String whileRedisIsAway(Limit limit) {
    if (limit.backend() != Backend.REDIS) return "";
    return "if Redis is down: "
        + switch (limit.redisUnavailable()) {
          case WAIT -> "wait";
          case ALLOW -> "allow";
          case REJECT -> "reject";
          case STATE_STORE -> "count per partition";
        };
  }

  /**
   * Formats a duration in the largest unit without a fraction. One minute is 60 s, as in quotas.
   */
  public static String period(long millis) {
    if (millis % 1_000 != 0) return millis + " ms";
    if (millis % 60_000 != 0 || millis <= 60_000) return millis / 1_000 + " s";
    if (millis % 3_600_000 != 0) return millis / 60_000 + " min";
    if (millis % 86_400_000 != 0) return millis / 3_600_000 + " h";
    return millis / 86_400_000 + " d";
  }
}
