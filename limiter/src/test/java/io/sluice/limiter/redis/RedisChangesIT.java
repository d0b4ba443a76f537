package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Change;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.rows.HeapRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what changing rules do in Redis only: the changes that a call brings, and the journal. */
class RedisChangesIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final long HOUR = 3_600L * 1_000_000;

  @RegisterExtension static final FreshRedis redis = new FreshRedis();

  private static Change change(long atMicros, String quota) {
    return new Change.Numbers(atMicros, Quota.parse(quota), 0);
  }

  private static Request request(Rule rule, String id, String key, long offset, long nowMicros) {
    Arrival arrival = new Arrival(id, 1, nowMicros);
    Position position = offset < 0 ? Position.NONE : new Position("partition", offset);
    return new Request(arrival, List.of(new Bucket(rule, key)), Standing.NONE, position);
  }

  /** A funnel's backlog of thousands of hours is scaled by changes that most calls do not bring. */
  private static final Rule LONG_AGO =
      Rule.policing("reply", Quota.parse("2000/1h"), Algorithm.GCRA)
          .changing(
              List.of(
                  change(NOW + 1, "2/1h"),
                  change(NOW + 100 * HOUR, "3/1h"),
                  change(NOW + 200 * HOUR, "4/1h")));

  /**
   * Some keys were charged before these changes, and there are more requests than fit in one call.
   */
  private static List<Request> farApart(boolean positions) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) requests.add(request(LONG_AGO, "a" + i, "old", -1, NOW));
    for (int i = 0; i < 900; i++) {
      String key = i % 300 == 70 ? "old" : "key-" + i % 7;
      long offset = positions ? i : -1;
      requests.add(request(LONG_AGO, "b" + i, key, offset, NOW + 300 * HOUR + i));
    }
    return requests;
  }

  private static List<Outcome> inRows(List<Request> requests) {
    RowMeter rows = new RowMeter(new HeapRows());
    return requests.stream().map(each -> rows.meter(each.arrival(), each.buckets())).toList();
  }

  @Test
  void anArrivalForWhichTooFewChangesCameIsAskedAgainWithThoseBehindIt() {
    List<Request> requests = farApart(false);
    Outcome[] outcomes = new Outcome[requests.size()];
    int roundTrips = redis.meter.meter(requests.iterator(), (i, outcome) -> outcomes[i] = outcome);
    assertThat(Arrays.asList(outcomes)).isEqualTo(inRows(requests));
    assertThat(roundTrips).as("one more where an old key is asked for").isEqualTo(24 + 3);
  }

  @Test
  void whatWasAskedTwiceIsInTheJournalOnce() {
    List<Request> requests = farApart(true);
    List<Outcome> first = redis.meter.meter(requests);
    assertThat(first).isEqualTo(inRows(requests));
    List<Request> again = requests.subList(2_000, requests.size());
    assertThat(redis.meter.meter(again)).isEqualTo(first.subList(2_000, first.size()));
  }

  /** Some were judged before the change was known, some by it, and some when another came late. */
  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void anArrivalThatComesAgainAfterAChangeIsAnsweredAsTheFirstTime(Algorithm algorithm) {
    Rule before = Rule.policing("reply", Quota.parse("2/60s"), algorithm);
    Rule raised = before.changing(List.of(change(NOW + 10, "5/60s")));
    Rule late = before.changing(List.of(change(NOW + 10, "5/60s"), change(NOW, "9/60s")));
    List<Request> requests = new ArrayList<>();
    List<Outcome> first = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Rule rule = i < 3 ? before : i < 6 ? raised : late;
      requests.add(request(rule, "id" + i, "user", i, NOW + 5 * i));
      first.add(redis.meter.meter(requests.get(i)));
    }
    assertThat(first).isEqualTo(inRows(requests));
    assertThat(first)
        .extracting(Outcome::admitted)
        .startsWith(true, true, false, true, true, true, false);
    for (Rule rule : List.of(before, raised, late)) {
      List<Outcome> again = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        again.add(redis.meter.meter(request(rule, "id" + i, "user", i, NOW + 5 * i)));
      }
      assertThat(again).as("under %s", rule).isEqualTo(first);
    }
  }

  /** A caller that learns of a change only now sends other numbers from before all changes. */
  @Test
  void anArrivalThatIsJudgedByOthersLeavesTheAnswersOfTheRest() {
    Rule before = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.GCRA);
    Rule late = Rule.policing("reply", Quota.parse("9/60s"), Algorithm.GCRA);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      requests.add(request(before, "id" + i, i == 0 ? "ada" : "bob", i, NOW + i));
    }
    List<Outcome> first = redis.meter.meter(requests);

    redis.meter.meter(request(late, "id0", "ada", 0, NOW));
    assertThat(redis.meter.meter(requests.subList(1, 8))).isEqualTo(first.subList(1, 8));
  }

  /** A planned longer period must find what it counts. */
  @ParameterizedTest
  @EnumSource(names = {"GCRA", "SLIDING_WINDOW_LOG"})
  void aKeyIsKeptForThePeriodsThatAreToCome(Algorithm algorithm) {
    Rule rule = Rule.policing("reply", Quota.parse("2/60s"), algorithm);
    long graceMillis = 600_000;
    redis.meter.meter(request(rule, "a", "plain", -1, NOW));
    Rule longer = rule.changing(List.of(change(NOW + 10, "2/2h"), change(NOW + 20, "2/1h")));
    redis.meter.meter(request(longer, "a", "longer", -1, NOW));
    assertThat(ttlMillis("plain")).isBetween(graceMillis, graceMillis + 61_000);
    assertThat(ttlMillis("longer")).isBetween(graceMillis + 1_800_000, graceMillis + 3_601_000);
  }

  private static long ttlMillis(String user) {
    String name = redis.client.keys("sluice:{" + user + "}:*").iterator().next();
    return redis.client.pttl(name);
  }
}
