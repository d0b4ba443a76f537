package io.sluice.limiter.registry;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.config.ProgramSettings;
import io.sluice.limiter.config.SettingFormat;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Reader of the settings of one limit, which refuses combinations that no rule can have. */
final class RuleReader {
  /** Algorithms that need only a key of the arrival. */
  private static final SettingFormat<Algorithm> ALGORITHM =
      SettingFormat.algorithm(
          List.of(
              Algorithm.GCRA,
              Algorithm.SLIDING_WINDOW_LOG,
              Algorithm.SLIDING_WINDOW_COUNTER,
              Algorithm.CALENDAR_WINDOW));

  private static final String A_CALENDARS_QUOTA =
      "a quota for an hour, day, week, month or year, such as 1000/day";
  private static final Quota ANY_QUOTA = Quota.of(1, Duration.ofSeconds(1));

  private final String name;
  private final ProgramSettings texts;

  private RuleReader(String name, ProgramSettings texts) {
    this.name = name;
    this.texts = texts;
  }

  /**
   * Reads the rule of a limit. A setting with a mistake is recorded as such, and the rule has a
   * harmless default instead.
   */
  static Rule read(String name, ProgramSettings texts) {
    return new RuleReader(name, texts).read();
  }

  private String key(String setting) {
    return "sluice.limit." + name + "." + setting;
  }

  private Rule read() {
    Optional<Quota> given = quota();
    Algorithm algorithm = algorithm(given);
    Quota quota = burst(given.orElse(ANY_QUOTA), algorithm);
    Duration block = texts.find(key("block"), SettingFormat.BLOCK).orElse(Duration.ZERO);
    return Rule.policing(name, quota, algorithm).blocking(block.toNanos() / 1_000).in(zone(given));
  }

  private Optional<Quota> quota() {
    String key = key("quota");
    if (!texts.has(key)) {
      texts.missing(key, "a quota is permits/period, such as 5/60s");
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
        texts.find(key, "accepted are " + ALGORITHM.accepted(), ALGORITHM.reader()).orElse(fitting);
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

  private Quota burst(Quota quota, Algorithm algorithm) {
    String key = key("burst");
    Optional<Long> burst = texts.find(key, SettingFormat.BURST);
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

  private ZoneId zone(Optional<Quota> quota) {
    String key = key("zone");
    Optional<ZoneId> zone = texts.find(key, SettingFormat.ZONE);
    if (zone.isPresent() && quota.filter(each -> !isOfCalendar(each)).isPresent()) {
      texts.refuse(key, "only applies with " + A_CALENDARS_QUOTA);
    }
    return zone.orElse(ZoneOffset.UTC);
  }
}
