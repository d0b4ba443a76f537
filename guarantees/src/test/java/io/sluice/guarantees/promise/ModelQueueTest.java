package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.promise.ModelQueue.Flaw;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guarantees of queues with histories of a model, which keeps or breaks them. */
@Tag("slow") // the model runs for minutes of its own time; near the bound on a busy machine
class ModelQueueTest {
  private static final long SHORT_MS = 45_000;

  /** Time in milliseconds in which several events reach a higher class. */
  private static final long LONG_MS = 90_000;

  private final HandMade run = new HandMade();

  private void run(Flaw flaw, long seed, long lastMs) {
    new ModelQueue(run, flaw, seed).run(lastMs);
  }

  @Test
  void aQueueThatKeepsTheManualKeepsAllGuarantees() {
    run(Flaw.NONE, 1, LONG_MS);

    List<Guarantee> all =
        List.of(
            new PriorityKept(),
            new FairShare(),
            new LineOrderKept(),
            new NoHeadOfLineBlocking(true),
            new NeverOverLimit());
    for (Guarantee each : all) {
      assertThat(run.violationsOf(each)).as(each.name()).isEmpty();
      assertThat(each.cases(run.history())).as(each.name()).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @CsvSource({"NO_CLASSES", "CLASSES_UPSIDE_DOWN", "NO_AGING"})
  void aFlawOfClassesIsFound(Flaw flaw) {
    run(flaw, 4, LONG_MS);

    assertThat(run.violationsOf(new PriorityKept())).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"NO_SHARES", "NO_WEIGHTS"})
  void aFlawOfSharesIsFound(Flaw flaw) {
    run(flaw, 5, SHORT_MS);

    assertThat(run.violationsOf(new FairShare())).isNotEmpty();
    assertThat(run.violationsOf(new PriorityKept())).isEmpty();
  }
}
