package io.sluice.events;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Parser of one time in the spellings of ISO-8601 that producers use: a date, {@code T} or a space,
 * hours and minutes, perhaps seconds and a fraction after a point or a comma, and an offset ({@code
 * Z}, {@code +01}, {@code +0100}, {@code +01:00}), a zone in brackets, both or neither. The offset
 * has precedence over the zone. It is written by hand, because it is called for each event, and
 * {@code DateTimeFormatter} would need several attempts with exceptions.
 */
final class IsoTime {
  private static final int NANO_DIGITS = 9;
  private static final int LONGEST = 100;

  private final String text;
  private int at;
  private LocalDateTime local;
  private ZoneId zone;

  IsoTime(String text) {
    this.text = text;
  }

  /** Reads the text; returns whether it is a time. */
  boolean read() {
    if (text.length() > LONGEST) return false;
    try {
      return reads();
    } catch (DateTimeException e) {
      return false; // for example a month 13, or an unknown zone
    }
  }

  private boolean reads() {
    int year = digits(4);
    if (year < 0 || !takes('-')) return false;
    int month = digits(2);
    if (month < 0 || !takes('-')) return false;
    int day = digits(2);
    if (day < 0 || !(takes('T') || takes('t') || takes(' '))) return false;
    LocalDate date = LocalDate.of(year, month, day);
    int hour = digits(2);
    if (hour < 0 || !takes(':')) return false;
    int minute = digits(2);
    if (minute < 0) return false;
    int second = 0;
    int nano = 0;
    if (takes(':')) {
      second = digits(2);
      if (second < 0) return false;
      if (takes('.') || takes(',')) nano = fraction();
      if (nano < 0) return false;
    }
    boolean isEndOfDay = hour == 24 && minute == 0 && second == 0 && nano == 0;
    boolean isLeap = hour == 23 && minute == 59 && second == 60;
    local =
        isEndOfDay
            ? date.plusDays(1).atStartOfDay()
            : date.atTime(LocalTime.of(hour, minute, isLeap ? 59 : second, nano));
    return readsOffset();
  }

  private boolean readsOffset() {
    if (takes('Z') || takes('z')) {
      zone = ZoneOffset.UTC;
    } else if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      boolean isWest = text.charAt(at++) == '-';
      int hours = digits(2);
      if (hours < 0) return false;
      int minutes = 0;
      if (at < text.length() && text.charAt(at) != '[') {
        takes(':');
        minutes = digits(2);
        if (minutes < 0) return false;
      }
      zone = ZoneOffset.ofHoursMinutes(isWest ? -hours : hours, isWest ? -minutes : minutes);
    }
    if (takes('[')) {
      int end = text.indexOf(']', at);
      if (end < 0) return false;
      ZoneId named = ZoneId.of(text.substring(at, end));
      if (zone == null) zone = named;
      at = end + 1;
    }
    return at == text.length();
  }

  /** Returns whether the text says an offset or a zone. */
  boolean hasOffset() {
    return zone != null;
  }

  LocalDateTime localTime() {
    return local;
  }

  long epochMs() {
    return local.atZone(zone).toInstant().toEpochMilli();
  }

  /** Reads exactly this many digits; returns -1 if there are fewer. */
  private int digits(int count) {
    int end = at + count;
    if (end > text.length()) return -1;
    int number = 0;
    while (at < end) {
      char c = text.charAt(at++);
      if (c < '0' || c > '9') return -1;
      number = number * 10 + c - '0';
    }
    return number;
  }

  /** Reads one to nine digits of a fraction, in nanoseconds; returns -1 if there are none. */
  private int fraction() {
    int nano = 0;
    int count = 0;
    for (; at < text.length() && count < NANO_DIGITS; count++) {
      char c = text.charAt(at);
      if (c < '0' || c > '9') break;
      nano = nano * 10 + c - '0';
      at++;
    }
    if (count == 0) return -1;
    for (; count < NANO_DIGITS; count++) nano *= 10;
    return nano;
  }

  private boolean takes(char c) {
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }
}
