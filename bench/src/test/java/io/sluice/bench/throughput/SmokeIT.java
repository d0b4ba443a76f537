package io.sluice.bench.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.apps.PlainTopology;
import io.sluice.bench.input.Input;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.WrongResultException;
import io.sluice.limiter.Algorithm;
import io.sluice.testing.TestScale;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each kind of variant runs and gives right results; its speed is not checked. */
@Tag("full") // starts a broker of its own and each kind of application
class SmokeIT {
  private static final Throughput.Plan PLAN = new Throughput.Plan(1, 0, 400);
  private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());
  private static Laboratory laboratory;

  @BeforeAll
  static void open() throws IOException {
    laboratory = new Laboratory(NOWHERE, Map.of("processing.guarantee", "exactly_once_v2"));
  }

  @AfterAll
  static void close() throws IOException {
    laboratory.close();
  }

  @Test
  void everyKindOfVariantGivesWhatItShould() throws Exception {
    List<String> kinds =
        new ArrayList<>(
            TestScale.<String>some(
                    1,
                    Stream.of(
                        "state store, memory, log, 10k keys",
                        "state store, memory, funnel, 10k keys, 4 limits",
                        Variants.ASKED,
                        "state store, memory, funnel, 10k keys, two fields",
                        "decode only, JSON",
                        "state store, memory, funnel, 10k keys, JSON",
                        "state store, memory, funnel, 10k keys, two threads",
                        Variants.REDIS_FUNNEL + ", Zipf",
                        "Redis Cluster of three, log, prefetched",
                        Variants.WINDOWED_COUNT))
                .toList());
    kinds.add(PlainTopology.PASS_THROUGH_NAME);
    kinds.add("state store, memory, funnel, 10k keys, headers=none");
    kinds.add(Variants.BUCKET4J);
    kinds.add(Variants.REDISSON);
    List<Variant> variants =
        Variants.all(20_000).stream().filter(each -> kinds.contains(each.name())).toList();
    assertThat(variants).hasSameSizeAs(kinds);

    Results results = run(variants.stream().map(SmokeIT::withFewUsers).toList());

    assertThat(results.names())
        .allSatisfy(
            name -> assertThat(results.samples(name).get(0).events()).isEqualTo(PLAN.events()));
    assertThat(new ThroughputReport(Map.of(), results, Wanted.all()).lines())
        .anyMatch(line -> line.startsWith("| Bucket4j"))
        .anyMatch(line -> line.startsWith("| state store") && line.contains(">= 0.55"));
    assertThat(new Chart(results).svg()).contains("Bucket4j on Redis").endsWith("</svg>\n");
  }

  @Test
  void whatGivesWrongVerdictsIsNotMeasured() {
    Variant wrong =
        Variants.passThrough()
            .with(Input.inTurns(7)) // so few users that a limit would refuse most events
            .exactly(Algorithm.GCRA);

    assertThatThrownBy(() -> run(List.of(wrong)))
        .isInstanceOf(WrongResultException.class)
        .hasMessageContaining("pass-through gave 400 allowed, and should have given 21");
  }

  /**
   * Returns a variant with few users, most of whose events are over the limit, that processes all
   * events. It shares one pass-through with the others.
   */
  private static Variant withFewUsers(Variant variant) {
    Input few = new Input(variant.input().kind(), 40);
    return variant.with(few).taking(1).beside(PlainTopology.PASS_THROUGH_NAME);
  }

  private Results run(List<Variant> variants) throws Exception {
    return new Throughput(laboratory, PLAN, variants).run();
  }
}
