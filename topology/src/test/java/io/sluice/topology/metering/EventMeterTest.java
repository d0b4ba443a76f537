package io.sluice.topology.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitDecision;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictListener;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.Harness;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.FakeRedis;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.redis.RedisBreaker;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the metering of events against limits on both backends, with a Redis that the test
 * controls.
 */
class EventMeterTest {
  private static final Map<String, String> DEVICE = Map.of("device", "tablet");

  private final FakeRedis redis = new FakeRedis();
  private LimitsInForce limits;
  private RedisBreaker breaker;
  private int events;

  private EventMeter meter(String... lines) {
    SluiceConfig config = SluiceConfig.of(ConfigText.without(lines));
    Instruments instruments = new Instruments(config.limits());
    breaker = redis.breaker(instruments.redis());
    limits = LimitsInForce.of(config.limitsConfig());
    MeteringServices services =
        new MeteringServices(
            config,
            CurrentLimits.of(config.limitsConfig()),
            HomePartitioner.of(config, 1),
            new EventOpener(config.eventDecoder(), InstantSource.system(), config.timeMaxAhead()),
            breaker,
            instruments);
    return new EventMeter(services, new RowMeter(new HeapRows()), 0);
  }

  private EventMeter onBoth(String unavailable) {
    return meter(
        "sluice.redis.uri=redis://localhost",
        "sluice.duplicates=charge",
        "sluice.limits=here,there",
        "sluice.limit.here.quota=2/60s",
        "sluice.limit.here.algorithm=sliding-window-log",
        "sluice.limit.here.match.action=post",
        "sluice.limit.there.quota=1/60s",
        "sluice.limit.there.algorithm=sliding-window-log",
        "sluice.limit.there.match.action=post",
        "sluice.limit.there.backend=redis",
        "sluice.limit.there.redis.unavailable=" + unavailable);
  }

  private Verdict post(EventMeter meter) {
    return metered(meter, "post");
  }

  private Verdict metered(EventMeter meter, String action) {
    EventRecord event = event(action, Map.of());
    return meter.meter(event, limits, Harness.NOON_MS, Position.NONE);
  }

  private EventRecord event(String action, Map<String, String> attributes) {
    EventRecord event = new EventRecord(new byte[0]);
    event.opened(
        new TestEvent("e1", "ann", action, 0, 1, "", "user-actions", attributes),
        Origin.of("in", 0, events++),
        Harness.NOON_MS);
    return event;
  }

  private static final Said ALLOWED = new Said(Verdict.Kind.ALLOWED, "");

  private record Said(Verdict.Kind kind, String limit) {
    static Said of(Verdict verdict) {
      Hearing heard = new Hearing();
      verdict.tell(heard);
      return heard.said;
    }
  }

  private static final class Hearing implements VerdictListener {
    Said said;

    @Override
    public void undecided(Verdict.Kind kind) {
      said = new Said(kind, "");
    }

    @Override
    public void decided(LimitDecision decision, Verdict.Kind kind) {
      said = new Said(kind, decision.limit().name());
    }

    @Override
    public void watched(LimitDecision decision) {}
  }

  @Test
  void whatNoLimitMatchesIsAskedOfNobody() {
    assertThat(Said.of(metered(onBoth("wait"), "read"))).isEqualTo(ALLOWED);
    assertThat(redis.asked).isEmpty();
  }

