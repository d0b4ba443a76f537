package io.sluice.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleTest {
  private final KeyPoint few = new KeyPoint("memory", 10_000, 90_000, 2.5, 2_300_000, 0, 1_200);
  private final KeyPoint many =
      new KeyPoint("rocksdb", 1_000_000, 60_000, 7.5, 900_000, 98_000_000, 4_600);
  private final DelayPoint delayed =
      new DelayPoint("memory", 100_000, 1_500, 1_900, 34_000_000, 2.125, 8.5);
  private final Scale.Results results =
      new Scale.Results(List.of(few, many), List.of(delayed), List.of("Left out: much."));

  @Test
  void aStepIsTenTimesTheOneBeforeUpToTheMost() {
    ScalePlan plan =
        ScalePlan.of(false, 10_000_000, 5_000_000, 1_000_000, "exactly_once_v2", Map.of());

    assertThat(plan.keys()).containsExactly(10_000, 100_000, 1_000_000, 10_000_000);
    assertThat(plan.waiting()).containsExactly(10_000, 100_000, 1_000_000, 5_000_000);
  }

  @Test
  void theTableSaysWhatAKeyTakesAndWhatWasLeftOut() {
    assertThat(new ScaleTables(results).lines())
        .containsExactly(
            "| keys      |   store | events/s | CPU us | heap bytes a key | disk bytes a key | first output after s |",
            "|-----------|--------:|---------:|-------:|-----------------:|-----------------:|---------------------:|",
            "| 10,000    |  memory |   90,000 |    2.5 |              230 |                  |                  1.2 |",
            "| 1,000,000 | rocksdb |   60,000 |    7.5 |                  |               98 |                  4.6 |",
            "",
            "| delayed events |  store | a wake ms | longest | heap bytes an event | published in s | restored in s |",
            "|----------------|-------:|----------:|--------:|--------------------:|---------------:|--------------:|",
            "| 100,000        | memory |      2.13 |    8.50 |                 340 |            1.5 |           1.9 |",
            "",
            "Left out: much.");
  }

  @Test
  void eachStoreHasACurveOfItsOwnInEachPicture() {
    String svg = new ScaleReport(Map.of(), results).svg();

    assertThat(svg)
        .containsSubsequence("<g ", "10k", "1M", ">memory<", ">rocksdb<", "<g ", "<g ", "100k");
    assertThat(svg.split("<polyline", -1)).hasSize(1 + 2 * 2 + 2);
  }

  @Test
  void whatTheHeapHasNoRoomForIsLeftOut() {
    StringWriter said = new StringWriter();
    ScaleBed scale = new ScaleBed(null, null, new PrintWriter(said), null);

    assertThat(scale.hasRoom("ten keys", 10 * 100)).isTrue();
    assertThat(scale.hasRoom("so many keys", 3.0 * (1L << 50))).isFalse();

    assertThat(said.toString().strip())
        .isEqualTo(
            "Left out for lack of memory: so many keys. They need a heap of about 4194304.0 GiB.");
  }
}
