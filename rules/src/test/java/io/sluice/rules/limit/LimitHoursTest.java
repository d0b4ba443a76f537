package io.sluice.rules.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitHoursTest {
  private static final String WEEKDAYS = "mon-fri 08:00-20:00";

  /** Monday, 09:00 in Berlin and 08:00 in UTC. */
  private static final long MONDAY_MS = Instant.parse("2026-11-30T08:00:00Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "UTC,                            open",
    "Europe/Berlin,                  open",
    "+02:00,                         open",
    "-08:00,                         2026-11-30T16:00:00Z",
    "America/New_York,               2026-11-30T13:00:00Z",
  })
  void hoursAreInTheZoneOfTheLimit(String zone, String closedUntil) {
    LimitHours hours = hours(zone);

    assertThat(closedUntil(hours, event(""))).isEqualTo(closedUntil);
    assertThat(hours.fields()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "America/New_York, 2026-11-30T13:00:00Z",
    "-08:00,           2026-11-30T16:00:00Z",
    "+00:00,           open",
    "'',               2026-11-30T19:00:00Z",
    "Mars/Phobos,      2026-11-30T19:00:00Z",
    "+99:00,           2026-11-30T19:00:00Z",
    "+9:00,            2026-11-30T19:00:00Z",
    "america/new_york, 2026-11-30T19:00:00Z",
  })
  void hoursAreInTheZoneOfTheEventOrInTheDefault(String value, String closedUntil) {
    LimitHours hours = hours("attributes.zone,Pacific/Auckland");

    assertThat(closedUntil(hours, event(value))).isEqualTo(closedUntil);
    assertThat(closedUntil(hours, event(value))).isEqualTo(closedUntil);
    assertThat(hours.fields()).containsExactly(Field.parse("attributes.zone"));
  }

  @Test
  void textsThatAreNoZoneAreNotKept() {
    LimitHours hours = hours("attributes.zone,UTC");

    for (int i = 0; i < 10_000; i++) hours.spanAt(event("zone-" + i), MONDAY_MS);
    hours.spanAt(event("Europe/Berlin"), MONDAY_MS);

    assertThat(hours.cached()).isEqualTo(1);
  }

  @Test
  void equalSettingsAreEqual() {
    assertThat(hours("Europe/Berlin")).isEqualTo(hours("Europe/Berlin"));
    assertThat(hours("Europe/Berlin")).hasSameHashCodeAs(hours("Europe/Berlin"));
    assertThat(hours("Europe/Berlin")).isNotEqualTo(hours("UTC"));
    assertThat(hours("attributes.zone,UTC"))
        .hasToString("mon-fri 08:00-20:00 (attributes.zone,UTC)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Europe/Berln", "+2", "+99:00", "attributes.zone,Mars", "zone,UTC", "a,b,c"})
  void anUnknownZoneIsAMistake(String text) {
    assertThatThrownBy(() -> ZoneSelector.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFieldNeedsADefault() {
    assertThatThrownBy(() -> ZoneSelector.parse("attributes.zone"))
        .hasMessage("a field needs a default, for events without it: attributes.zone,UTC");
  }

  private static LimitHours hours(String zone) {
    return LimitHours.of(OpeningHours.parse(WEEKDAYS), ZoneSelector.parse(zone));
  }

  private static String closedUntil(LimitHours hours, Event event) {
    var until = hours.closedUntilMs(event, MONDAY_MS);
    return until.isEmpty() ? "open" : Instant.ofEpochMilli(until.getAsLong()).toString();
  }

  private static Event event(String zone) {
    LimitKey fields = new LimitKey(List.of(Field.parse("attributes.zone")));
    return fields.event(List.of(zone));
  }
}
