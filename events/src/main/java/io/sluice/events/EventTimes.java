package io.sluice.events;

import io.sluice.events.Selector.UnfitValueException;
import io.sluice.limiter.PlainText;
import io.sluice.schemas.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.Optional;

/**
 * Reader of the times of events: numbers in a unit, texts in ISO-8601, and texts by a pattern.
 * Immutable.
 *
 * @param unit unit of numbers, also of numbers in text
 * @param pattern pattern of texts, which is tried before all other forms; empty if there is none
 * @param zone time zone of local times; empty if a time must have an offset
 */
public record EventTimes(Unit unit, Optional<DateTimeFormatter> pattern, Optional<ZoneId> zone) {
  public static final EventTimes DEFAULT =
      new EventTimes(Unit.AUTO, Optional.empty(), Optional.empty());

  /**
   * Lowest and highest number of ten digits: the years 2001 to 2286 in seconds, but January to
   * April 1970 in milliseconds. Without a configured unit it is refused, because the producer
   * probably used seconds.
   */
  private static final long LEAST_SECONDS = 1_000_000_000L;

  static final long MOST_SECONDS = 9_999_999_999L;

  private static final long LEAST_MICROS = 1_000_000_000_000_000L; // 16 digits
  private static final long LEAST_NANOS = 1_000_000_000_000_000_000L; // 19 digits
  private static final int MOST_DIGITS = 100;

  /** Unit of times that are numbers. */
  public enum Unit {
    /** Milliseconds; 16 digits are microseconds, and 19 digits nanoseconds. */
    AUTO(0),
    S(3),
    MS(0),
    US(-3),
    NS(-6);

    private final int power; // of ten, from this unit to milliseconds

    Unit(int power) {
      this.power = power;
    }
  }

  /** Returns whether a number of milliseconds is probably a number of seconds. */
  static boolean looksLikeSeconds(long ms) {
    return ms >= LEAST_SECONDS && ms <= MOST_SECONDS;
  }

  /**
   * Parses a pattern of {@link DateTimeFormatter}.
   *
   * @throws IllegalArgumentException if it is not one, or if no time has both a date and an hour by
   *     it
   */
  public static DateTimeFormatter pattern(String text) {
    DateTimeFormatter pattern = DateTimeFormatter.ofPattern(text, Locale.ENGLISH);
    try {
      TemporalAccessor sample =
          pattern.parse(
              pattern.format(LocalDateTime.of(2026, 11, 21, 9, 0).atZone(ZoneOffset.UTC)));
      if (!isInstant(sample)) LocalDateTime.from(sample);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("lacks the date or the hour", e);
    }
    return pattern;
  }

  /** Returns whether times by this pattern have an offset or a zone. */
  public static boolean hasOffset(DateTimeFormatter pattern) {
    String sample = pattern.format(LocalDateTime.of(2026, 11, 21, 9, 0).atZone(ZoneOffset.UTC));
    return isInstant(pattern.parse(sample));
  }

  private static boolean isInstant(TemporalAccessor time) {
    return time.isSupported(ChronoField.INSTANT_SECONDS);
  }

  /**
   * Returns the time that a value gives, in epoch milliseconds, rounded down.
   *
   * @throws UnfitValueException if the value is not a time, or one without an offset
   */
  long ofValue(Object value) throws UnfitValueException {
    if (value instanceof Long number) return ofNumber(number);
    if (value instanceof String text) return ofText(text);
    if (value instanceof Values.Decimal number) {
      if (!number.isPlain()) throw outOfRange(number);
      return ofNumber(number.text());
    }
    if (value instanceof Values.Timestamp time) return ofTimestamp(time);
    throw new UnfitValueException("must be a time");
  }

  private long ofTimestamp(Values.Timestamp time) throws UnfitValueException {
    if (time.perMilli() == 0)
      throw new UnfitValueException("is a number in a unit that is no time");
    long ms = Math.floorDiv(time.number(), time.perMilli());
    return time.isLocal()
        ? local(
            LocalDateTime.ofEpochSecond(
                Math.floorDiv(ms, 1_000),
                (int) Math.floorMod(ms, 1_000L) * 1_000_000,
                ZoneOffset.UTC))
        : ms;
  }

