package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ValueHashTest {
  private static ValueHash hash(String... parts) {
    return ValueHash.of(List.of(parts));
  }

  @Test
  void itIsTheFirstHalfOfASha256() {
    assertThat(hash("a")).isEqualTo(new ValueHash(0x66626e72929e2bc7L, 0xeb8de76083252d6bL));
  }

  @Test
  void whereAPartEndsMatters() {
    assertThat(hash("a", "bc")).isNotEqualTo(hash("ab", "c"));
    assertThat(hash("a", "")).isNotEqualTo(hash("a")).isNotEqualTo(hash("", "a"));
    assertThat(hash("\0\0\0\1a")).isNotEqualTo(hash("", "a"));
  }

  @Test
  void halvesOfPairsAreToldApart() {
    assertThat(hash("\uD800")).isNotEqualTo(hash("\uD801")).isNotEqualTo(hash("?"));
  }
}
