package io.sluice.rules.limit;

import static io.sluice.rules.event.TestEvent.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitKeyTest {
  @Test
  void oneFieldIsItsValueAsItIs() {
    LimitKey key = new LimitKey(List.of(Field.USER_ID));

    assertThat(key.of(event("a|b\\", "reply", ""))).isEqualTo("a|b\\");
  }

  @Test
  void noFieldsAreOneCountForAll() {
    assertThat(new LimitKey(List.of()).of(event("ann", "reply", ""))).isEmpty();
  }

  @Test
  void severalFieldsAreJoinedInTheirOrder() {
    LimitKey key =
        new LimitKey(
            List.of(Field.TARGET, Field.USER_ID, new Field(Field.Kind.ATTRIBUTE, "country")));

    assertThat(key.of(event("ann", "reply", "b|ob"))).isEqualTo("b\\|ob|ann|nz");
    assertThat(key).hasToString("target,userId,attributes.country");
  }

  @Test
  void anEventOfValuesAloneCountsAsAnyOtherThatHasThem() {
    LimitKey key =
        new LimitKey(
            List.of(Field.TARGET, Field.USER_ID, new Field(Field.Kind.ATTRIBUTE, "country")));
    Event alone = key.event(List.of("b|ob", "ann", "nz"));

    assertThat(key.of(alone)).isEqualTo(key.of(event("ann", "reply", "b|ob")));
    assertThat(key.tagOf(alone)).isEqualTo("ann");
    assertThat(alone.action()).isEmpty();
    assertThat(alone.attribute("city")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void differentValuesNeverMakeTheSameKey(long seed) {
    LimitKey key = new LimitKey(List.of(Field.USER_ID, Field.ACTION, Field.TARGET));
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, List<String>> seen = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      List<String> values = List.of(text(random), text(random), text(random));
      String joined = key.of(event(values.get(0), values.get(1), values.get(2)));
      List<String> before = seen.putIfAbsent(joined, values);
      assertThat(before == null || before.equals(values)).as("%s %s", before, values).isTrue();
    }
  }

  /** Returns a short text of few letters, so that collisions would be found. */
  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(4); left > 0; left--)
      text.append("a|\\".charAt(random.nextInt(3)));
    return text.toString();
  }
}
