package io.sluice.topology.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.Role;
import io.sluice.topology.event.EventDecoder.StandIns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonEventsTest {
  private static final String ORIGIN = "user-actions-0-17";
  private static final FieldPaths NESTED =
      FieldPaths.of(
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
            {"type": "post", "userId": "nobody", "meta": {"at": "2026-11-21T10:00:00.5+01:00",
             "country": "nz", "age": 1.50, "tags": ["x"], "deep": {"country": "au"}, "vip": true},
             "customer": {"name": "Ada", "id": 42, "to": {"name": "bob"}}}\
            """);

    assertThat(event.userId()).isEqualTo("42");
    assertThat(event.action()).isEqualTo("post");
    assertThat(event.target()).isEqualTo("bob");
    assertThat(event.occurredAtMs()).isEqualTo(1_795_251_600_500L);
    assertThat(event.eventId()).isEqualTo(ORIGIN);
    assertThat(event.attribute("country")).isEqualTo("nz");
    assertThat(event.attribute("age")).isEqualTo("1.50");
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
            FieldPaths.DEFAULT.with(Role.ATTRIBUTES, "."),
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
          {"customer": {"id": true}} | customer.id must be a string
          {"customer": {"id": {"x": 1}}} | customer.id must be a string
          {"meta": "x"} | meta must be an object
          {"meta": {"at": "yesterday"}} | meta.at: not a time in ISO-8601, such as 2026-11-21T09:00:00Z
          {"meta": {"at": "+999999999-01-01T00:00:00Z"}} | meta.at: not a time in ISO-8601, such as 2026-11-21T09:00:00Z
          {"meta": {"at": 1.5}} | meta.at must be a whole number
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
  @ValueSource(longs = {1, 2, 3, 4})
  void readsTheFieldsWhereverTheyAre(long seed) throws UnreadableEventException {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      Map<Role, String> paths = new EnumMap<>(Role.class);
      List<Role> roles = new ArrayList<>(List.of(Role.values()));
      roles.remove(Role.ATTRIBUTES);
      Collections.shuffle(roles, random);
      String json = object("", roles, paths, random);
      Event event = read(FieldPaths.of(paths), json);

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
      case TIME -> "3";
      case COST -> "4";
      default -> "\"" + role.label() + "\"";
    };
  }

  private static Event read(FieldPaths paths, String json) throws UnreadableEventException {
    return new JsonEvents(paths)
        .read(
            json.getBytes(StandardCharsets.UTF_8),
            0,
            new StandIns(Origin.parse(ORIGIN), 5, "user-actions", ""));
  }
}
