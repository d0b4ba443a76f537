package io.sluice.rules.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.limit.Match.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  @Test
  void allButTheseIncludesWhatIsNotThere() {
    Values values = Values.of(true, List.of("a", "b*"));

    assertThat(values.accept("c")).isTrue();
    assertThat(values.accept("")).isTrue();
    assertThat(values.accept("a")).isFalse();
    assertThat(values.accept("bc")).isFalse();
    assertThat(values).hasToString("!a,b*");
  }

  @Test
  void aStarIsAnyValueThatIsThere() {
    assertThat(Values.of(false, List.of("*")).accept("a")).isTrue();
    assertThat(Values.of(false, List.of("*")).accept("")).isFalse();
    assertThat(Values.of(true, List.of("*")).accept("")).isTrue();
    assertThat(Values.of(true, List.of("*")).accept("a")).isFalse();
  }

  @Test
  void aPrefixAcceptsWhatBeginsSo() {
    Values values = Values.of(false, List.of("bot-*", "crawler"));

    assertThat(values.accept("bot-7")).isTrue();
    assertThat(values.accept("bot-")).isTrue();
    assertThat(values.accept("crawler")).isTrue();
    assertThat(values.accept("bot")).isFalse();
    assertThat(values.accept("crawlers")).isFalse();
  }

  @Test
  void withABackslashTheyAreCharacters() {
    Values values = Values.of(false, List.of("\\!a", "b\\*", "c\\**"));

    assertThat(values.accept("!a")).isTrue();
    assertThat(values.accept("b*")).isTrue();
    assertThat(values.accept("bc")).isFalse();
    assertThat(values.accept("c*d")).isTrue();
    assertThat(values.accept("cd")).isFalse();
    assertThat(Values.of(false, values.texts())).isEqualTo(values);
  }

  /** Compares with all short values, including a letter that is in none of the texts. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void twoExcludeEachOtherIfNoValueIsAcceptedByBoth(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> all = upTo(4, "abc");
    int excluding = 0;
    for (int i = 0; i < 3_000; i++) {
      Values one = random(random);
      Values other = random(random);
      boolean none = all.stream().noneMatch(each -> one.accept(each) && other.accept(each));
      assertThat(one.exclude(other)).as("%s and %s", one, other).isEqualTo(none);
      if (none) excluding++;
    }
    assertThat(excluding).isBetween(300, 2_700);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void oneIncludesAnotherIfItAcceptsAllItsValues(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> all = upTo(4, "abc");
    int including = 0;
    for (int i = 0; i < 3_000; i++) {
      Values one = random(random);
      Values other = random(random);
      boolean every = all.stream().allMatch(each -> one.accept(each) || !other.accept(each));
      assertThat(one.include(other)).as("%s and %s", one, other).isEqualTo(every);
      if (every) including++;
    }
    assertThat(including).isBetween(300, 2_700);
  }

  private static Values random(SplittableRandom random) {
    List<String> texts = new ArrayList<>();
    List<String> few = upTo(2, "ab");
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String text = few.get(1 + random.nextInt(few.size() - 1));
      texts.add(random.nextBoolean() ? text : text + "*");
    }
    return Values.of(random.nextInt(3) == 0, random.nextInt(8) == 0 ? List.of("*") : texts);
  }

  /** Returns all texts of these letters up to a length, the empty one first. */
  private static List<String> upTo(int length, String letters) {
    List<String> all = new ArrayList<>(List.of(""));
    for (int i = 0; all.get(i).length() < length; i++) {
      for (char letter : letters.toCharArray()) all.add(all.get(i) + letter);
    }
    return all;
  }
}
