package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Scope;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.Fallback;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.settings.ConfiguredLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Calls under revisions, with a fake Redis and a clock that the test moves. */
class CallMeterTest {
  private static final long NOON_MS = 1_800_000_000_000L;

  private final ConfiguredLimits configured = configured();
  private final Redis redis = new Redis();
  private final CallMeter meter =
      new CallMeter(redis, this::inForce, () -> Instant.ofEpochMilli(this.nowMs));
  private LimitsInForce inForce = configured.written();
  private long nowMs = NOON_MS;
  private int revisions;
  private final List<Metered> told = new ArrayList<>();

  private static ConfiguredLimits configured() {
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> settings =
        Map.of(
            "sluice.redis.uri",
            "redis://localhost",
            "sluice.limit.reply.quota",
            "1/1h",
            "sluice.limit.mail.quota",
            "1/1h",
            "sluice.limit.page.quota",
            "5/1s",
            "sluice.limit.page.algorithm",
            "sliding-window-log",
            "sluice.limit.page.key",
            "attributes.tenant,attributes.url",
            "sluice.limit.far.quota",
            "9/1h",
            "sluice.limit.far.backend",
            "redis",
            "sluice.limit.far.redis.unavailable",
            "reject");
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    return ConfiguredLimits.of(environment);
  }

  private LimitsInForce inForce() {
    return inForce;
  }

  /** Fake Redis; asynchronous calls wait until the test answers them. */
  private static final class Redis implements RedisCallMeter {
    final List<LateCall> late = new ArrayList<>();
    Optional<Outcome> answer = Optional.empty();

    @Override
    public Optional<Outcome> meter(Request request) {
      return answer;
    }

    @Override
    public void meter(LateCall call) {
      late.add(call);
    }
  }

  /** Creates the outcome of one limit. */
  private static Outcome outcome(boolean admitted) {
    Decision decision =
        admitted ? new Decision.Conforming(8, 0) : new Decision.NonConforming(0, 1_000_000, 0);
    Judgement judgement = new Judgement(NOON_MS * 1_000, decision);
    Outcome.Kind kind = admitted ? Outcome.Kind.ADMITTED : Outcome.Kind.REFUSED;
    return new Outcome(kind, 0, List.of(judgement));
  }

  /** Creates the request of a method with this limit. */
  private Ask ask(String limit, String user) {
    Limit written = configured.limits().get(limit);
    MethodLimit ofMethod = new MethodLimit(limit, written, null, "", Fallback.NONE);
    return new Ask(ofMethod, written.key().event(List.of(user)));
  }

  private BooleanSupplier changes(String limit, String user) {
    return meter.changes(List.of(ask(limit, user)));
  }

  private boolean admits(String tenant, String url) {
    MethodLimit ofMethod =
        new MethodLimit("page", configured.limits().get("page"), null, "", Fallback.NONE);
    return meter.meter(List.of(ofMethod.ask(List.of(tenant, url))), 1).admitted();
  }

  private CompletableFuture<Metered> later(String user) {
    return meter.meterLater(List.of(ask("reply", user), ask("far", user)), 1, told::add);
  }

  /** Whether the limit in this process has not charged a user. */
  private boolean isFree(String user) {
    return meter.meter(List.of(ask("reply", user)), 1).admitted();
  }

  @Test
  void aCallThatRedisHasNoSayInIsAnsweredAtOnce() {
    assertThat(meter.meterLater(List.of(ask("reply", "ada")), 1, told::add))
        .isCompletedWithValueMatching(Metered::admitted);
    assertThat(told).hasSize(1);
    assertThat(redis.late).isEmpty();
  }

  @Test
  void aLateCallIsChargedHereOnlyWhenRedisHasChargedIt() {
    CompletableFuture<Metered> ada = later("ada");
    CompletableFuture<Metered> bob = later("bob");
    assertThat(ada).isNotDone();
    redis.late.get(0).answer(outcome(true));
    redis.late.get(1).answer(outcome(false));
    assertThat(ada).isCompletedWithValueMatching(Metered::admitted);
    assertThat(bob).isCompletedWithValueMatching(metered -> !metered.admitted());
    assertThat(isFree("ada")).isFalse();
    assertThat(isFree("bob")).isTrue();
    assertThat(told).hasSize(2);
  }

