package io.sluice.streams;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ActionTest {
  /**
   * Texts with unpaired surrogates are refused: they would share one count, because Java's UTF-8
   * encoder replaces each unpaired surrogate by a question mark.
   */
  @Test
  void textsWithHalfOfASurrogatePairAreRefused() {
    String half = "a\ud800";
    Action action = Action.of("ada", "order");
    List<ThrowingCallable> all =
        List.of(
            () -> Action.of(half, "order"),
            () -> Action.of("ada", half),
            () -> action.withId(half),
            () -> action.withTarget(half),
            () -> action.with(half, "orders"),
            () -> action.with("topic", half));
    for (ThrowingCallable each : all) {
      assertThatThrownBy(each)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("half of a surrogate pair");
    }
  }

  @Test
  void theMessageShowsTextsAsOnePlainLine() {
    String hostile = "a\u001b[2J\n\u202e\ud800" + "u".repeat(5_000);
    String name = "t\u001b]0;x\n" + "v".repeat(5_000);
    Action action = Action.of("ada", "order");
    assertThatThrownBy(() -> action.withId(hostile))
        .hasMessageContaining("a?[2J???u")
        .message()
        .matches("[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,250}");
    assertThatThrownBy(() -> action.with(name, hostile))
        .hasMessageContainingAll("the attribute t?]0;x?v", "a?[2J???u")
        .message()
        .matches("[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,350}");
  }
}
