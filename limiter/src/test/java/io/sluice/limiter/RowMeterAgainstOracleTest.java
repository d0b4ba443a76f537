package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Scenarios.Limit;
import io.sluice.limiter.Scenarios.Step;
import io.sluice.limiter.rows.Conditions;
import io.sluice.testing.TestScale;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every answer of the row meter with the oracle. */
@Tag("slow") // 118 combinations of algorithms against the oracle
@Execution(ExecutionMode.CONCURRENT) // the tests share nothing, and take minutes
class RowMeterAgainstOracleTest {
  /** Arrivals may be late by two periods, some of which are days. */
  private static final Conditions LATE = Conditions.ALONE.with(now -> now - 864_000_000_000L);

  private static final LongAdder ADMITTED = new LongAdder();
  private static final LongAdder METERED = new LongAdder();

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.Scenarios#all")
  void everyAnswerIsTheDefinitions(List<Limit> limits, long seed) {
    long[] admittedOf = new long[2];
    Scenarios.rounds(limits, seed)
        .forEach(
            steps -> {
              agree(steps, seed);
              admittedOf[0] += steps.stream().filter(each -> each.expected().admitted()).count();
              admittedOf[1] += steps.size();
            });
    if (limits.stream().anyMatch(limit -> !limit.way().watches())) {
      // A small scenario has too few rules for a share; all scenarios together have enough.
      long some = TestScale.isFull() ? admittedOf[1] / 20 : 1;
      assertThat(admittedOf[0]).as("seed %d", seed).isBetween(some, admittedOf[1] - some);
      ADMITTED.add(admittedOf[0]);
      METERED.add(admittedOf[1]);
    }
  }

  @AfterAll
  static void enoughIsAdmittedAndEnoughIsNot() {
    long some = METERED.sum() / 20;
    assertThat(ADMITTED.sum()).isBetween(some, METERED.sum() - some);
  }

  /** Meters each round twice: as it comes, and in hindsight, when all changes are known. */
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.ChangingScenarios#all")
  void everyAnswerUnderChangingLimitsIsTheDefinitions(List<Limit> limits, long seed) {
    ChangingScenarios.rounds(limits, seed)
        .forEach(
            round -> {
              agree(round.steps(), seed);
              if (round.late()) return;
              agree(round.steps().stream().map(round::inHindsight).toList(), seed);
            });
  }

  private static void agree(List<Step> steps, long seed) {
    RowMeter meter = new RowMeter(new WatchedRows(), LATE);
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Outcome found;
      try {
        found = meter.meter(step.arrival(), step.buckets());
      } catch (RuntimeException e) {
        throw new AssertionError("seed %d, event %d, %s".formatted(seed, i, step), e);
      }
      if (found.equals(step.expected())) continue;
      assertThat(found).as("seed %d, event %d, %s", seed, i, step).isEqualTo(step.expected());
    }
  }
}
