package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.revision.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys in memory are short, however long the callers' keys are. */
class ShortKeyTest {
  private static final Rule RULE =
      Rule.policing("page", Quota.parse("1/1s"), Algorithm.SLIDING_WINDOW_LOG);
  private static final LimitKey ONE = key("userId");
  private static final LimitKey TWO = key("attributes.tenant", "attributes.url");
  private static final String LONGEST = "|".repeat(Scope.LONGEST_VALUE);
  private static final String MEGA = "x".repeat(1_000_000);

  private static LimitKey key(String... fields) {
    return new LimitKey(Stream.of(fields).map(Field::parse).toList());
  }

  private static String shortened(LimitKey key, String... values) {
    String text = key.of(key.event(List.of(values)));
    return ShortKey.of(new Bucket(RULE, text), key).key();
  }

  /** Values short enough for a revision's scope are unchanged, so that their rule is found. */
  @Test
  void valuesForWhichARevisionCanBeStayAsTheyAre() {
    assertThat(shortened(ONE, LONGEST)).isEqualTo(LONGEST);
    assertThat(TWO.values(shortened(TWO, LONGEST, LONGEST))).containsExactly(LONGEST, LONGEST);
    assertThat(TWO.values(shortened(TWO, LONGEST, MEGA)).get(0)).isEqualTo(LONGEST);
    assertThat(TWO.values(shortened(TWO, MEGA, LONGEST)).get(1)).isEqualTo(LONGEST);
  }

  @Test
  void longerOnesTakeAsMuchMemoryAsADigest() {
    assertThat(shortened(ONE, LONGEST + "|")).hasSize(64);
    assertThat(shortened(ONE, MEGA)).hasSize(64);
    assertThat(shortened(TWO, MEGA, MEGA)).hasSize(129);
  }

  @Test
  void differentOnesStayDifferent() {
    assertThat(
            Stream.of(
                shortened(TWO, MEGA + "a", MEGA + "b"),
                shortened(TWO, MEGA + "b", MEGA + "a"),
                shortened(TWO, MEGA + "a", "b"),
                shortened(TWO, "a", MEGA + "b")))
        .doesNotHaveDuplicates();
  }
}
