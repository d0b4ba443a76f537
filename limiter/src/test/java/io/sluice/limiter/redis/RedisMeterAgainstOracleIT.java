package io.sluice.limiter.redis;

import io.sluice.limiter.Scenarios;
import io.sluice.limiter.Scenarios.Limit;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Redis' answers are those of the definitions, and so those of the state store, each and every one.
 */
class RedisMeterAgainstOracleIT extends AgainstOracle {
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.Scenarios#all")
  void everyAnswerIsTheDefinitions(List<Limit> limits, long seed) throws Exception {
    meter.removeAll();
    Ahead.forEach(Scenarios.rounds(limits, seed), steps -> agree(steps, seed));
  }
}
