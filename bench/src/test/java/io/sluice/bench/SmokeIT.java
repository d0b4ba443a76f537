package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether each kind of variant runs and gives what it should; not how fast. */
class SmokeIT {
  private static final Throughput.Plan PLAN =
      new Throughput.Plan(1, 0, 400, "exactly_once_v2", Map.of());
  private static Laboratory laboratory;

  @TempDir Path folder;

  @BeforeAll
  static void open() throws IOException {
    laboratory = new Laboratory();
  }

  @AfterAll
  static void close() throws IOException {
    laboratory.close();
  }

  @Test
  void everyKindOfVariantGivesWhatItShould() throws Exception {
    List<String> kinds =
        List.of(
            Variants.PASS_THROUGH,
            "state store, memory, log, 10k keys",
            "state store, memory, funnel, 10k keys, headers=none",
            "state store, memory, funnel, 10k keys, 4 limits",
            Variants.ASKED,
            "Redis, funnel, prefetched",
            "DSL windowed count, joined",
            "Bucket4j on Redis");
    List<Variant> variants =
        Variants.all(20_000).stream().filter(each -> kinds.contains(each.name())).toList();
    assertThat(variants).hasSameSizeAs(kinds);

    Results results = run(variants.stream().map(SmokeIT::withFewUsers).toList());

    assertThat(results.names())
        .allSatisfy(
            name -> assertThat(results.samples(name).get(0).events()).isEqualTo(PLAN.events()));
    assertThat(new ThroughputTables(results).lines()).anyMatch(line -> line.contains("Bucket4j"));
    assertThat(new Chart(results).svg()).contains("Bucket4j on Redis").endsWith("</svg>\n");
  }

  @Test
  void whatGivesWrongVerdictsIsNotMeasured() {
    Variant wrong =
        new Variant(
            Variants.PASS_THROUGH,
            7, // who come so often that a limit would refuse most of them
            1,
            Variants.passThrough().application(),
            List.of(Algorithm.GCRA));

    assertThatThrownBy(() -> run(List.of(wrong)))
        .isInstanceOf(WrongResultException.class)
        .hasMessageContaining("pass-through gave 400 allowed, and should have given 21");
  }

  /** Who come so often that most of what they do is over the limit, and all of whom is taken. */
  private static Variant withFewUsers(Variant variant) {
    return new Variant(variant.name(), 40, 1, variant.application(), variant.exact());
  }

  private Results run(List<Variant> variants) throws Exception {
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    return new Throughput(laboratory, PLAN, variants, nowhere, folder).run();
  }
}
