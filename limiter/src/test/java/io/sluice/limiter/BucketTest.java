package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketTest {
  private static final Rule RULE = Rule.policing("posts", Quota.parse("1/60s"), Algorithm.GCRA);

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ada", "?", "\u2603\0\uffff", "x\ud83d\ude00", "\ud83d\ude00\ud83d\ude00"})
  void anyTextThatUtf8HoldsIsAKey(String text) {
    assertThat(new Bucket(RULE, text).key()).isEqualTo(text);
    assertThat(new InProcessLimiter(RULE, InstantSource.system()).meter(text))
        .isInstanceOf(Decision.Conforming.class);
  }

  /** Otherwise all these texts would be encoded as a question mark, and share a count. */
  @ParameterizedTest
  @ValueSource(ints = {0xD800, 0xDBFF, 0xDC00, 0xDFFF})
  void halfOfASurrogatePairIsNot(int half) {
    for (String text : new String[] {"%c", "x%c", "%cx", "\ud83d\ude00%c", "%c\ud83d\ude00"}) {
      String torn = text.formatted((char) half);
      if (Bucket.isKey(torn)) continue; // two halves that make a pair
      assertThatThrownBy(() -> new Bucket(RULE, torn))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("a key cannot contain half of a surrogate pair");
      assertThatThrownBy(() -> new Bucket(RULE, "ada", torn))
          .isInstanceOf(IllegalArgumentException.class);
      InProcessLimiter limiter = new InProcessLimiter(RULE, InstantSource.system());
      assertThatThrownBy(() -> limiter.meter(torn)).isInstanceOf(IllegalArgumentException.class);
      assertThat(limiter.size()).isZero();
    }
    assertThat(Bucket.isKey("" + (char) half)).isFalse();
    assertThat(Bucket.isKey((char) half + "x")).isFalse();
  }

  @Test
  void theMessageShowsTheTextAsOnePlainLine() {
    assertThatThrownBy(() -> new Bucket(RULE, "a\u001b[2J\n\u202e\ud800" + "u".repeat(5_000)))
        .hasMessageContaining("a?[2J???u")
        .message()
        .matches("[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,250}");
  }

  @Test
  void aRulesNameIsTheBeginningOfAKey() {
    assertThatThrownBy(() -> Rule.policing("\ud800", Quota.parse("1/60s"), Algorithm.GCRA))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
