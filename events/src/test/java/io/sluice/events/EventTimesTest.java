package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventTimes.Unit;
import io.sluice.events.Selector.UnfitValueException;
import io.sluice.schemas.Values;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimesTest {
  private static final long MS = 1_700_000_000_123L;

  private static EventTimes of(Unit unit) {
    return new EventTimes(unit, Optional.empty(), Optional.empty());
  }

  private static EventTimes zoned(String zone) {
    return new EventTimes(Unit.AUTO, Optional.empty(), Optional.of(ZoneId.of(zone)));
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO, 1700000000123",
    "AUTO, 1700000000123456",
    "AUTO, 1700000000123456789",
    "AUTO, 1700000000123.9",
    "MS, 1700000000123",
    "S, 1700000000.123",
    "S, 1700000000.1239",
    "US, 1700000000123999",
    "US, 1700000000123999.5",
    "NS, 1700000000123999999"
  })
  void aNumberIsInItsUnit(Unit unit, String number) throws UnfitValueException {
    assertThat(of(unit).ofValue(Values.number(number))).isEqualTo(MS);
    assertThat(of(unit).ofValue(number)).isEqualTo(MS);
  }

  @Test
  void tenDigitsAreSecondsOnlyIfTheUnitSaysSo() throws UnfitValueException {
    assertThatThrownBy(() -> EventTimes.DEFAULT.ofValue(1_700_000_000L))
        .hasMessageStartingWith("looks like seconds and must be epoch milliseconds: 1700000000");
    assertThatThrownBy(() -> EventTimes.DEFAULT.ofValue("1700000000.5"))
        .hasMessageStartingWith("looks like seconds");
    assertThat(of(Unit.S).ofValue(1_700_000_000L)).isEqualTo(1_700_000_000_000L);
    assertThat(of(Unit.MS).ofValue(1_700_000_000L)).isEqualTo(1_700_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2023-11-14T22:13:20.123Z",
        "2023-11-14t22:13:20.123z",
        "2023-11-14 22:13:20,123Z",
        "2023-11-14T22:13:20.123456789+00",
        "2023-11-14T22:13:20.123+0000",
        "2023-11-14T23:13:20.123+01:00",
        "2023-11-14T23:13:20.123+01:00[Europe/Berlin]",
        "2023-11-14T23:13:20.123[Europe/Berlin]",
        "2023-11-14T16:43:20.123-05:30"
      })
  void theSpellingsOfProducersAreRead(String text) throws UnfitValueException {
    assertThat(EventTimes.DEFAULT.ofValue(text)).isEqualTo(MS);
  }

  @Test
  void secondsMayBeMissingAndADayMayEndAt24() throws UnfitValueException {
    assertThat(EventTimes.DEFAULT.ofValue("1970-01-01T00:01Z")).isEqualTo(60_000);
    assertThat(EventTimes.DEFAULT.ofValue("1970-01-01T24:00:00Z")).isEqualTo(86_400_000);
    assertThat(EventTimes.DEFAULT.ofValue("2016-12-31T23:59:60Z")).isEqualTo(1_483_228_799_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2023-11-14",
        "2023-13-14T22:13:20Z",
        "2023-02-30T22:13:20Z",
        "2023-11-14T25:13:20Z",
        "2023-11-14T22:13:61Z",
        "2023-11-14T22:13:20.Z",
        "2023-11-14T22:13:20Zx",
        "2023-11-14T22:13:20+1:00",
        "2023-11-14T22:13:20+19:00",
        "2023-11-14T22:13:20Z[Mars/Olympus]",
        "2023-11-14T22:13:20Z[UTC",
        "٢٠٢٣-11-14T22:13:20Z",
        "1.2.3",
        "--5",
        "1e3"
      })
  void otherTextIsNoTime(String text) {
    assertThatThrownBy(() -> EventTimes.DEFAULT.ofValue(text))
        .isInstanceOf(UnfitValueException.class)
        .hasMessageStartingWith("is not a time in ISO-8601");
  }

  @Test
  void numbersOfAnySizeAreReadOrRefused() {
    String many = "9".repeat(1_000_000);
    for (Unit unit : Unit.values()) {
      assertThatThrownBy(() -> of(unit).ofValue(many)).hasMessage("has too many digits");
      assertThatThrownBy(() -> of(unit).ofValue("9".repeat(40)))
          .hasMessageStartingWith("is out of range");
    }
  }

  @Test
  void aLocalTimeNeedsAZone() throws UnfitValueException {
    assertThatThrownBy(() -> EventTimes.DEFAULT.ofValue("2023-11-14T22:13:20"))
        .hasMessageContaining("its offset, such as Z or +01:00, is missing");
    assertThat(zoned("Europe/Berlin").ofValue("2023-11-14T23:13:20.123")).isEqualTo(MS);
    assertThat(zoned("Europe/Berlin").ofValue("2023-11-14T22:13:20.123Z")).isEqualTo(MS);
    Values.Timestamp local = new Values.Timestamp(1_700_003_600_123_456L, 1_000, true);
    assertThat(zoned("Europe/Berlin").ofValue(local)).isEqualTo(MS);
    assertThatThrownBy(() -> EventTimes.DEFAULT.ofValue(local)).hasMessageContaining("offset");
  }

  @Test
  void aPatternIsTriedFirst() throws UnfitValueException {
    DateTimeFormatter pattern = EventTimes.pattern("uuuuMMddHHmmss");
    EventTimes times = new EventTimes(Unit.AUTO, Optional.of(pattern), Optional.of(ZoneOffset.UTC));

    assertThat(times.ofValue("20231114221320")).isEqualTo(1_700_000_000_000L);
    assertThat(times.ofValue("2023-11-14T22:13:20.123Z")).isEqualTo(MS);
    assertThatThrownBy(() -> times.ofValue("14.11.2023"))
        .hasMessageEndingWith("and not by sluice.event.time.pattern");
    assertThat(EventTimes.hasOffset(pattern)).isFalse();
    assertThat(EventTimes.hasOffset(EventTimes.pattern("dd/MMM/uuuu:HH:mm:ss Z"))).isTrue();
    assertThatThrownBy(() -> EventTimes.pattern("HH:mm"))
        .hasMessageStartingWith("lacks the date or the hour");
    assertThatThrownBy(() -> EventTimes.pattern("{")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void randomTimesAreReadAsTheJdkReadsThem() throws UnfitValueException {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      Instant instant =
          Instant.ofEpochSecond(random.nextLong(7_258_118_400L), random.nextInt(1_000_000_000));
      ZoneOffset offset =
          ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2 * 18 * 60 + 1) - 18 * 60));
      String text = OffsetDateTime.ofInstant(instant, offset).toString();
      assertThat(EventTimes.DEFAULT.ofValue(text)).as(text).isEqualTo(instant.toEpochMilli());
    }
  }
}
