package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.schemas.RecordReader;
import io.sluice.schemas.UserAction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSelectorsTest {
  private static EventSelectors selectors(Map<Role, String> texts) {
    return EventSelectors.of(texts, Map.of(), ValueRules.DEFAULT);
  }

  @Test
  void theDefaultsAreTheNamesOfUserAction() {
    for (Role role : Role.values()) {
      if (role == Role.EXPIRES) continue; // UserAction has no such field
      assertThat(UserAction.getClassSchema().getField(EventSelectors.DEFAULT.text(role)))
          .isNotNull();
    }
    assertThat(EventSelectors.DEFAULT.isDefault()).isTrue();
    assertThat(EventSelectors.DEFAULT.has(Role.EXPIRES)).isFalse();
    assertThat(selectors(Map.of(Role.COST, "")).isDefault()).isFalse();
    assertThat(selectors(Map.of(Role.EXPIRES, "until")).isDefault()).isFalse();
  }

  @Test
  void anEmptyTextIsAFieldThatEventsDoNotHave() {
    EventSelectors selectors = selectors(Map.of(Role.COST, "", Role.ATTRIBUTES, ""));

    assertThat(selectors.text(Role.COST)).isEmpty();
    assertThat(selectors.has(Role.COST) || selectors.has(Role.ATTRIBUTES)).isFalse();
    assertThat(selectors.tree().root().child("cost").isLeaf()).isFalse();
    assertThat(selectors.tree().root().child("attributes").isWanted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "a.", ".a", "a..b", " ", "a b", "a[", "a[x]", "a[-1]", "a,b", "$a"})
  void whatIsNoSelectorIsRefusedWithThePlace(String text) {
    assertThatThrownBy(() -> selectors(Map.of(Role.USER, text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("at character ");
  }

  @Test
  void aListOfValuesIsNoSingleValue() {
    assertThatThrownBy(() -> selectors(Map.of(Role.USER, "to[]")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a list has no single value: add | count, or an index");
    assertThatThrownBy(() -> selectors(Map.of(Role.ATTRIBUTES, "a // b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the attributes are at one path, without functions");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"type": "record", "name": "R", "fields": []} | R has no field userId, which is the user
          {"type": "record", "name": "R", "namespace": "n", "fields": []} | n.R has no field userId, which is the user
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": "string"}]} | R has no field action, which is the action
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": "bytes"}]} | userId is of type bytes; accepted is a string
          "string" | must be a record, not a string
          """)
  void aSchemaWithoutWhatIsNeededIsRefused(String json, String why) {
    assertThatThrownBy(() -> EventSelectors.DEFAULT.reader(List.of(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }

  @Test
  void aFieldThatEventsDoNotHaveIsNotMissing() {
    String json =
        """
        {"type": "record", "name": "R", "fields": [{"name": "userId", "type": "double"}]}""";

    RecordReader reader = selectors(Map.of(Role.ACTION, "")).reader(List.of(json));
    assertThat(reader.name()).isEqualTo("R");
  }

  @Test
  void oneOfTheAlternativesIsEnough() {
    String json =
        """
        {"type": "record", "name": "R", "fields": [
          {"name": "id", "type": "string"}, {"name": "action", "type": "string"}]}""";

    assertThat(selectors(Map.of(Role.USER, "user.id // id")).reader(List.of(json)).name())
        .isEqualTo("R");
    assertThat(selectors(Map.of(Role.USER, "user.id // $key")).reader(List.of(json)).name())
        .isEqualTo("R");
    assertThatThrownBy(() -> selectors(Map.of(Role.USER, "user.id // no")).reader(List.of(json)))
        .hasMessage("R has no field user.id // no, which is the user");
  }
}
