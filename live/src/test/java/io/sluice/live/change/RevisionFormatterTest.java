package io.sluice.live.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RevisionFormatterTest {
  private final List<String> mistakes = new ArrayList<>();

  private Scope scope(String... given) {
    return NamedValues.scope("--for", List.of(given), mistakes);
  }

  @Test
  void theFirstEqualsSignEndsTheName() {
    assertThat(RevisionFormatter.of(scope("attributes.q=a=b=c"))).isEqualTo("attributes.q=a=b=c");
    assertThat(NamedValues.settings(List.of("match.target==x", "key="), mistakes))
        .isEqualTo(Map.of("match.target", "=x", "key", ""));
    assertThat(mistakes).isEmpty();
  }

  @Test
  void whatIsNoFieldNoValueOrThereTwiceIsAMistakeEach() {
    Scope scope = scope("userId", "userId=", "=x", "user=x", "target=a", "target=b");
    assertThat(RevisionFormatter.of(scope)).isEqualTo("target=b");
    assertThat(mistakes).hasSize(5);
    assertThat(mistakes.get(4)).isEqualTo("--for target: is there twice");
    mistakes.clear();
    NamedValues.settings(List.of("quota", "=5", "a=1", "a=1"), mistakes);
    assertThat(mistakes).hasSize(3);
  }

  @Test
  void whatCannotBeSeenMovesNoCursorAndEndsNoLine() {
    assertThat(RevisionFormatter.plain("a\nb\u001b[2J\u202ec\u2028")).isEqualTo("a?b?[2J?c?");
    assertThat(RevisionFormatter.plain("u".repeat(5_000))).hasSize(103);
    assertThat(RevisionFormatter.of(scope("userId=a\r\nb"))).isEqualTo("userId=a??b");
    assertThat(RevisionFormatter.id("11111111-2222-3333-4444-555555555555")).isEqualTo("11111111");
    assertThat(RevisionFormatter.id("launch\n")).isEqualTo("launch?");
  }

  @Test
  void settingsAreInTheOrderOfTheirNames() {
    assertThat(
            RevisionFormatter.of(new Settings(Map.of("quota", "5/1m", "a", "b"), Set.of("burst"))))
        .isEqualTo("a=b, burst cleared, quota=5/1m");
  }
}
