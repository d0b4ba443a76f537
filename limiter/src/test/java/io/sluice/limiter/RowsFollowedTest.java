package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.Rows;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows with a follower, such as a changelog, that can lose the last writes; the arrivals that made
 * these writes then come again.
 */
class RowsFollowedTest {
  private static final long NOON = 1_790_000_000_000_000L;
  private static final int ROUNDS = 300;

  /** Most arrivals between two commits: as many as a funnel remembers. */
  private static final int MOST_AT_ONCE = 4;

  static final List<Rule> RULES =
      List.of(
          Rule.policing("funnel", Quota.parse("70/60s"), Algorithm.GCRA),
          new Rule("delays", Quota.parse("5/1s"), Algorithm.GCRA, 600_000_000, false, false),
          Rule.policing("log", Quota.parse("7/60s"), Algorithm.SLIDING_WINDOW_LOG),
          Rule.policing("long", Quota.parse("1000/60s"), Algorithm.SLIDING_WINDOW_LOG),
          new Rule(
              "waits",
              Quota.parse("300/60s"),
              Algorithm.SLIDING_WINDOW_LOG,
              60_000_000,
              false,
              false),
          new Rule("tries", Quota.parse("300/60s"), Algorithm.SLIDING_WINDOW_LOG, 0, true, false),
          Rule.policing("counter", Quota.parse("70/60s"), Algorithm.SLIDING_WINDOW_COUNTER),
          Rule.policing("days", Quota.of(500, CalendarUnit.DAY), Algorithm.CALENDAR_WINDOW)
              .in(ZoneId.of("Europe/Berlin")),
          Rule.policing("people", Quota.parse("70/60s"), Algorithm.DISTINCT_LOG),
          Rule.policing("reach", Quota.parse("700/60s"), Algorithm.HYPERLOGLOG),
          Rule.policing("once", Quota.parse("1/60s"), Algorithm.BLOOM)
              .with(new FilterSize(1_000, 0.001)));

  private final SplittableRandom random = new SplittableRandom(1);
  private final WatchedRows rows = new WatchedRows();
  private final WatchedRows followed = new WatchedRows();
  private boolean lost;
  private long nowMicros = NOON;
  private int count;

  /** Writes to both the rows and the follower, unless the follower loses the write. */
  private final class Both implements Rows {
    @Override
    public byte[] get(byte[] key) {
      return rows.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      rows.put(key, value);
      if (!lost) followed.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      rows.delete(key);
      if (!lost) followed.delete(key);
    }
  }

  private record Came(Arrival arrival, Bucket bucket) {}

  private Came next(Rule rule) {
    nowMicros += random.nextInt(50_000);
    String place = "actions-0-" + count++;
    Identity identity = Identity.of(new Identity.Source(place, "ann", nowMicros / 1_000, 1));
    String key = rule.algorithm().admitsOnce() ? "pair-" + random.nextInt(500) : "ann";
    ValueHash value = ValueHash.of(List.of("value-" + random.nextInt(1_000)));
    return new Came(new Arrival(identity, 1, nowMicros), new Bucket(rule, key, key, value));
  }

  private RowMeter meter(boolean repeats) {
    Conditions alone = Conditions.ALONE;
    return new RowMeter(new Both(), new Conditions(1, repeats, alone.earliest(), alone.grown()));
  }

  private void come(Rule rule, boolean repeats) {
    List<Came> uncommitted = new ArrayList<>();
    RowMeter first = meter(repeats);
    int arrivals = 1 + random.nextInt(MOST_AT_ONCE);
    int lostFrom = random.nextInt(2 * arrivals);
    for (int i = 0; i < arrivals; i++) {
      lost = i >= lostFrom;
      Came came = next(rule);
      uncommitted.add(came);
      first.meter(came.arrival, List.of(came.bucket));
    }
    if (!lost) return;
    lost = false;
    RowMeter second = meter(repeats);
    uncommitted.forEach(came -> second.meter(came.arrival, List.of(came.bucket)));
  }

  @ParameterizedTest
  @FieldSource("RULES")
  void whatComesAgainIsWrittenAgain(Rule rule) {
    for (int i = 0; i < ROUNDS; i++) {
      come(rule, true);
      Map<String, String> there = followed.content();
      assertThat(there).as("round %d of %s", i, rule).containsAllEntriesOf(rows.content());
    }
    assertThat(rows.size()).isPositive();
  }

  /**
   * A refused attempt is not remembered: when it comes again it is counted again, and entries that
   * it had moved to rows beside the bucket's own can be lost.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogThatLostAttemptsGoesOnWithoutThemWhereverItIsRead(boolean repeats) {
    Quota quota = Quota.parse("1000/60s");
    Rule rule = new Rule("tries", quota, Algorithm.SLIDING_WINDOW_LOG, 0, true, false);
    int torn = 0;
    for (int i = 0; i < 20 * ROUNDS; i++) {
      come(rule, true);
      if (isTorn()) torn++;
      WatchedRows restored = copy(followed);
      Conditions alone = Conditions.ALONE;
      RowMeter meter =
          new RowMeter(restored, new Conditions(1, repeats, alone.earliest(), alone.grown()));
      Came came = next(rule);
      Decision decision = meter.meter(came.arrival, List.of(came.bucket)).decision(0);
      assertThat(decision.remaining()).isBetween(0L, rule.quota().permits() - 1);
      assertThat(decision.resetAfterMicros()).isBetween(1L, rule.quota().periodMicros());
    }
    assertThat(torn).isPositive();
  }

  /** Whether the follower lacks rows beside the bucket's own. */
  private boolean isTorn() {
    return !followed.content().keySet().containsAll(rows.content().keySet());
  }

  private static WatchedRows copy(WatchedRows rows) {
    WatchedRows copy = new WatchedRows();
    rows.forEach((key, value) -> copy.put(key, value));
    return copy;
  }

  @Test
  void whereBothAreUndoneTogetherNothingIsWrittenTwice() {
    Rule rule = RULES.get(0);
    Came came = next(rule);
    meter(false).meter(came.arrival, List.of(came.bucket));
    long before = rows.readsAndWrites();
    meter(false).meter(came.arrival, List.of(came.bucket));
    assertThat(rows.readsAndWrites()).isEqualTo(before + 1);
  }
}
