package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.params.XAddParams;

/** Tests that arrivals of a sequence that come again get the same outcome again. */
class RedisJournalIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final String PARTITION = "app/user-actions-3";

  @RegisterExtension static final FreshRedis redis = new FreshRedis();

  private static Rule rule(Algorithm algorithm) {
    return Rule.policing("reply", Quota.parse("2/1s"), algorithm);
  }

  private static Request request(Rule rule, String id, long offset, long nowMicros) {
    Arrival arrival = new Arrival(id, 1, nowMicros);
    Position position = new Position(PARTITION, offset);
    return new Request(arrival, List.of(new Bucket(rule, "user")), Standing.NONE, position);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void whoWasRefusedIsRefusedAgainThoughItWouldConformByNow(Algorithm algorithm) {
    Rule rule = rule(algorithm);
    List<Request> requests =
        List.of(
            request(rule, "a", 0, NOW),
            request(rule, "b", 1, NOW),
            request(rule, "refused", 2, NOW),
            request(rule, "later", 3, NOW + 2_500_000));
    List<Outcome> first = redis.meter.meter(requests);
    assertThat(first).extracting(Outcome::admitted).containsExactly(true, true, false, true);
    assertThat(redis.meter.meter(requests)).isEqualTo(first);
    assertThat(redis.meter.meter(requests.subList(2, 4))).isEqualTo(first.subList(2, 4));
  }

  /**
   * Another reader's clock can be ahead or behind, because it has read other partitions as well.
   */
  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void theClockOfWhoAsksAgainChangesNothing(Algorithm algorithm) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) requests.add(request(rule(algorithm), "e" + i, i, NOW));
    List<Outcome> first = redis.meter.meter(requests);
    for (long shiftMicros : List.of(-400_000L, 300_000L)) {
      List<Request> again =
          requests.stream().map(request -> shifted(request, shiftMicros)).toList();
      assertThat(redis.meter.meter(again)).isEqualTo(first);
    }
  }

  private static Request shifted(Request request, long micros) {
    Arrival arrival = request.arrival().at(request.arrival().nowMicros() + micros);
    return new Request(arrival, request.buckets(), Standing.NONE, request.position());
  }

  @Test
  void whoWasAdmittedIsAdmittedAgainThoughItsKeyHasLongForgottenIt() {
    Rule rule = rule(Algorithm.SLIDING_WINDOW_LOG);
    Request first = request(rule, "first", 0, NOW);
    Outcome outcome = redis.meter.meter(first);
    List<Request> later = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) later.add(request(rule, "e" + i, i, NOW + i * 400_000L));
    List<Outcome> outcomes = redis.meter.meter(later);
    assertThat(redis.meter.meter(first)).isEqualTo(outcome);
    assertThat(redis.meter.meter(later)).isEqualTo(outcomes);
  }

  static LongStream seeds() {
    return TestScale.seeds(12, 60);
  }

  /**
   * Runs with 12 seeds, or 60 at full scale. Reads as instances do that die, or that believe they
   * still own a partition.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void whereverReadingGoesOnTheOutcomesAreThoseOfOneReader(long seed) {
    List<Request> once = RedisTraffic.small(seed, 400).requests();
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < once.size(); i++)
      requests.add(RedisTraffic.at(new Position(PARTITION, i), once.get(i)));
    List<Outcome> undisturbed = redis.meter.meter(once);
    redis.meter.removeAll();
    SplittableRandom random = new SplittableRandom(seed);
    int reached = 0;
    while (reached < requests.size()) {
      int from = random.nextInt(reached + 1);
      int to = Math.min(requests.size(), from + 1 + random.nextInt(200));
      List<Outcome> found = redis.meter.meter(requests.subList(from, to));
      assertThat(found).as("%d to %d", from, to).isEqualTo(undisturbed.subList(from, to));
      reached = Math.max(reached, to);
    }
  }

  /** A reader may ask ahead where the reader before it asked when it came to the arrival. */
  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void theAnswerIsFoundInTheOtherSequenceToo(Algorithm algorithm) {
    Rule rule = rule(algorithm);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) requests.add(request(rule, "e" + i, i, NOW));
    requests.add(request(rule, "later", 4, NOW + 2_500_000));
    List<Outcome> first = redis.meter.meter(requests);
    assertThat(first).extracting(Outcome::admitted).contains(true, false);
    List<Request> others =
        requests.stream()
            .map(
                each ->
                    RedisTraffic.at(
                        new Position("other", each.position().offset(), 0, PARTITION), each))
            .toList();
    assertThat(redis.meter.meter(others)).isEqualTo(first);
    assertThat(redis.meter.meter(others.subList(2, 3))).isEqualTo(first.subList(2, 3));
  }

  @Test
  void aSequenceThatBeginsAnewOrUnderOtherRulesIsJudgedAnew() {
    Rule rule = rule(Algorithm.GCRA);
    for (int i = 0; i < 5; i++) redis.meter.meter(request(rule, "old" + i, i, NOW));
    Outcome anew = redis.meter.meter(request(rule, "new", 1, NOW + 5_000_000));
    assertThat(anew.admitted()).isTrue();
    assertThat(anew.judgements().get(0).nowMicros()).isEqualTo(NOW + 5_000_000);
    Rule stricter = Rule.policing("reply", Quota.parse("1/10s"), Algorithm.GCRA);
    assertThat(redis.meter.meter(request(stricter, "old4", 4, NOW + 5_000_000)).admitted())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatLimitsElsewhereSayByNowCounts(boolean refusedFirst) {
    Request request = request(rule(Algorithm.GCRA), "a", 0, NOW);
    Request refused =
        new Request(request.arrival(), request.buckets(), Standing.refusing(), request.position());
    List<Request> requests = refusedFirst ? List.of(refused, request) : List.of(request, refused);
    assertThat(redis.meter.meter(requests.get(0)).admitted()).isEqualTo(!refusedFirst);
    assertThat(redis.meter.meter(requests.get(1)).admitted()).isEqualTo(refusedFirst);
    Request later =
        new Request(
            request.arrival(), request.buckets(), Standing.conforming(NOW + 9), request.position());
    assertThat(redis.meter.meter(later).slotMicros()).isEqualTo(NOW + 9);
  }

  @Test
  void keepsABoundedNumberForABoundedTime() {
    Rule rule = rule(Algorithm.GCRA);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) requests.add(request(rule, "e" + i, i, NOW + i * 1_000L));
    redis.meter.meter(requests);
    List<String> journals = List.copyOf(redis.client.keys("*journal*"));
    assertThat(journals).hasSize(1);
    assertThat(redis.client.llen(journals.get(0))).isBetween(20_000L / 125, 20_000L / 125 + 1);
    assertThat(redis.client.pttl(journals.get(0))).isBetween(1L, 900_000L);
    assertThat(redis.client.memoryUsage(journals.get(0))).isLessThan(2_200_000);
  }

  /** A compacted partition has large gaps between the offsets of its records. */
  @Test
  void keepsAsManyAnswersAsAreNeededWithAnyGapsBetweenOffsets() {
    Rule rule = rule(Algorithm.GCRA);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Position position = new Position(PARTITION, i * 1_000L, Math.max(0, i - 1_000) * 1_000L, "");
      Arrival arrival = new Arrival("e" + i, 1, NOW + i * 1_000L);
      List<Bucket> buckets = List.of(new Bucket(rule, "user"));
      requests.add(new Request(arrival, buckets, Standing.NONE, position));
    }
    List<Outcome> first = redis.meter.meter(requests);
    String journal = redis.client.keys("*journal*").iterator().next();
    assertThat(redis.client.llen(journal)).isBetween(1_000L / 125, 1_000L / 125 + 1);
    List<Request> last = requests.subList(2_000, 3_000);
    assertThat(redis.meter.meter(last)).isEqualTo(first.subList(2_000, 3_000));
  }

  /**
   * Simulates a Cluster, where a partition has a journal for each slot, with few arrivals in each.
   */
  @Test
  void manyJournalsWithFewAnswersTakeLittle() {
    Rule rule = rule(Algorithm.GCRA);
    int journals = 2_000;
    int rounds = 30;
    long before = usedBytes();
    for (int round = 0; round < rounds; round++) {
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i < journals; i++) {
        Arrival arrival = new Arrival("e" + round + "-" + i, 1, NOW + round * 1_000L);
        Position position = new Position(PARTITION + "/" + i, round * 16_384L);
        List<Bucket> buckets = List.of(new Bucket(rule, "user"));
        requests.add(new Request(arrival, buckets, Standing.NONE, position));
      }
      redis.meter.meter(requests);
    }
    assertThat(redis.client.keys("*journal*")).hasSize(journals);
    assertThat((usedBytes() - before) / journals).isLessThan(600);
  }

  private static long usedBytes() {
    String memory = redis.client.info("memory");
    return Long.parseLong(memory.replaceAll("(?s).*used_memory:(\\d+).*", "$1"));
  }

  @Test
  void theAnswersOfAJournalOfTheReleaseBeforeAreRepeated() {
    Rule rule = rule(Algorithm.GCRA);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 300; i++) requests.add(request(rule, "e" + i, i, NOW + i * 10_000L));
    List<Outcome> first = redis.meter.meter(requests);
    String journal = redis.client.keys("*journal3*").iterator().next();
    String stream = journal.replace("journal3", "journal2");
    for (byte[] entry : redis.client.lrange(journal.getBytes(UTF_8), 0, -1)) {
      int colon = new String(entry, ISO_8859_1).indexOf(':');
      String id = new String(entry, 0, colon, ISO_8859_1) + "-0";
      redis.client.xadd(
          stream.getBytes(UTF_8),
          XAddParams.xAddParams().id(id),
          Map.of(new byte[0], Arrays.copyOfRange(entry, colon + 1, entry.length)));
    }
    redis.client.del(journal);
    assertThat(redis.meter.meter(requests)).isEqualTo(first);
    redis.meter.meter(request(rule, "new", 300, NOW + 60_000_000));
    assertThat(redis.client.llen(journal)).isEqualTo(1);
    assertThat(redis.meter.meter(requests)).isEqualTo(first);
  }
}