  private long ofNumber(long number) throws UnfitValueException {
    return switch (unit) {
      case AUTO -> {
        if (looksLikeSeconds(number)) throw likeSeconds(number);
        if (number >= LEAST_NANOS) yield number / 1_000_000;
        yield number >= LEAST_MICROS && number < 10 * LEAST_MICROS ? number / 1_000 : number;
      }
      case S -> {
        if (Math.abs(number) > Long.MAX_VALUE / 1_000) throw outOfRange(number);
        yield number * 1_000;
      }
      case MS -> number;
      case US -> Math.floorDiv(number, 1_000L);
      case NS -> Math.floorDiv(number, 1_000_000L);
    };
  }

  private static UnfitValueException likeSeconds(Object number) {
    return new UnfitValueException(
        "looks like seconds and must be epoch milliseconds: "
            + number
            + " (sluice.event.time.unit says the unit)");
  }

  private static UnfitValueException outOfRange(Object number) {
    return new UnfitValueException("is out of range: " + PlainText.message(number.toString(), 100));
  }

  /** Returns the time of a number with a fraction, or of one beyond {@code long}. */
  private long ofNumber(String digits) throws UnfitValueException {
    if (digits.length() > MOST_DIGITS) throw new UnfitValueException("has too many digits");
    try {
      BigDecimal number = new BigDecimal(digits);
      long whole = number.setScale(0, RoundingMode.FLOOR).longValueExact();
      if (unit == Unit.AUTO) return ofNumber(whole);
      return number.movePointRight(unit.power).setScale(0, RoundingMode.FLOOR).longValueExact();
    } catch (NumberFormatException e) {
      throw new UnfitValueException("is not a number: " + PlainText.message(digits, 100));
    } catch (ArithmeticException e) {
      throw outOfRange(digits);
    }
  }

  private long ofText(String text) throws UnfitValueException {
    if (pattern.isPresent()) {
      Optional<TemporalAccessor> time = byPattern(text);
      if (time.isPresent()) return ofParsed(time.get());
    }
    if (isNumber(text)) {
      boolean isLong = text.length() <= 18 && text.indexOf('.') < 0;
      return isLong ? ofNumber(Long.parseLong(text)) : ofNumber(text);
    }
    IsoTime iso = new IsoTime(text);
    if (!iso.read()) throw new UnfitValueException(notATime());
    return iso.hasOffset() ? iso.epochMs() : local(iso.localTime());
  }

  private String notATime() {
    return "is not a time in ISO-8601, such as 2026-11-21T09:00:00Z"
        + (pattern.isPresent() ? ", and not by sluice.event.time.pattern" : "");
  }

  private Optional<TemporalAccessor> byPattern(String text) {
    try {
      return Optional.of(pattern.get().parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private long ofParsed(TemporalAccessor time) throws UnfitValueException {
    try {
      if (isInstant(time)) return Instant.from(time).toEpochMilli();
      LocalDateTime local = LocalDateTime.from(time);
      ZoneId own = time.query(TemporalQueries.zone());
      return own == null ? local(local) : local.atZone(own).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw new UnfitValueException("is not a time by sluice.event.time.pattern");
    }
  }

  private long local(LocalDateTime time) throws UnfitValueException {
    if (zone.isPresent()) return time.atZone(zone.get()).toInstant().toEpochMilli();
    throw new UnfitValueException(
        "is a local time: its offset, such as Z or +01:00, is missing"
            + " (sluice.event.time.zone says the zone of such times)");
  }

  private static boolean isNumber(String text) {
    int at = text.startsWith("-") ? 1 : 0;
    int points = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' && i > at && i + 1 < text.length()) points++;
      else if (c < '0' || c > '9') return false;
    }
    return text.length() > at && points <= 1;
  }
}
