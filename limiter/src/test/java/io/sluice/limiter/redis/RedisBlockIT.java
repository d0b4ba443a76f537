package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what blocks do in Redis only: how long keys are kept, and the journal. */
class RedisBlockIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final long HOUR = 3_600L * 1_000_000;

  @RegisterExtension static final FreshRedis redis = new FreshRedis();

  private static Rule rule(Algorithm algorithm, long blockMicros) {
    return Rule.policing("reply", Quota.parse("2/60s"), algorithm).blocking(blockMicros);
  }

  private Outcome meter(Rule rule, Standing elsewhere, long nowMicros) {
    Arrival arrival = new Arrival("", 1, nowMicros);
    List<Bucket> buckets = List.of(new Bucket(rule, "ann"));
    return redis.meter.meter(new Request(arrival, buckets, elsewhere, Position.NONE));
  }

  private long leftMillis() {
    return redis.client.pttl(redis.client.keys("*").iterator().next());
  }

  /** The grace of ten minutes is added to either time. */
  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void aKeyIsKeptUntilItsBlockEndsAndNoShorterThanBefore(Algorithm algorithm) {
    for (int i = 0; i < 2; i++) meter(rule(algorithm, HOUR), Standing.NONE, NOW);
    assertThat(leftMillis()).isLessThan(3_600_000);
    meter(rule(algorithm, HOUR), Standing.NONE, NOW);
    assertThat(leftMillis()).isBetween(3_600_000L + 600_000 - 30_000, 3_600_000L + 600_002);

    redis.client.flushAll();
    for (int i = 0; i < 3; i++) meter(rule(algorithm, 1), Standing.NONE, NOW);
    assertThat(leftMillis()).as("40 s or more, and the grace").isGreaterThan(640_000 - 30_000);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void limitsElsewhereNeitherBeginNorPreventABlock(Algorithm algorithm) {
    Rule rule = rule(algorithm, HOUR);
    meter(rule, Standing.refusing(), NOW);
    assertThat(redis.client.dbSize()).isZero();
    for (int i = 0; i < 2; i++) meter(rule, Standing.NONE, NOW);
    meter(rule, Standing.refusing(), NOW);
    assertThat(meter(rule, Standing.NONE, NOW + HOUR - 1).decision(0))
        .isEqualTo(new Decision.Blocked(1, 1));
    assertThat(meter(rule, Standing.NONE, NOW + HOUR).admitted()).isTrue();
  }

  @Test
  void theRefusalThatBeganABlockIsRepeatedByTheJournal() {
    Rule rule = rule(Algorithm.GCRA, HOUR);
    for (int i = 0; i < 2; i++) meter(rule, Standing.NONE, NOW);
    Request third =
        new Request(
            new Arrival("c", 1, NOW),
            List.of(new Bucket(rule, "ann")),
            Standing.NONE,
            new Position("partition", 3));
    Outcome first = redis.meter.meter(third);
    assertThat(first.decision(0)).isInstanceOf(Decision.NonConforming.class);
    assertThat(meter(rule, Standing.NONE, NOW + 1).decision(0))
        .isInstanceOf(Decision.Blocked.class);
    assertThat(redis.meter.meter(third)).isEqualTo(first);
  }
}
