package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Decision.Blocked;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Waiting;
import io.sluice.limiter.Outcome.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Releases of events that wait in a queue. */
class ReleaseTest {
  private static final long NOW = 1_800_000_000_000_000L;
  private static final long TICK = 100_000;
  private static final Rule FUNNEL = funnel("vendor", new Quota(20, 1_000_000, 1));

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);
  private int events;

  private static Rule funnel(String name, Quota quota) {
    return Rule.policing(name, quota, Algorithm.GCRA);
  }

  private static List<Bucket> buckets(Rule... rules) {
    List<Bucket> buckets = new ArrayList<>();
    for (Rule rule : rules) buckets.add(new Bucket(rule, "key"));
    return buckets;
  }

  private Outcome release(long fromMicros, long latestMicros, Rule... rules) {
    Identity identity = Identity.ofRecord("release-" + events++);
    Arrival release = Arrival.release(identity, 1, fromMicros, latestMicros);
    return meter.meter(release, buckets(rules));
  }

  private Outcome arrive(long nowMicros, Rule... rules) {
    return meter.meter(new Arrival("event-" + events++, 1, nowMicros), buckets(rules));
  }

  @Test
  void aFunnelGivesTheSlotsOfTheSpanOneAfterAnother() {
    assertThat(arrive(NOW - 60_000, FUNNEL).admitted()).isTrue();
    Outcome first = release(NOW - TICK, NOW, FUNNEL);
    assertThat(first.kind()).isEqualTo(Kind.ADMITTED);
    assertThat(first.slotMicros()).isEqualTo(NOW - 10_000);
    assertThat(first.decision(0)).isInstanceOf(Waiting.class);
    Outcome second = release(NOW - TICK, NOW, FUNNEL);
    assertThat(second.kind()).isEqualTo(Kind.REFUSED);
    long conformsAt =
        second.judgements().get(0).nowMicros()
            + ((NonConforming) second.decision(0)).retryAfterMicros();
    assertThat(conformsAt).isEqualTo(NOW + 40_000);
    assertThat(release(NOW, NOW + TICK, FUNNEL).slotMicros()).isEqualTo(NOW + 40_000);
    assertThat(release(NOW, NOW + TICK, FUNNEL).slotMicros()).isEqualTo(NOW + 90_000);
  }

  @Test
  void slotsBeforeTheSpanAreNotCaughtUp() {
    long later = NOW + 10 * TICK;
    assertThat(release(NOW - TICK, NOW, FUNNEL).decision(0)).isInstanceOf(Conforming.class);
    assertThat(release(later - 60_000, later, FUNNEL).slotMicros()).isZero();
    assertThat(release(later - 60_000, later, FUNNEL).slotMicros()).isEqualTo(later - 10_000);
    assertThat(release(later - 60_000, later, FUNNEL).admitted()).isFalse();
  }

  @Test
  void aLimitThatCannotReserveIsJudgedAtTheEndOfTheSpanAndMovesNoOtherSlot() {
    Rule counter = Rule.policing("counter", Quota.parse("1/1s"), Algorithm.SLIDING_WINDOW_COUNTER);
    long second = NOW - NOW % 1_000_000;
    assertThat(arrive(second - 2_000_000, counter).admitted()).isTrue();
    // The counter conforms from the next second's end on, at the end of the span.
    assertThat(arrive(second - 1, counter).admitted()).isFalse();
    Outcome outcome = release(second - TICK, second, counter, FUNNEL);
    assertThat(outcome.admitted()).isTrue();
    assertThat(outcome.slotMicros()).isZero();
    assertThat(outcome.judgements().get(0).nowMicros()).isEqualTo(second);
    assertThat(outcome.judgements().get(1).nowMicros()).isEqualTo(second - TICK);
    assertThat(release(second - TICK, second, FUNNEL).slotMicros()).isEqualTo(second - 50_000);
  }

  @Test
  void eachBucketChargesAReleaseAtItsOwnSlot() {
    Rule phone = funnel("phone", new Quota(1, 60_000_000, 1));
    arrive(NOW - 60_020_000, phone); // conforms again 20 ms before the end of the span
    assertThat(release(NOW - TICK, NOW, phone, FUNNEL).slotMicros()).isEqualTo(NOW - 20_000);
    assertThat(release(NOW - TICK, NOW, FUNNEL).slotMicros()).isEqualTo(NOW - 50_000);
    assertThat(release(NOW - TICK, NOW, FUNNEL).slotMicros()).isEqualTo(NOW);
  }

  @Test
  void aLimitWithMorePatienceThanTheSpanMovesAllCharges() {
    Rule patient =
        new Rule("patient", new Quota(1, 10_000_000, 1), Algorithm.GCRA, 60_000_000, false, false);
    arrive(NOW, patient);
    Outcome outcome = release(NOW, NOW + TICK, patient, FUNNEL);
    assertThat(outcome.slotMicros()).isEqualTo(NOW + 10_000_000);
    long conformsAt = NOW + 10_000_000 + 50_000;
    assertThat(release(conformsAt - 2, conformsAt - 1, FUNNEL).admitted()).isFalse();
    assertThat(release(conformsAt - 1, conformsAt, FUNNEL).slotMicros()).isEqualTo(conformsAt);
  }

  @Test
  void aRefusedReleaseStoresNothing() {
    Quota one = Quota.parse("1/60s");
    Rule attempts = new Rule("attempts", one, Algorithm.SLIDING_WINDOW_LOG, 0, true, false);
    Rule blocks = funnel("blocks", one).blocking(600_000_000);
    Rule watches = new Rule("watches", one, Algorithm.SLIDING_WINDOW_COUNTER, 0, true, true);
    assertThat(arrive(NOW, attempts, blocks, watches).admitted()).isTrue();
    var before = rows.content();
    Outcome refused = release(NOW, NOW + TICK, attempts, blocks, watches);
    assertThat(refused.kind()).isEqualTo(Kind.REFUSED);
    assertThat(refused.judgements()).allMatch(each -> each.decision() instanceof NonConforming);
    assertThat(rows.content()).isEqualTo(before);
    assertThat(release(NOW, NOW + 60_000_000, attempts, blocks, watches).slotMicros())
        .isEqualTo(NOW + 60_000_000);
  }

  @Test
  void aBlockThatEndsInTheSpanDoesNotRefuse() {
    Rule blocks = funnel("blocks", Quota.parse("1/1s")).blocking(5_000_000);
    arrive(NOW, blocks);
    assertThat(arrive(NOW, blocks).admitted()).isFalse();
    long end = NOW + 5_000_000;
    assertThat(release(end - TICK, end - 1, blocks).decision(0)).isInstanceOf(Blocked.class);
    Outcome outcome = release(end - TICK, end, blocks);
    assertThat(outcome.admitted()).isTrue();
    assertThat(outcome.judgements().get(0).nowMicros()).isEqualTo(end);
  }

  @Test
  void aChangeInTheSpanIsInForceForTheRelease() {
    Rule slow = funnel("slow", new Quota(1, 60_000_000, 1));
    Rule faster =
        slow.changing(List.of(new Change.Numbers(NOW, new Quota(100, 60_000_000, 50), 0)));
    arrive(NOW - 1_000_000, faster);
    assertThat(release(NOW - TICK, NOW - 1, faster).admitted()).isFalse();
    Outcome outcome = release(NOW - TICK, NOW, faster);
    assertThat(outcome.admitted()).isTrue();
    assertThat(outcome.judgements().get(0).nowMicros()).isEqualTo(NOW);
  }

  @Test
  void aReleaseThatWasChargedBeforeIsNotChargedAgain() {
    arrive(NOW - 60_000, FUNNEL);
    Arrival release = Arrival.release(Identity.ofRecord("one"), 1, NOW - TICK, NOW);
    Outcome first = meter.meter(release, buckets(FUNNEL));
    var before = rows.content();
    assertThat(meter.meter(release, buckets(FUNNEL))).isEqualTo(first);
    assertThat(rows.content()).isEqualTo(before);
  }

  @Test
  void aReleaseHasASpanThatDoesNotEndBeforeItBegins() {
    Identity identity = Identity.ofRecord("one");
    assertThat(Arrival.release(identity, 1, 5, 5).isRelease()).isTrue();
    assertThat(new Arrival(identity, 1, 5).isRelease()).isFalse();
    assertThat(new Arrival(identity, 1, 5).latestMicros()).isZero();
    assertThat(Arrival.release(identity, 1, 5, 9).at(7))
        .isEqualTo(Arrival.release(identity, 1, 7, 9));
    assertThatThrownBy(() -> Arrival.release(identity, 1, 5, 4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Arrival.release(identity, 1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Arrival.release(identity, 1, 5, Arrival.LATEST_MICROS))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
