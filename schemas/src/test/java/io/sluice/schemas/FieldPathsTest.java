package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathsTest {
  @Test
  void theDefaultsAreTheNamesOfUserAction() {
    for (Role role : Role.values()) {
      assertThat(UserAction.getClassSchema().getField(FieldPaths.DEFAULT.of(role))).isNotNull();
    }
  }

  @Test
  void anEmptyPathIsNone() {
    FieldPaths paths = FieldPaths.of(Map.of(Role.COST, ""));

    assertThat(paths.of(Role.COST)).isEmpty();
    assertThat(paths.root().child("cost").isLeaf()).isFalse();
  }

  @Test
  void aFieldMayBeAmongTheAttributes() {
    FieldPaths paths = FieldPaths.DEFAULT.with(Role.USER, "attributes.user");
    PathNode attributes = paths.root().child("attributes");

    assertThat(attributes.isAttributes()).isTrue();
    assertThat(attributes.child("user").role()).isEqualTo(Role.USER);
    assertThat(attributes.child("user").path()).isEqualTo("attributes.user");
    assertThat(attributes.child("other").isLeaf()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "USER, action, 'the user (action) and the action (action)'",
    "USER, action.user, 'the user (action.user) and the action (action)'",
    "ACTION, userId.x, 'the user (userId) and the action (userId.x)'",
    "ATTRIBUTES, userId, 'the user (userId) and the attributes (userId)'",
    "ATTRIBUTES, userId.x, 'the user (userId) and the attributes (userId.x)'"
  })
  void noFieldIsPartOfAnother(Role role, String path, String why) {
    assertThatThrownBy(() -> FieldPaths.DEFAULT.with(role, path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why + " must be separate fields");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "a.", ".a", "a..b", " "})
  void aPathIsNamesWithDotsBetween(String path) {
    assertThatThrownBy(() -> FieldPaths.DEFAULT.with(Role.USER, path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a path is names with dots between");
  }
}
