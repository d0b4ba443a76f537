package io.sluice.rules.settings;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Quota;
import io.sluice.limiter.config.SettingFormat;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.ZoneSelector;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Parser of a limit's quota, and of the settings that depend on it: algorithm, zone and distinct
 * fields.
 */
final class QuotaParser {
  private static final String SUCH_A_QUOTA =
      "a quota for an hour, day, week, month or year, such as 1000/day";

  /** Substitute for a quota that cannot be parsed. */
  private static final Quota ANY_QUOTA = Quota.of(1, Duration.ofSeconds(1));

  private final RawSettings settings;
  private final Optional<Quota> given;
  private final Algorithm algorithm;
  private final List<Field> distinct;

  /**
   * Creates a parser for one limit.
   *
   * @param settings of this limit
   */
  QuotaParser(RawSettings settings) {
    this.settings = settings;
    given = settings.find(LimitSettings.QUOTA);
    Algorithm read =
        given.map(this::fitting).orElseGet(() -> settings.read(LimitSettings.ALGORITHM));
    distinct = settings.read(LimitSettings.DISTINCT);
    algorithm = distinct.isEmpty() ? ofEvents(read) : ofDistinct(read);
  }

  private Algorithm ofEvents(Algorithm read) {
    if (read != Algorithm.HYPERLOGLOG) return read;
    if (settings.sound(LimitSettings.DISTINCT)) {
      settings.mistake(
          LimitSettings.ALGORITHM,
          "a hyperloglog counts distinct things: name fields in " + LimitSettings.DISTINCT.name);
    }
    return Algorithm.GCRA;
  }

  /** Fields whose distinct values the limit counts instead of events; empty if it counts events. */
  List<Field> distinct() {
    return distinct;
  }

  private Algorithm ofDistinct(Algorithm read) {
    if (!settings.sound(LimitSettings.ALGORITHM)) return read;
    if (read == Algorithm.HYPERLOGLOG) return read;
    if (read != Algorithm.SLIDING_WINDOW_LOG) {
      settings.mistake(
          LimitSettings.DISTINCT,
          "distinct things are counted by a sliding-window-log or a hyperloglog, not by a "
              + SettingFormat.nameOf(read));
      return read;
    }
    if (given.filter(quota -> quota.permits() > LimitSettings.MOST_DISTINCT).isPresent()) {
      settings.mistake(
          LimitSettings.QUOTA,
          "a sliding-window-log counts up to "
              + LimitSettings.MOST_DISTINCT
              + " distinct things; a hyperloglog counts any number");
    }
    return Algorithm.DISTINCT_LOG;
  }

  Algorithm algorithm() {
    return algorithm;
  }

  private Algorithm fitting(Quota quota) {
    Algorithm read = settings.read(LimitSettings.ALGORITHM);
    boolean calendar = isOfCalendar(quota);
    if (read.countsCalendarPeriods() == calendar) return read;
    if (settings.has(LimitSettings.ALGORITHM) && settings.sound(LimitSettings.ALGORITHM)) {
      settings.mistake(LimitSettings.ALGORITHM, unfit(read, quota));
    }
    return calendar ? Algorithm.CALENDAR_WINDOW : Algorithm.GCRA;
  }

  static boolean isOfCalendar(Quota quota) {
    return quota.unit() != CalendarUnit.NONE;
  }

  private static String unfit(Algorithm algorithm, Quota quota) {
    return isOfCalendar(quota)
        ? "a quota for a "
            + quota.unit().title()
            + " of the calendar needs a calendar-window; a "
            + SettingFormat.nameOf(algorithm)
            + " needs a period such as 60s, 1h or 1d"
        : "a calendar-window needs " + SUCH_A_QUOTA;
  }

  Quota quota() {
    Quota quota = given.orElse(ANY_QUOTA);
    return settings.find(LimitSettings.BURST).map(burst -> withBurst(quota, burst)).orElse(quota);
  }

  private Quota withBurst(Quota quota, long burst) {
    if (settings.sound(LimitSettings.ALGORITHM) && !algorithm.hasBurst()) {
      settings.mistake(
          LimitSettings.BURST,
          "only a "
              + LimitSettings.namesOf(Algorithm::hasBurst, " or a ")
              + " has a burst, not a "
              + SettingFormat.nameOf(algorithm));
    }
    if (!settings.sound(LimitSettings.QUOTA)) return quota;
    try {
      return quota.withBurst(burst);
    } catch (IllegalArgumentException e) {
      settings.mistake(LimitSettings.BURST, e.getMessage());
      return quota;
    }
  }

  /** Returns the zone of the calendar; UTC if the quota is not for a period of the calendar. */
  ZoneId zone() {
    ZoneSelector zone = settings.read(LimitSettings.ZONE);
    boolean sound = settings.has(LimitSettings.ZONE) && settings.sound(LimitSettings.ZONE);
    boolean calendar = given.filter(QuotaParser::isOfCalendar).isPresent();
    if (calendar) return ofCalendar(zone);
    if (sound && given.isPresent() && !settings.has(LimitSettings.OPEN)) {
      settings.mistake(
          LimitSettings.ZONE,
          "only applies with " + SUCH_A_QUOTA + ", or with opening hours (open)");
    }
    return ZoneOffset.UTC;
  }

  private ZoneId ofCalendar(ZoneSelector zone) {
    if (zone instanceof ZoneSelector.Fixed fixed && !isOffset(fixed.zone())) return fixed.zone();
    // The zone of a calendar decides on counts that are kept, so it cannot depend on an event.
    settings.mistake(LimitSettings.ZONE, "a time zone is " + SettingFormat.ZONE.accepted());
    return ZoneOffset.UTC;
  }

  private static boolean isOffset(ZoneId zone) {
    return zone instanceof ZoneOffset && !zone.equals(ZoneOffset.UTC);
  }
}
