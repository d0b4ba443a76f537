package io.sluice.limiter.registry;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reader of the settings of one limit, which refuses combinations that no rule can have. */
final class RuleReader {
  /** Algorithms that need only a key of the arrival, by their names in a configuration. */
  private static final Map<String, Algorithm> ALGORITHMS = new LinkedHashMap<>();

  static {
    ALGORITHMS.put("funnel", Algorithm.GCRA);
    ALGORITHMS.put("sliding-window-log", Algorithm.SLIDING_WINDOW_LOG);
    ALGORITHMS.put("sliding-window-counter", Algorithm.SLIDING_WINDOW_COUNTER);
    ALGORITHMS.put("calendar-window", Algorithm.CALENDAR_WINDOW);
  }

  private static final String A_CALENDARS_QUOTA =
      "a quota for an hour, day, week, month or year, such as 1000/day";
  private static final Quota ANY_QUOTA = Quota.of(1, Duration.ofSeconds(1));

  private final String name;
  private final Texts texts;

  private RuleReader(String name, Texts texts) {
    this.name = name;
    this.texts = texts;
  }

  /**
   * Reads the rule of a limit. A setting with a mistake is recorded as such, and the rule has a
   * harmless default instead.
   */
  static Rule read(String name, Texts texts) {
    return new RuleReader(name, texts).read();
  }

  private String key(String setting) {
    return "sluice.limit." + name + "." + setting;
  }

  private Rule read() {
    Optional<Quota> given = quota();
    Algorithm algorithm = algorithm(given);
    Quota quota = burst(given.orElse(ANY_QUOTA), algorithm);
    return Rule.policing(name, quota, algorithm).blocking(blockMicros()).in(zone(given));
  }

  private Optional<Quota> quota() {
    String key = key("quota");
    if (!texts.has(key)) {
      texts.mistake(key + ": missing; a quota is permits/period, such as 5/60s");
    }
    return texts.find(key, "", Quota::parse);
  }

  private static boolean isOfCalendar(Quota quota) {
    return quota.unit() != CalendarUnit.NONE;
  }

  private Algorithm algorithm(Optional<Quota> quota) {
    String key = key("algorithm");
    boolean calendar = quota.filter(RuleReader::isOfCalendar).isPresent();
    Algorithm fitting = calendar ? Algorithm.CALENDAR_WINDOW : Algorithm.GCRA;
    Algorithm read =
        texts
            .find(key, "accepted are " + String.join(", ", ALGORITHMS.keySet()), RuleReader::named)
            .orElse(fitting);
    if (quota.isEmpty() || read.countsCalendarPeriods() == calendar) {
      return quota.isEmpty() ? Algorithm.GCRA : read;
    }
    texts.refuse(
        key,
        calendar
            ? "a quota for a period of the calendar needs a calendar-window"
            : "a calendar-window needs " + A_CALENDARS_QUOTA);
    return fitting;
  }

  private static Algorithm named(String text) {
    if (!ALGORITHMS.containsKey(text)) throw new IllegalArgumentException(text);
    return ALGORITHMS.get(text);
  }

  private Quota burst(Quota quota, Algorithm algorithm) {
    String key = key("burst");
    Optional<Long> burst = texts.find(key, "1 to " + Quota.MOST_PERMITS, RuleReader::permits);
    if (burst.isEmpty()) return quota;
    if (!algorithm.hasBurst()) {
      texts.refuse(key, "only a funnel has a burst");
      return quota;
    }
    try {
      return quota.withBurst(burst.get());
    } catch (IllegalArgumentException e) {
      texts.refuse(key, e.getMessage());
      return quota;
    }
  }

  private static long permits(String text) {
    long permits = Quota.parsePermits(text);
    if (permits < 1 || permits > Quota.MOST_PERMITS) throw new IllegalArgumentException(text);
    return permits;
  }

  private long blockMicros() {
    return texts
        .find(
            key("block"),
            "a period, 1ms to 3660d, or nothing",
            text -> text.isEmpty() ? Duration.ZERO : Periods.between(text, "1ms", "3660d"))
        .map(block -> block.toNanos() / 1_000)
        .orElse(0L);
  }

  private ZoneId zone(Optional<Quota> quota) {
    String key = key("zone");
    Optional<ZoneId> zone =
        texts.find(key, "UTC, or a name such as Europe/Berlin", RuleReader::zone);
    if (zone.isPresent() && quota.filter(each -> !isOfCalendar(each)).isPresent()) {
      texts.refuse(key, "only applies with " + A_CALENDARS_QUOTA);
    }
    return zone.orElse(ZoneOffset.UTC);
  }

  private static ZoneId zone(String text) {
    if (!ZoneId.getAvailableZoneIds().contains(text)) throw new IllegalArgumentException(text);
    return ZoneId.of(text).normalized();
  }
}