  @Test
  void aLateCallWithoutRedisFailsAsOneThatWaitsDoes() {
    CompletableFuture<Metered> late = later("ada");
    redis.late.get(0).answerWithoutRedis();
    assertThat(late).isCompletedExceptionally();
    assertThatThrownBy(() -> meter.meter(List.of(ask("reply", "ada"), ask("far", "ada")), 1))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessage(catchThrowable(late::join).getCause().getMessage());
    assertThat(isFree("ada")).isTrue();
  }

  @Test
  void whoHasCancelledIsChargedHereOnlyIfRedisHasChargedHim() {
    assertThat(later("ada").cancel(false)).isTrue();
    assertThat(later("bob").cancel(false)).isTrue();
    assertThat(redis.late).allMatch(LateCall::isDone);
    redis.late.get(0).answerWithoutRedis();
    redis.late.get(1).answer(outcome(true));
    assertThat(isFree("ada")).isTrue();
    assertThat(isFree("bob")).isFalse();
    assertThat(told).as("of what is charged").hasSize(1);
  }

  private void revise(String limit, Scope scope, long atMs, String setting, String value) {
    LimitRevision.Settings set = new LimitRevision.Settings(Map.of(setting, value), Set.of());
    inForce =
        inForce.with(
            new LimitRevision(
                "r" + ++revisions, limit, scope, set, atMs, LimitRevision.FOR_GOOD, "", ""));
  }

  private static Scope user(String user) {
    return Scope.of(Map.of(Field.parse("userId"), user));
  }

  @Test
  void everyRevisionOfWhatACallIsMeteredByIsToldFromItsInstantOn() {
    for (Scope scope : List.of(Scope.WHOLE, user("ada"))) {
      for (String setting : List.of("quota=2/1h", "reset=true", "enabled=false", "verdict=allow")) {
        String[] set = setting.split("=");
        if (set[0].equals("enabled") && !scope.isWhole()) continue;
        inForce = configured.written();
        nowMs = NOON_MS;
        BooleanSupplier changes = changes("reply", "ada");
        revise("reply", scope, NOON_MS + 10, set[0], set[1]);
        nowMs = NOON_MS + 9;
        BooleanSupplier planned = changes("reply", "ada");
        assertThat(planned.getAsBoolean()).as(setting).isFalse();
        nowMs = NOON_MS + 10;
        assertThat(changes.getAsBoolean()).as(setting).isTrue();
        assertThat(planned.getAsBoolean()).as(setting).isTrue();
        BooleanSupplier after = changes("reply", "ada");
        nowMs = NOON_MS + 1_000_000;
        assertThat(after.getAsBoolean()).as(setting).isFalse();
      }
    }
  }

  /**
   * A condition for ada does not react to revisions for others: otherwise all waiting callers would
   * ask again, and be counted.
   */
  @Test
  void revisionsOfOthersAreNotTold() {
    revise("reply", Scope.WHOLE, NOON_MS - 5, "quota", "9/1h");
    BooleanSupplier changes = changes("reply", "ada");
    revise("reply", user("eve"), NOON_MS, "quota", "2/1h");
    revise("reply", user("eve"), NOON_MS, "verdict", "reject");
    revise("mail", Scope.WHOLE, NOON_MS, "quota", "2/1h");
    revise("*", user("eve"), NOON_MS, "verdict", "reject");
    nowMs = NOON_MS + 10;
    assertThat(changes.getAsBoolean()).isFalse();
    revise("*", user("ada"), NOON_MS, "verdict", "reject");
    assertThat(changes.getAsBoolean()).isTrue();
  }

  /**
   * A revision gives tenant x a longer period than the limit's second, by which its key would be
   * forgotten too early.
   */
  @Test
  void whoHasALongKeyIsKeptInMemoryByWhatARevisionSaysOfThem() {
    revise("page", Scope.of(Map.of(Field.parse("attributes.tenant"), "x")), 0, "quota", "1/1h");
    for (int length : List.of(100, 600, 6_000)) {
      String url = "/".repeat(length);
      assertThat(admits("x", url)).isTrue();
      for (int i = 0; i < 10; i++) {
        nowMs += 2_000;
        admits("y", url + i);
      }
      assertThat(admits("x", url)).as("a URL of %s characters", length).isFalse();
    }
  }
}
