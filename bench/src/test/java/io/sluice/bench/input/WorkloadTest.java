package io.sluice.bench.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.schemas.UserActionCodec;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final int DRAWS = 200_000;

  @Test
  void theNthUserComesANthAsOftenAsTheFirst() {
    Map<Long, Long> times =
        LongStream.range(0, DRAWS)
            .boxed()
            .collect(
                Collectors.groupingBy(
                    each -> Kind.ZIPF.user(each, 100), TreeMap::new, Collectors.counting()));

    double ofFirst = DRAWS / harmonic(100);
    assertThat(times.keySet()).hasSize(100).allMatch(user -> user >= 0 && user < 100);
    times.forEach(
        (user, count) ->
            assertThat((double) count)
                .isBetween(bound(ofFirst, user, -6), bound(ofFirst, user, 6)));
  }

  /** Returns the expected count of a user, plus or minus this many standard deviations. */
  private static double bound(double ofFirst, long user, int deviations) {
    double expected = ofFirst / (user + 1);
    return expected + deviations * Math.sqrt(expected);
  }

  private static double harmonic(int ranks) {
    return LongStream.rangeClosed(1, ranks).mapToDouble(rank -> 1.0 / rank).sum();
  }

  @Test
  void everyPairOfUserAndRecipientIsAKeyMetAsOftenAsAnyOther() {
    Map<String, Long> times =
        LongStream.range(0, 1_000)
            .mapToObj(each -> Kind.PAIRS.key(each, 100))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    assertThat(times).hasSize(100).containsEntry("user-49|recipient-1", 10L);
    assertThat(times.values()).containsOnly(10L);
    assertThat(UserActionCodec.decode(Kind.PAIRS.value(99, 100)).getTarget())
        .contains("recipient-1");
  }

  @Test
  void ofTenThousandKeysHalfOfAllIsAllowedInPairsToo() {
    assertThat(new Workload(new Input(Kind.TURNS, 10_000), 120_000).allowed(Algorithm.GCRA))
        .isEqualTo(new Workload(new Input(Kind.PAIRS, 10_000), 120_000).allowed(Algorithm.GCRA));
  }
}
