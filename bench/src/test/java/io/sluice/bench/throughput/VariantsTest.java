package io.sluice.bench.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.apps.PlainTopology;
import io.sluice.bench.input.Input;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VariantsTest {
  @Test
  void aKeyThatIsMetMoreThanOnceSaysHowOften() {
    assertThat(Variants.metName(1_000_000))
        .isEqualTo("state store, memory, funnel, 200k keys, met 5 times");
    assertThat(Variants.metName(5_000_000))
        .isEqualTo("state store, memory, funnel, 1M keys, met 5 times");
    assertThat(Variants.all(1_000_000))
        .extracting(Variant::name)
        .doesNotHaveDuplicates()
        .contains("state store, memory, funnel, 1M keys", Variants.metName(1_000_000));
    assertThat(Variants.all(5_000_000))
        .extracting(Variant::name)
        .doesNotHaveDuplicates()
        .contains(Variants.metName(5_000_000))
        .doesNotContain("state store, memory, funnel, 1M keys");
  }

  @Test
  void redisIsAskedByBothAlgorithms() {
    assertThat(Variants.REDIS_FUNNEL).isEqualTo("Redis, funnel, prefetched");
    assertThat(Variants.REDIS_LOG).isEqualTo("Redis, log, prefetched");
  }

  @Test
  void everyVariantHasAPassThroughOfTheSameInput() {
    Map<String, Input> inputs =
        Variants.all(1_000_000).stream().collect(Collectors.toMap(Variant::name, Variant::input));

    assertThat(Variants.all(1_000_000))
        .allSatisfy(each -> assertThat(inputs).containsEntry(each.basis(), each.input()))
        .allSatisfy(each -> assertThat(each.basis()).startsWith(PlainTopology.PASS_THROUGH_NAME));
  }

  @Test
  void whatIsWantedIsWantedOfVariantsThatThereAre() {
    for (long events : new long[] {100_000, 1_000_000, 5_000_000}) {
      assertThat(Variants.all(events))
          .extracting(Variant::name)
          .containsAll(Wanted.all().stream().map(Wanted::name).toList())
          .containsAll(Wanted.all().stream().map(Wanted::to).toList());
    }
  }

  @Test
  void aQuickRunHasOneVariantOfEachKind() {
    assertThat(Variants.all(100_000, Variants.headline()))
        .extracting(Variant::name)
        .containsExactly(
            "pass-through",
            "Sluice, no limit matches",
            "state store, memory, funnel, 10k keys",
            "Redis, funnel, prefetched",
            "DSL windowed count, joined",
            "Bucket4j on Redis");
  }

  @Test
  void onlyThoseThatAreAskedForRunAndWhatTheyAreMeasuredBy() {
    assertThat(Variants.all(1_000_000, Pattern.compile("state store, memory, funnel, 1M keys$")))
        .extracting(Variant::name)
        .containsExactly(
            "pass-through", "pass-through, 1M keys", "state store, memory, funnel, 1M keys");
    assertThat(Variants.all(1_000_000, Pattern.compile("nothing is called this")))
        .extracting(Variant::name)
        .containsExactly("pass-through");
    assertThat(Variants.all(1_000_000, Pattern.compile("")))
        .extracting(Variant::name)
        .containsExactlyElementsOf(Variants.all(1_000_000).stream().map(Variant::name).toList());
  }
}
