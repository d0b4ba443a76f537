package io.sluice.limiter.redis;

import io.sluice.limiter.ChangingScenarios;
import io.sluice.limiter.Scenarios.Limit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares Redis' answers with the oracle while limits change. */
class RedisChangesAgainstOracleIT extends AgainstOracle {
  /** Meters each round as it comes; every eighth also in hindsight, when all changes are known. */
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.ChangingScenarios#all")
  void everyAnswerUnderChangingLimitsIsTheDefinitions(List<Limit> limits, long seed)
      throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    Ahead.forEach(
        ChangingScenarios.rounds(limits, seed),
        round -> {
          meter.removeAll();
          agree(round.steps(), seed);
          if (round.late() || rounds.getAndIncrement() % 8 > 0) return;
          meter.removeAll();
          agree(round.steps().stream().map(round::inHindsight).toList(), seed);
        });
  }
}
