package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static final String ORIGIN = "user-actions-0-17";
  private static final EventSelectors NESTED =
      selectors(
          Map.of(
              Role.USER, "customer.id",
              Role.ACTION, "type",
              Role.TIME, "meta.at",
              Role.TARGET, "customer.to.name",
              Role.ATTRIBUTES, "meta"));

  @Test
  void goesDownThePaths() throws UnreadableEventException {
    Event event =
        read(
            NESTED,
            """
            {"type": "post", "userId": "zoe", "meta": {"at": "2026-11-21T10:00:00.5+01:00",
             "country": "nz", "age": 1.50, "tags": ["x"], "deep": {"country": "au"}, "vip": true},
             "customer": {"name": "Ada", "id": 42, "to": {"name": "bob"}}}\
            """);

    assertThat(event.userId()).isEqualTo("42");
    assertThat(event.action()).isEqualTo("post");
    assertThat(event.target()).isEqualTo("bob");
    assertThat(event.occurredAtMs()).isEqualTo(1_795_251_600_500L);
    assertThat(event.eventId()).isEqualTo(ORIGIN);
    assertThat(event.attribute("country")).isEqualTo("nz");
    assertThat(event.attribute("age")).isEqualTo("1.5");
    assertThat(event.attribute("vip")).isEqualTo("true");
    assertThat(event.attribute("at")).isEqualTo("2026-11-21T10:00:00.5+01:00");
    assertThat(event.attribute("tags")).isEmpty();
    assertThat(event.attribute("deep")).isEmpty();
  }

  @Test
  void whatIsNoObjectHasNothingBelowIt() throws UnreadableEventException {
    Event event = read(NESTED, "{\"type\": \"post\", \"customer\": [{\"id\": 1}, 2]}");

    assertThat(event.userId()).isEmpty();
    assertThat(event.action()).isEqualTo("post");
    assertThat(event.occurredAtMs()).isEqualTo(5);
  }

  @Test
  void theWholeObjectMayBeItsAttributes() throws UnreadableEventException {
    Event event =
        read(
            selectors(Map.of(Role.ATTRIBUTES, ".")),
            "{\"userId\": \"ada\", \"action\": \"post\", \"country\": \"nz\", \"no\": null}");

    assertThat(event.userId()).isEqualTo("ada");
    assertThat(event.attribute("userId")).isEqualTo("ada");
    assertThat(event.attribute("country")).isEqualTo("nz");
    assertThat(event.attribute("no")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"customer": {"id": {"x": 1}}} | customer.id must be text, a number or a boolean, not an object
          {"customer": {"id": [1]}} | customer.id must be text, a number or a boolean, not a list
          {"meta": "x"} | meta must be an object
          {"meta": [{"at": 1}]} | meta must be an object
          {"meta": {"at": "yesterday"}} | meta.at is not a time in ISO-8601, such as 2026-11-21T09:00:00Z
          {"meta": {"at": "+999999999-01-01T00:00:00Z"}} | meta.at is not a time in ISO-8601, such as 2026-11-21T09:00:00Z
          {"meta": {"at": true}} | meta.at must be a time
          {"meta": {"at": {"x": 1}}} | meta.at must be a time
          {"meta": {"at": 1e30}} | meta.at is out of range: 1000000000000000000000000000000
          {"cost": 1.5} | cost must be a whole number: 1.5
          {"cost": "x"} | cost must be a whole number: x
          {"cost": true} | cost must be a whole number: true
          {"cost": 9223372036854775808} | cost must be a whole number: 9223372036854775808
          {"customer": {"id": 1 | bad JSON: Unexpected end-of-input
          {"customer": {"id": 1}}} | bad JSON: Unexpected close marker
          {"customer": {"id": 1}} 1 | bad JSON: more than one object
          """)
  void saysWhatIsWrongByItsPath(String json, String why) {
    assertThatThrownBy(() -> read(NESTED, json))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessageStartingWith(why);
  }

  @ParameterizedTest
  @CsvSource({
    "true, true",
    "false, false",
    "42, 42",
    "42.0, 42",
    "4.2e1, 42",
    "1.50, 1.5",
    "9223372036854775808, 9223372036854775808",
    "'\"42.0\"', 42.0"
  })
  void whatIsNoTextIsTakenAsItsText(String json, String text) throws UnreadableEventException {
    Event event =
        read(NESTED, "{\"customer\": {\"id\": " + json + "}, \"meta\": {\"m\": " + json + "}}");

    assertThat(event.userId()).isEqualTo(text);
    assertThat(event.attribute("m")).isEqualTo(text);
  }

  @Test
  void aTimeMayHaveAFractionAndACostMayBeText() throws UnreadableEventException {
    assertThat(read(NESTED, "{\"meta\": {\"at\": 1.5}}").occurredAtMs()).isEqualTo(1);
    assertThat(read(NESTED, "{\"meta\": {\"at\": \"1795251600500\"}}").occurredAtMs())
        .isEqualTo(1_795_251_600_500L);
    assertThat(read(NESTED, "{\"cost\": 3.0}").cost()).isEqualTo(3);
    assertThat(read(NESTED, "{\"cost\": \"3\"}").cost()).isEqualTo(3);
    assertThat(read(NESTED, "{\"cost\": null}").cost()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"customer": {"id": 1, "id": 1}} | customer.id
          {"customer": {"id": 1, "i\\u0064": 2}} | customer.id
          {"customer": {"id": null, "id": 2}} | customer.id
          {"customer": {"id": 1}, "customer": {}} | customer
          {"meta": {"at": 1, "at": 2}} | meta.at
          {"meta": {}, "meta": {}} | meta
          """)
  void aFieldThatIsReadOccursOnce(String json, String field) {
    assertThatThrownBy(() -> read(NESTED, json))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.DUPLICATE_FIELD))
        .hasMessage(field + " occurs twice in one object");
  }

  @Test
  void eachOfManyFieldsOccursOnce() {
    Map<String, String> named = new HashMap<>();
    for (int i = 0; i < 200; i++) named.put("a" + i, "f" + i);
    EventSelectors many = EventSelectors.of(Map.of(), named, ValueRules.DEFAULT);
    for (int i = 0; i < 200; i++) {
      String twice = "{\"f" + i + "\": 1, \"x\": 2, \"f" + i + "\": 1}";
      assertThatThrownBy(() -> read(many, twice))
          .hasMessageEndingWith(" occurs twice in one object");
    }
  }

  @Test
  void whatIsNotReadMayOccurTwice() throws UnreadableEventException {
    String json = "{\"x\": 1, \"x\": 2, \"other\": {\"id\": 1, \"id\": 2}, \"type\": \"post\"}";

    assertThat(read(NESTED, json).action()).isEqualTo("post");
  }

  @Test
  void anAttributeThatOccursTwiceIsNoted() throws UnreadableEventException {
    Event event =
        read(NESTED, "{\"meta\": {\"a\": 1, \"b\": [], \"b\": 2, \"a\": 1, \"c\": \"\\ud800\"}}");

    assertThat(event.attributeFaults())
        .isEqualTo(
            Map.of(
                "a", FaultKind.DUPLICATE_FIELD,
                "b", FaultKind.DUPLICATE_FIELD,
                "c", FaultKind.INVALID_FIELD));
    assertThat(event.attribute("c")).isEqualTo("\\ud800");
  }

  @Test
  void halfOfASurrogatePairIsNoUser() {
    assertThatThrownBy(() -> read(NESTED, "{\"customer\": {\"id\": \"\\ud800\"}}"))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.INVALID_FIELD))
        .hasMessage("customer.id contains half of a surrogate pair, which UTF-8 cannot encode");
  }

  @Test
  void elementsOfListsHavePaths() throws UnreadableEventException {
    EventSelectors selectors =
        EventSelectors.of(
            Map.of(Role.USER, "to[1].id", Role.COST, "to | count"),
            Map.of("all", "to[].id | count", "none", "to[7].id"),
            ValueRules.DEFAULT);
    Event event = read(selectors, "{\"to\": [{\"id\": 7}, {\"id\": \"bob\", \"x\": []}, null, 3]}");

    assertThat(event.userId()).isEqualTo("bob");
    assertThat(event.cost()).isEqualTo(4);
    assertThat(event.attribute("all")).isEqualTo("2");
    assertThat(event.attribute("none")).isEmpty();
  }

  private static EventSelectors list(String selector) {
    return EventSelectors.of(Map.of(Role.USER, "from"), Map.of("to", selector), ValueRules.DEFAULT);
  }

  private Event mail(String selector, String to) throws UnreadableEventException {
    return read(list(selector), "{\"from\":\"ada\",\"action\":\"mail\",\"to\":" + to + "}");
  }

  @Test
  void aListHasEachValueOnce() throws UnreadableEventException {
    Event event =
        mail("to[].id | trim | lower", "[{\"id\":\"Bob \"},{\"id\":7},{},{\"id\":\"bob\"}]");
    assertThat(event.elements("to")).containsExactly("bob", "7");
    assertThat(event.attribute("to")).isEqualTo("bob");
    assertThat(event.elements("cc")).isEmpty();
    for (String none : List.of("[]", "null", "[null,\"\"]", "\"bob\"", "{}")) {
      assertThat(mail("to[]", none).elements("to")).as(none).isEmpty();
      assertThat(mail("to[]", none).attribute("to")).as(none).isEmpty();
    }
    assertThat(mail("to[] // to", "\"bob\"").elements("to")).containsExactly("bob");
  }

  @Test
  void anUnfitElementIsADeadLetter() {
    assertThatThrownBy(() -> mail("to[]", "[\"bob\",{\"id\":1}]"))
        .hasMessage("to[] must be text, a number or a boolean, not an object");
    assertThatThrownBy(() -> mail("to[]", "[[\"bob\"]]"))
        .hasMessage("to[] must be text, a number or a boolean, not a list");
    assertThatThrownBy(() -> mail("to[]", "[\"\\ud800\"]"))
        .hasMessage("to[] contains half of a surrogate pair, which UTF-8 cannot encode");
  }

  @Test
  void aListIsNotEndless() throws UnreadableEventException {
    String most = "[" + "1,".repeat(999) + "2]";
    assertThat(mail("to[]", most).elements("to")).containsExactly("1", "2");
    assertThatThrownBy(() -> mail("to[] | sha256", "[" + "1,".repeat(1_000) + "2]"))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.INVALID_FIELD))
        .hasMessage("to[] | sha256 has 1,001 elements; at most 1,000 can be counted");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void readsTheFieldsWhereverTheyAre(long seed) throws UnreadableEventException {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      Map<Role, String> paths = new EnumMap<>(Role.class);
      List<Role> roles = new ArrayList<>(List.of(Role.values()));
      roles.remove(Role.ATTRIBUTES);
      Collections.shuffle(roles, random);
      String json = object("", roles, paths, random);
      Event event = read(selectors(paths), json);

      assertThat(
              List.of(event.userId(), event.action(), event.eventId(), event.target())
                  + " "
                  + event.occurredAtMs()
                  + " "
                  + event.cost())
          .as("seed %d, %s with %s", seed, json, paths)
          .isEqualTo("[user, action, id, target] 3 4");
    }
  }

  /**
   * Returns an object that has all of these roles, in it or in nested objects, with their names as
   * values.
   */
  private static String object(
      String path, List<Role> roles, Map<Role, String> paths, Random random) {
    StringBuilder json = new StringBuilder("{\"\": [{}], \"userId\": {\"no\": [1, {}]}");
    int taken = 0;
    while (taken < roles.size()) {
      int count = Math.min(roles.size() - taken, 1 + random.nextInt(3));
      List<Role> some = roles.subList(taken, taken + count);
      String name = "n" + taken;
      json.append(", \"").append(name).append("\": ");
      if (count > 1 && path.length() < 12) {
        json.append(object(path + name + ".", some, paths, random));
        taken += count;
      } else {
        paths.put(some.get(0), path + name);
        json.append(said(some.get(0)));
        taken++;
      }
    }
    return json.append("}").toString();
  }

  private static String said(Role role) {
    return switch (role) {
      case TIME, EXPIRES -> "3";
      case COST -> "4";
      default -> "\"" + role.label() + "\"";
    };
  }

  private static EventSelectors selectors(Map<Role, String> texts) {
    return EventSelectors.of(texts, Map.of(), ValueRules.DEFAULT);
  }

  private static Event read(EventSelectors selectors, String json) throws UnreadableEventException {
    byte[] value = json.getBytes(StandardCharsets.UTF_8);
    return new TopicDecoder(selectors, new SchemaConfig.NoSchemas())
        .read(
            RawRecord.ofValue(value, Origin.parse(ORIGIN), 5),
            value,
            new InputTopic("user-actions", ""));
  }
}