  @Test
  void whatRedisRefusesIsNotChargedInTheStateStore() {
    EventMeter meter = onBoth("reject");
    redis.refuses = true;
    for (int i = 0; i < 5; i++) {
      assertThat(Said.of(post(meter))).isEqualTo(new Said(Verdict.Kind.REJECTED, "there"));
    }
    redis.refuses = false;
    assertThat(post(meter).kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(post(meter).kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(Said.of(post(meter))).isEqualTo(new Said(Verdict.Kind.REJECTED, "here"));
  }

  @Test
  void redisIsToldWhatTheStateStoreRefuses() {
    EventMeter meter = onBoth("reject");
    for (int i = 0; i < 3; i++) post(meter);
    assertThat(redis.asked)
        .extracting(request -> request.elsewhere().conforms())
        .containsExactly(true, true, false);
  }

  @Test
  void whatMustWaitIsSetAsideAndNotMetered() {
    redis.there = false;
    Verdict waits = post(onBoth("wait"));
    assertThat(waits.isAwaitingRedis()).isTrue();
    assertThat(Said.of(waits)).isEqualTo(new Said(Verdict.Kind.DELAYED, "there"));
  }

  @Test
  void aKeyThatRedisCannotUseIsNoOutageAndEachPolicyHasItsVerdict() {
    redis.brokenKey = "ann";
    Verdict allowed = post(onBoth("allow"));
    assertThat(allowed.kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(allowed.reason()).isEqualTo(Verdict.Reason.REDIS_UNAVAILABLE);
    assertThat(post(onBoth("reject")).kind()).isEqualTo(Verdict.Kind.REJECTED);
    EventMeter waiting = onBoth("wait");
    assertThatThrownBy(() -> post(waiting)).isInstanceOf(UnreadableKeyException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait", "allow", "reject", "state-store"})
  void aKeyOfALimitThatOnlyWatchesDecidesNothing(String unavailable) {
    redis.brokenKey = "tablet";
    redis.refuses = true;
    EventMeter meter =
        meter(
            "sluice.redis.uri=redis://localhost",
            "sluice.limits=acts,watches,here",
            "sluice.limit.acts.quota=1/60s",
            "sluice.limit.acts.backend=redis",
            "sluice.limit.acts.redis.unavailable=" + unavailable,
            "sluice.limit.watches.quota=1/60s",
            "sluice.limit.watches.key=attributes.device",
            "sluice.limit.watches.backend=redis",
            "sluice.limit.watches.mode=shadow",
            "sluice.limit.here.match.action=both",
            "sluice.limit.here.quota=9/60s");
    assertIsRefusedByActs(meter, event("both", DEVICE));
    assertIsRefusedByActs(meter, event("post", DEVICE));

    EventRecord ahead = event("post", DEVICE);
    List<Limit> remote = limits.matching(ahead.event(), Harness.NOON_MS).remote();
    assertThat(remote).hasSize(2);
    PendingVerdict question =
        new PendingVerdict(
            0,
            remote,
            Request.of(
                new Arrival("e1", 1, Harness.NOON_MS * 1_000),
                Limit.buckets(remote, ahead.event())),
            Verdict.Duplicates.CHARGE);
    ahead.asks(question);
    breaker.askAhead(List.of(question).iterator());
    assertThat(question.isAnswered()).isFalse();
    assertIsRefusedByActs(meter, ahead);
  }

  private void assertIsRefusedByActs(EventMeter meter, EventRecord event) {
    Verdict verdict = meter.meter(event, limits, Harness.NOON_MS, Position.NONE);
    assertThat(Said.of(verdict)).isEqualTo(new Said(Verdict.Kind.REJECTED, "acts"));
    assertThat(verdict.reason()).isEqualTo(Verdict.Reason.OVER_LIMIT);
  }

  @Test
  void withoutRedisEachPolicyHasItsVerdict() {
    redis.there = false;
    Verdict allowed = post(onBoth("allow"));
    assertThat(allowed.kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(allowed.reason()).isEqualTo(Verdict.Reason.REDIS_UNAVAILABLE);
    Verdict rejected = post(onBoth("reject"));
    assertThat(rejected.kind()).isEqualTo(Verdict.Kind.REJECTED);
    assertThat(rejected.reason()).isEqualTo(Verdict.Reason.REDIS_UNAVAILABLE);
  }

  @Test
  void withoutRedisTheStateStoreCountsForIt() {
    redis.there = false;
    EventMeter meter = onBoth("state-store");
    Verdict first = post(meter);
    assertThat(first.kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(first.reason()).isEqualTo(Verdict.Reason.REDIS_UNAVAILABLE);
    assertThat(Said.of(post(meter))).isEqualTo(new Said(Verdict.Kind.REJECTED, "there"));
  }

  /** The state store is charged although Redis does not answer. */
  @Test
  void withoutRedisTheOthersStillCount() {
    redis.there = false;
    EventMeter meter = onBoth("allow");
    assertThat(post(meter).kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(post(meter).kind()).isEqualTo(Verdict.Kind.ALLOWED);
    assertThat(Said.of(post(meter))).isEqualTo(new Said(Verdict.Kind.REJECTED, "here"));
  }
}
