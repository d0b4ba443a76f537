package io.sluice.bench.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.report.Spread;
import io.sluice.bench.run.ThreadCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {
  private final Variant plain = Variants.passThrough();
  private final Variant other =
      Variant.of("other", plain.input(), plain.application()).beside(plain.name());
  private final Results results = new Results(List.of(plain, other));

  @Test
  void aRoundIsComparedWithItself() {
    round(1_000, 2_000);
    round(10_000, 20_000); // a round with other load on the machine
    round(1_000, 4_000);

    assertThat(results.ofPassThrough("other")).isEqualTo(new Spread(0.25, 0.5, 0.5));
  }

  @Test
  void theTableLinesUp() {
    round(1_000, 123_456);

    List<String> table = lines().subList(0, 4);
    assertThat(table).extracting(String::length).containsOnly(table.get(0).length());
  }

  @Test
  void theCostOfAnEventIsBesideWhatPassThroughTakes() {
    round(1_000, 2_000);

    assertThat(lines())
        .contains(
            "| pass-through   |   0.00 |  0.00 | 0.00 |       1.60 |                0.00 |                  |",
            "| other          |   0.00 |  0.00 | 0.00 |       4.00 |                2.40 |              8.0 |");
  }

  @Test
  void whatIsWantedIsSaidBesideWhatIsReached() {
    round(1_000, 2_500);
    List<Wanted> wanted =
        List.of(
            new Wanted(Wanted.Figure.RATIO, "other", "other", 0.45, 0.5),
            new Wanted(Wanted.Figure.RATIO, "other", "other", 0.3, 0.4),
            new Wanted(Wanted.Figure.RATIO, "other", "other", 0.4, 0.41),
            new Wanted(Wanted.Figure.GARBAGE, "other", "other", 2.4, 2.4),
            new Wanted(Wanted.Figure.REDIS, "other", "other", 7, 7),
            new Wanted(Wanted.Figure.TIMES, "pass-through", "other", 3, 3),
            new Wanted(Wanted.Figure.TIMES, "other", "not measured", 3, 3));

    assertThat(Wanted.table(wanted, results))
        .containsExactly(
            "| wanted and reached   |            figure |  wanted | more | reached |      |",
            "|----------------------|------------------:|--------:|-----:|--------:|-----:|",
            "| other                |   of pass-through | >= 0.45 | 0.50 |    0.40 |   no |",
            "| other                |   of pass-through | >= 0.30 | 0.40 |    0.40 | more |",
            "| other                |   of pass-through | >= 0.40 | 0.41 |    0.40 |  yes |",
            "| other                | garbage KB beyond |  <= 2.4 |      |     2.4 |  yes |",
            "| other                |  Redis' thread us |  <= 7.0 |      |     8.0 |   no |",
            "| pass-through : other |             times |  >= 3.0 |      |     2.5 |   no |");
  }

  private List<String> lines() {
    return new ThroughputTables(results, List.of()).lines();
  }

  private static Sample sample(long millis, long garbageBytes, long redisMicros) {
    long events = 1_000_000;
    ThreadCost cost = new ThreadCost(0, garbageBytes * events);
    return new Sample(events, events, millis, cost, redisMicros * 1_000 * events);
  }

  private void round(long plainMillis, long otherMillis) {
    results.add(plain, sample(plainMillis, 1_600, 0));
    results.add(other, sample(otherMillis, 4_000, 8));
  }
}
