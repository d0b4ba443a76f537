package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BusiestKeysTest {
  private static final String LONG = "u".repeat(1 << 20);

  private final BusiestKeys keys = new BusiestKeys();

  private List<BusiestKeys.Key> most() {
    return keys.most(10).stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void ofALongKeyOnlyTheBeginningIsKept() {
    keys.tally("reply", LONG);
    assertThat(most()).singleElement().extracting(each -> each.key().length()).isEqualTo(100);
  }

  @Test
  void longKeysThatBeginAlikeAreCountedApart() {
    assertThat(keys.tally("reply", LONG)).isNotSameAs(keys.tally("reply", LONG + "v"));
    assertThat(keys.tally("reply", LONG)).isSameAs(keys.tally("reply", "u".repeat(1 << 20)));
    assertThat(keys.tally("reply", LONG)).isNotSameAs(keys.tally("reply", "u".repeat(100)));
    assertThat(most()).hasSize(3).extracting(BusiestKeys.Key::shown).doesNotHaveDuplicates();
    assertThat(most())
        .extracting(BusiestKeys.Key::shown)
        .allSatisfy(shown -> assertThat(shown).hasSizeLessThanOrEqualTo(100));
  }
}
