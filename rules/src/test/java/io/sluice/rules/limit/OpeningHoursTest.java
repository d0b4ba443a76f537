package io.sluice.rules.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.limit.OpeningHours.Span;
import io.sluice.testing.TestScale;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OpeningHoursTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  /** Zones with unusual changes: at midnight, by half an hour or two hours, or of a whole date. */
  private static final List<String> ODD_ZONES =
      List.of(
          "Europe/Berlin",
          "Australia/Lord_Howe",
          "Antarctica/Troll",
          "Pacific/Apia",
          "America/Sao_Paulo",
          "America/Havana",
          "Atlantic/Azores",
          "Africa/Casablanca",
          "Asia/Beirut",
          "Pacific/Chatham");

  @Test
  void hoursAreOpenWithinTheirWindows() {
    OpeningHours hours = OpeningHours.parse("mon-fri 08:00-20:00, sat 10:00-14:00");

    assertThat(openAt(hours, "2026-11-27T08:00:00+01:00")).isTrue(); // a Friday
    assertThat(openAt(hours, "2026-11-27T19:59:59+01:00")).isTrue();
    assertThat(openAt(hours, "2026-11-27T20:00:00+01:00")).isFalse();
    assertThat(opening(hours, "2026-11-27T20:00:00+01:00")).isEqualTo("2026-11-28T10:00+01:00");
    assertThat(opening(hours, "2026-11-28T14:00:00+01:00")).isEqualTo("2026-11-30T08:00+01:00");
    assertThat(opening(hours, "2026-11-30T09:00:00+01:00")).isEqualTo("2026-11-30T09:00+01:00");
  }

  @Test
  void aWindowMayLastPastMidnightAndPastTheWeek() {
    OpeningHours hours =
        OpeningHours.parse("fri 22:00-02:00, sat-mon 23:00-24:00, sun 23:30-01:00");

    assertThat(openAt(hours, "2026-11-28T01:59:59+01:00")).isTrue();
    assertThat(openAt(hours, "2026-11-28T02:00:00+01:00")).isFalse();
    assertThat(openAt(hours, "2026-11-30T00:59:00+01:00")).isTrue(); // Monday, after Sunday
    assertThat(opening(hours, "2026-11-30T01:00:00+01:00")).isEqualTo("2026-11-30T23:00+01:00");
    assertThat(opening(hours, "2026-12-01T00:00:00+01:00")).isEqualTo("2026-12-04T22:00+01:00");
  }

  @Test
  void aTimeThatDoesNotExistIsTheFirstInstantAfterTheGap() {
    // Clocks go from 02:00 to 03:00.
    OpeningHours opens = OpeningHours.parse("sun 02:30-08:00");
    OpeningHours closes = OpeningHours.parse("sun 01:00-02:30");
    OpeningHours both = OpeningHours.parse("sun 02:10-02:50");

    assertThat(opening(opens, "2026-03-29T00:00:00+01:00")).isEqualTo("2026-03-29T03:00+02:00");
    assertThat(openAt(closes, "2026-03-29T01:59:59+01:00")).isTrue();
    assertThat(openAt(closes, "2026-03-29T03:00:00+02:00")).isFalse();
    assertThat(opening(both, "2026-03-29T00:00:00+01:00")).isEqualTo("2026-04-05T02:10+02:00");
  }

  @Test
  void aTimeThatOccursTwiceOpensTheFirstAndClosesTheLastTime() {
    // Clocks go from 03:00 to 02:00.
    OpeningHours hours = OpeningHours.parse("sun 02:30-02:40");

    assertThat(opening(hours, "2026-10-25T00:00:00+02:00")).isEqualTo("2026-10-25T02:30+02:00");
    assertThat(openAt(hours, "2026-10-25T02:50:00+02:00")).isTrue();
    assertThat(openAt(hours, "2026-10-25T02:39:59+01:00")).isTrue();
    assertThat(openAt(hours, "2026-10-25T02:40:00+01:00")).isFalse();
  }

  @Test
  void aDateThatAZoneSkipsHasNoHours() {
    // Samoa had no 30 December 2011, a Friday.
    OpeningHours hours = OpeningHours.parse("fri 10:00-11:00");
    ZoneId apia = ZoneId.of("Pacific/Apia");
    long ms = Instant.parse("2011-12-24T00:00:00Z").toEpochMilli();

    assertThat(Instant.ofEpochMilli(hours.nextOpeningMs(ms, apia)))
        .isEqualTo("2012-01-05T20:00:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "mon-fri 08:00-20:00, sat 10:00-14:00; mon-fri 08:00-20:00, sat 10:00-14:00",
        "Sat 10:00-14:00 ,MON-FRI  08:00-20:00; mon-fri 08:00-20:00, sat 10:00-14:00",
        "mon 08:00-12:00, mon 11:00-20:00; mon 08:00-20:00",
        "mon 08:00-12:00, mon 12:00-20:00; mon 08:00-20:00",
        "fri 22:00-02:00; fri 22:00-02:00",
        "fri 22:00-24:00, sat 00:00-02:00; fri 22:00-02:00",
        "sun 22:00-02:00; sun 22:00-02:00",
        "sat-mon 08:00-09:00; mon 08:00-09:00, sat-sun 08:00-09:00",
        "mon-sun 00:00-24:00; mon-sun 00:00-24:00",
        "sun-sat 12:00-11:59, mon-sun 11:00-12:00; mon-sun 00:00-24:00",
        "sat-sun 00:00-24:00; sat-sun 00:00-24:00",
        "sun-mon 00:00-24:00; mon 00:00-24:00, sun 00:00-24:00",
        "fri 18:00-24:00, sat-sun 00:00-24:00; fri 18:00-24:00, sat-sun 00:00-24:00",
        "mon 08:00-07:59; mon 08:00-07:59",
        "mon-tue 08:00-08:01, tue 00:00-24:00; mon 08:00-08:01, tue 00:00-24:00",
      })
  void equalHoursHaveOneText(String text, String canonical) {
    OpeningHours hours = OpeningHours.parse(text);

    assertThat(hours).hasToString(canonical);
    assertThat(OpeningHours.parse(hours.toString())).isEqualTo(hours);
    assertThat(OpeningHours.parse(hours.toString())).hasToString(hours.toString());
  }

  @Test
  void hoursWithoutAWindowNeverClose() {
    assertThat(OpeningHours.parse(" ")).isEqualTo(OpeningHours.ALWAYS);
    assertThat(OpeningHours.parse("mon-sun 00:00-24:00").areAlways()).isTrue();
    assertThat(OpeningHours.ALWAYS.openAt(0, BERLIN)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "mon-fri 08:00-20:00, sat 10:00-14:00; PT42H",
        "mon-sun 08:00-20:00; PT12H",
        "sun 22:00-02:00; PT164H",
        "mon 08:00-07:00; PT145H",
        "mon-sun 00:00-24:00; PT0S"
      })
  void theLongestClosureIsTheLongestTimeBetweenWindows(String text, Duration longest) {
    assertThat(OpeningHours.parse(text).longestClosure()).isEqualTo(longest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "mon-fri; not a window: mon-fri",
        "08:00-20:00; not a window: 08:00-20:00",
        "mon 08:00-12:00, 14:00-18:00; not a window: 14:00-18:00",
        "mon 08:00-12:00,; not a window: ; accepted",
        "mo 08:00-12:00; not a day: mo; accepted are mon, tue, wed, thu, fri, sat, sun",
        "mon-xyz 08:00-12:00; not a day: xyz",
        "mon 8:00-12:00; not a time: 8:00; accepted are 00:00 to 24:00",
        "mon 08:00-24:01; not a time: 24:01",
        "mon 08:00-25:00; not a time: 25:00",
        "mon 08:60-12:00; not a time: 08:60",
        "mon 24:00-12:00; 24:00 can only end a window",
        "mon 08:00-08:00; begins and ends at 08:00; accepted for a whole day is 00:00-24:00",
      })
  void aMistakeSaysWhatIsAccepted(String text, String problem) {
    assertThatThrownBy(() -> OpeningHours.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(problem.trim());
  }

  @Test
  void aLongTextIsNotParsedAndNotShown() {
    assertThatThrownBy(() -> OpeningHours.parse("mon 08:00-09:00,".repeat(100_000)))
        .hasMessage("longer than 1000 characters");
    assertThatThrownBy(() -> OpeningHours.parse("x".repeat(900)))
        .hasMessageContaining("x".repeat(40) + "...;");
  }

  static LongStream seeds() {
    return TestScale.seeds(50, 5_000);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void spansAreThoseOfAClockThatIsReadEveryMinute(long seed) {
    Random random = new Random(seed);
    ZoneId zone = zone(random);
    Instant begin = begin(random, zone);
    List<Entry> entries = new ArrayList<>(entries(random));
    ZoneOffsetTransition change = zone.getRules().nextTransition(begin);
    if (change != null) entries.addAll(entriesAround(change, random));
    String text = String.join(",", entries.stream().map(Entry::toString).toList());
    OpeningHours hours = OpeningHours.parse(text);
    Oracle oracle = new Oracle(zone, begin, entries);

    String at = "seed " + seed + ", " + zone + ", " + text + ", after ";
    int begun = Oracle.FIRST;
    while (begun < Oracle.LAST) {
      boolean isOpen = oracle.open.get(begun);
      int next = isOpen ? oracle.open.nextClearBit(begun) : oracle.open.nextSetBit(begun);
      if (next < 0 || next > Oracle.LAST + Oracle.DAY) break;
      long ms = oracle.ms(begun + random.nextInt(next - begun));
      Span span = hours.spanAt(ms, zone);
      assertThat(span.isOpen()).as(at + Instant.ofEpochMilli(ms)).isEqualTo(isOpen);
      assertThat(span.untilMs()).as(at + Instant.ofEpochMilli(ms)).isEqualTo(oracle.ms(next));
      assertThat(hours.spanAt(span.untilMs() - 1, zone)).as(at).isEqualTo(span);
      assertThat(hours.spanAt(span.fromMs(), zone)).as(at).isEqualTo(span);
      assertThat(hours.openAt(ms, zone)).isEqualTo(isOpen);
      assertThat(hours.nextOpeningMs(ms, zone)).isEqualTo(isOpen ? ms : span.untilMs());
      begun = next;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theCanonicalTextMeansTheSame(long seed) {
    Random random = new Random(seed);
    String text = String.join(",", entries(random).stream().map(Entry::toString).toList());
    OpeningHours hours = OpeningHours.parse(text);

    OpeningHours again = OpeningHours.parse(hours.toString());

    assertThat(again).as("seed %d, %s", seed, text).isEqualTo(hours);
    assertThat(again).hasToString(hours.toString()).hasSameHashCodeAs(hours);
  }

  private record Entry(int first, int last, int from, int to) {
    @Override
    public String toString() {
      String days = first == last ? DAYS.get(first) : DAYS.get(first) + "-" + DAYS.get(last);
      return days + " " + time(from) + "-" + time(to);
    }

    private static String time(int minute) {
      return String.format("%02d:%02d", minute / 60, minute % 60);
    }

    boolean isOn(DayOfWeek day) {
      int length = Math.floorMod(last - first, 7);
      return Math.floorMod(day.ordinal() - first, 7) <= length;
    }
  }

  private static List<Entry> entries(Random random) {
    List<Entry> entries = new ArrayList<>();
    int many = 1 + random.nextInt(4);
    for (int i = 0; i < many; i++) {
      // Half of the times are at night, when clocks change.
      int from = random.nextBoolean() ? random.nextInt(5 * 60) : random.nextInt(1_440);
      int to = random.nextBoolean() ? random.nextInt(5 * 60) : 1 + random.nextInt(1_440);
      if (random.nextBoolean()) {
        from -= from % 30;
        to -= to % 30;
      }
      if (from == to) to++;
      entries.add(new Entry(random.nextInt(7), random.nextInt(7), from, to));
    }
    return entries;
  }

  /** Returns a window that begins or ends near the local time of a change of the clock. */
  private static List<Entry> entriesAround(ZoneOffsetTransition change, Random random) {
    LocalDateTime local = change.getDateTimeBefore();
    int day = local.getDayOfWeek().ordinal();
    int minute = local.getHour() * 60 + local.getMinute();
    int one = Math.floorMod(minute + random.nextInt(240) - 120, 1_440);
    int other = Math.floorMod(one + 1 + random.nextInt(600), 1_440);
    int last = (day + random.nextInt(2)) % 7;
    if (one == other) return List.of();
    return List.of(
        random.nextBoolean() ? new Entry(day, last, one, other) : new Entry(last, day, other, one));
  }

  private static ZoneId zone(Random random) {
    List<String> names = List.copyOf(ZoneId.getAvailableZoneIds());
    int kind = random.nextInt(4);
    if (kind == 0) return ZoneOffset.ofTotalSeconds(60 * (random.nextInt(36 * 60) - 18 * 60));
    return ZoneId.of(
        kind == 1
            ? names.get(random.nextInt(names.size()))
            : ODD_ZONES.get(random.nextInt(ODD_ZONES.size())));
  }

  /** Begin of the oracle's minutes; mostly so that a change of the zone's clock is among them. */
  private static Instant begin(Random random, ZoneId zone) {
    Instant from = Instant.ofEpochSecond(160_000_000L + random.nextInt(1_900_000_000));
    ZoneOffsetTransition change = zone.getRules().nextTransition(from);
    if (random.nextInt(4) > 0 && change != null) {
      int before = Oracle.FIRST + random.nextInt(Oracle.LAST - Oracle.FIRST);
      from = change.getInstant().minusSeconds(before * 60L);
    }
    return Instant.ofEpochSecond(from.getEpochSecond() / 60 * 60);
  }

  /** Reads the clock of a zone every minute, and marks the minutes at which each window is open. */
  private static final class Oracle {
    private static final int DAY = 1_440;
    static final int FIRST = 9 * DAY;
    static final int LAST = 17 * DAY;
    static final int MINUTES = 32 * DAY;

    final BitSet open = new BitSet();
    private final Instant begin;
    private final LocalDateTime[] clock = new LocalDateTime[MINUTES];

    Oracle(ZoneId zone, Instant begin, List<Entry> entries) {
      this.begin = begin;
      for (int i = 0; i < MINUTES; i++) {
        clock[i] = LocalDateTime.ofInstant(begin.plusSeconds(i * 60L), zone);
      }
      LocalDate last = clock[MINUTES - 1].toLocalDate().minusDays(3);
      for (LocalDate date = clock[0].toLocalDate().plusDays(1);
          !date.isAfter(last);
          date = date.plusDays(1)) {
        for (Entry each : entries) if (each.isOn(date.getDayOfWeek())) mark(date, each);
      }
    }

    private void mark(LocalDate date, Entry window) {
      LocalDateTime from = date.atStartOfDay().plusMinutes(window.from);
      int minutes = window.to > window.from ? window.to : window.to + DAY;
      LocalDateTime to = date.atStartOfDay().plusMinutes(minutes);
      int opens = firstAtOrAfter(from);
      int closes = firstAtOrAfter(to);
      // The last time that the clock shows the end, at most three hours later.
      for (int i = closes; i < Math.min(MINUTES, closes + 180); i++) {
        if (clock[i].equals(to)) closes = i;
      }
      if (opens < closes) open.set(opens, closes);
    }

    private int firstAtOrAfter(LocalDateTime local) {
      // Clocks go back by less than two days, so a binary search to before that is exact.
      int i = 0;
      for (int step = 1 << 15; step > 0; step /= 2) {
        int next = i + step;
        if (next < MINUTES && clock[next].isBefore(local.minusDays(2))) i = next;
      }
      while (i < MINUTES && clock[i].isBefore(local)) i++;
      return i;
    }

    long ms(int minute) {
      return begin.plusSeconds(minute * 60L).toEpochMilli();
    }
  }

  private static boolean openAt(OpeningHours hours, String time) {
    return hours.openAt(OffsetDateTime.parse(time).toInstant().toEpochMilli(), BERLIN);
  }

  private static String opening(OpeningHours hours, String time) {
    long ms = OffsetDateTime.parse(time).toInstant().toEpochMilli();
    return Instant.ofEpochMilli(hours.nextOpeningMs(ms, BERLIN))
        .atZone(BERLIN)
        .toOffsetDateTime()
        .toString();
  }
}
