package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of events in the schema UserAction, whose fields have fixed names. */
class UserActionEventsTest {
  private static final Origin ORIGIN = Origin.parse("user-actions-0-17");

  private static UserAction.Builder action() {
    return UserAction.newBuilder()
        .setEventId("e1")
        .setUserId("Ann")
        .setAction("post")
        .setOccurredAt(Instant.ofEpochMilli(1_795_251_600_500L))
        .setCost(3)
        .setTarget("bob")
        .setAttributes(Map.of("country", "nz", "ip", "::ffff:10.0.0.1"));
  }

  private static Event read(UserAction action, Map<Role, String> texts, Map<String, String> named)
      throws UnreadableEventException {
    EventSelectors selectors = EventSelectors.of(texts, named, ValueRules.DEFAULT);
    byte[] value = UserActionCodec.encode(action);
    TopicDecoder decoder = new TopicDecoder(selectors, new SchemaConfig.NoSchemas());
    RawRecord record = RawRecord.ofValue(value, ORIGIN, 5);
    return decoder.read(record, value, decoder.input("user-actions"));
  }

  static List<Map<Role, String>> selectorsOfOtherFields() {
    return List.of(
        Map.of(),
        Map.of(Role.COST, "", Role.TARGET, "", Role.ID, "", Role.TIME, ""),
        Map.of(Role.ATTRIBUTES, ""),
        Map.of(Role.ATTRIBUTES, "."),
        Map.of(Role.COST, "cost.amount", Role.TARGET, "target.id", Role.USER, "userId.value"),
        Map.of(
            Role.USER, "customer.id",
            Role.ACTION, "kind",
            Role.ID, "meta.id",
            Role.TIME, "meta.at",
            Role.COST, "to | count",
            Role.TARGET, "to[0]",
            Role.ATTRIBUTES, "meta"));
  }

  @ParameterizedTest
  @MethodSource("selectorsOfOtherFields")
  void selectorsOfOtherFieldsDoNotApply(Map<Role, String> texts) throws UnreadableEventException {
    Event event = read(action().build(), texts, Map.of());

    assertThat(event.eventId()).isEqualTo("e1");
    assertThat(event.userId()).isEqualTo("Ann");
    assertThat(event.action()).isEqualTo("post");
    assertThat(event.occurredAtMs()).isEqualTo(1_795_251_600_500L);
    assertThat(event.cost()).isEqualTo(3);
    assertThat(event.target()).isEqualTo("bob");
    assertThat(event.topic()).isEqualTo("user-actions");
    assertThat(event.attribute("country")).isEqualTo("nz");
    assertThat(event.attribute("city")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("selectorsOfOtherFields")
  void whatIsEmptyIsReplaced(Map<Role, String> texts) throws UnreadableEventException {
    UserAction empty =
        action().setEventId("").setUserId("").setTarget(null).setAttributes(Map.of()).build();
    Event event = read(empty, texts, Map.of());

    assertThat(event.eventId()).isEqualTo(ORIGIN.toString());
    assertThat(event.userId()).isEmpty();
    assertThat(event.target()).isEmpty();
    assertThat(event.attribute("country")).isEmpty();
  }

  @Test
  void theTopicReplacesAnActionWithoutASelector() throws UnreadableEventException {
    UserAction empty = action().setAction("").build();

    assertThat(read(empty, Map.of(Role.ACTION, ""), Map.of()).action()).isEqualTo("user-actions");
    assertThat(read(empty, Map.of(), Map.of()).action()).isEmpty();
  }

  @Test
  void functionsOfTextApply() throws UnreadableEventException {
    Map<Role, String> texts = Map.of(Role.USER, "customer.email | lower", Role.TARGET, "$key");
    Event event = read(action().build(), texts, Map.of("net", "attributes.ip | ip"));

    assertThat(event.userId()).isEqualTo("ann");
    assertThat(event.target()).as("of a record without a key").isEmpty();
    assertThat(event.attribute("net")).isEqualTo("10.0.0.1");
    assertThat(event.attribute("ip")).isEqualTo("::ffff:10.0.0.1");
  }

  /** No builder writes such a map, but any producer can. */
  @Test
  void anAttributeThatASelectorReadsOccursOnce() throws UnreadableEventException {
    byte[] value = UserActionCodec.encode(action().setAttributes(Map.of("a", "1")).build());
    byte[] twice = Arrays.copyOf(value, value.length + 4);
    twice[value.length - 6] = 4; // two entries
    System.arraycopy(value, value.length - 5, twice, value.length - 1, 5);

    assertThat(read(twice, Map.of("x", "attributes.b")).attribute("a")).isEqualTo("1");
    assertThatThrownBy(() -> read(twice, Map.of("x", "attributes.a")))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.DUPLICATE_FIELD))
        .hasMessage("attributes.a occurs twice in one map");
  }

  private static Event read(byte[] value, Map<String, String> named)
      throws UnreadableEventException {
    EventSelectors selectors = EventSelectors.of(Map.of(), named, ValueRules.DEFAULT);
    TopicDecoder decoder = new TopicDecoder(selectors, new SchemaConfig.NoSchemas());
    return decoder.read(RawRecord.ofValue(value, ORIGIN, 5), value, decoder.input("user-actions"));
  }
}
