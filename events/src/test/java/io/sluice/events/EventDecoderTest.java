package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the checks that every event passes, and of the selectors of several input topics. */
class EventDecoderTest {
  private static final long NOON_MS = 1_780_315_200_000L;
  private static final String TIMELESS = "{\"userId\":\"ada\",\"action\":\"post\"}";

  private static EventSelectors selectors(Map<Role, String> texts, EventTimes.Unit unit) {
    EventTimes times = new EventTimes(unit, Optional.empty(), Optional.empty());
    return EventSelectors.of(texts, Map.of(), new ValueRules(times, 1));
  }

  private static EventDecoder decoder(EventTimes.Unit unit) {
    return EventDecoder.of(
        TopicSelectors.same(selectors(Map.of(), unit)), SchemaConfig.NONE, List.of("one"));
  }

  private static Event read(EventDecoder decoder, String topic, String json, long timestampMs)
      throws UnreadableEventException {
    return decoder.decode(
        RawRecord.ofValue(json.getBytes(UTF_8), Origin.of(topic, 0, 1), timestampMs));
  }

  /** The unit of the times in events is not that of records' timestamps. */
  @ParameterizedTest
  @EnumSource(EventTimes.Unit.class)
  void aTimestampInSecondsIsRefusedInAnyUnit(EventTimes.Unit unit) throws Exception {
    EventDecoder decoder = decoder(unit);

    assertThat(read(decoder, "one", TIMELESS, NOON_MS).occurredAtMs()).isEqualTo(NOON_MS);
    assertThatThrownBy(() -> read(decoder, "one", TIMELESS, NOON_MS / 1_000))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.INVALID_FIELD))
        .hasMessageStartingWith("occurredAt, or the record's timestamp in its place, looks like");
  }

  @Test
  void theUnitAppliesToTimesInEvents() throws Exception {
    String timed = TIMELESS.replace("}", ",\"occurredAt\":" + NOON_MS / 1_000 + ".25}");

    assertThat(read(decoder(EventTimes.Unit.S), "one", timed, 7).occurredAtMs())
        .isEqualTo(NOON_MS + 250);
    assertThatThrownBy(() -> read(decoder(EventTimes.Unit.AUTO), "one", timed, 7))
        .hasMessageStartingWith("occurredAt looks like seconds and must be epoch milliseconds: ")
        .hasMessageContaining("sluice.event.time.unit");
  }

  @Test
  void eachTopicHasItsSelectors() throws Exception {
    EventSelectors own = selectors(Map.of(Role.USER, "who", Role.ACTION, ""), EventTimes.Unit.AUTO);
    EventDecoder decoder =
        EventDecoder.of(
            new TopicSelectors(EventSelectors.DEFAULT, Map.of("two", own)),
            SchemaConfig.NONE,
            List.of("one", "two"));
    String both = TIMELESS.replace("}", ",\"who\":\"bob\"}");

    assertThat(read(decoder, "one", both, NOON_MS).userId()).isEqualTo("ada");
    assertThat(read(decoder, "one", both, NOON_MS).action()).isEqualTo("post");
    assertThat(read(decoder, "two", both, NOON_MS).userId()).isEqualTo("bob");
    assertThat(read(decoder, "two", both, NOON_MS).action()).isEqualTo("two");
    assertThat(read(decoder, "two", both, NOON_MS).topic()).isEqualTo("two");
    assertThat(read(decoder, "elsewhere", both, NOON_MS).topic()).isEqualTo("one");
    assertThatThrownBy(() -> read(decoder, "two", TIMELESS, NOON_MS)).hasMessage("who is missing");
    assertThat(decoder.nameOf(Role.ACTION, Origin.of("two", 0, 1))).isEqualTo("the action");
  }
}
