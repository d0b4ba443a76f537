package io.sluice.limiter.redis;

import io.sluice.limiter.Scenarios;
import io.sluice.limiter.Scenarios.Limit;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every answer of Redis with the oracle, and so with the state store. */
class RedisMeterAgainstOracleIT extends AgainstOracle {
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.Scenarios#all")
  void everyAnswerIsTheDefinitions(List<Limit> limits, long seed) throws Exception {
    meter.removeAll();
    Ahead.forEach(Scenarios.rounds(limits, seed), steps -> agree(steps, seed));
  }
}
