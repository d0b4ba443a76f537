package io.sluice.rules.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.RedisConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests how a stream's revisions change the limits of a program that is not a stream. */
class ProgramTest {
  private static final Map<String, String> REPLY =
      Map.of("quota", "5/60s", "backend", "redis", "redis.unavailable", "state-store");
  private static final LimitsInForce LIMITS =
      LimitsInForce.ofProgram(
          Map.of("reply", REPLY, "here", Map.of("quota", "1/1h", "key", "target")),
          new RedisConfig(
              "redis://localhost:6379", "sluice", Duration.ofMillis(50), Duration.ofMinutes(10)),
          setting -> setting.equals("exceeded") || setting.startsWith("match."),
          limit -> limit.rule().algorithm().admitsOnce() ? "no filters here" : "");
  private static final Event ADA = new LimitKey(List.of(Field.USER_ID)).event(List.of("ada"));

  private static LimitsInForce with(LimitRevision... revisions) {
    LimitsInForce limits = LIMITS;
    for (LimitRevision each : revisions) {
      Optional<LimitRevision> adapted = LIMITS.adapted(each);
      if (adapted.isPresent()) limits = limits.with(adapted.get());
    }
    return limits;
  }

  private static Matching at(LimitsInForce limits, long hour) {
    return limits.matching("reply", ADA, Given.at(hour));
  }

  private static long permits(LimitsInForce limits, long hour) {
    return at(limits, hour).first().rule().at(Given.at(hour) * 1_000).quota().permits();
  }

  /** With another rule, a stream and a program would not share one count in Redis. */
  @Test
  void theRuleIsTheOneThatAStreamHas() {
    LimitRevision[] revisions = {
      Given.revision("a", 1, "{'limit':'reply','set':{'quota':'9/60s'}}"),
      Given.revision("b", 2, 4, "{'limit':'reply','set':{'block':'10m'}}"),
      Given.revision("c", 3, "{'limit':'reply','for':{'userId':'ada'},'set':{'quota':'70/60s'}}"),
      Given.revision("d", 5, "{'limit':'*','for':{'userId':'ada'},'set':{'reset':'true'}}"),
      Given.revision("e", 6, "{'limit':'reply','set':{'algorithm':'sliding-window-log'}}")
    };
    LimitsConfig config =
        Given.config(
            "sluice.redis.uri=redis://localhost:6379",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.reply.redis.unavailable=state-store");
    LimitsInForce stream = LimitsInForce.of(config).with(List.of(revisions));
    for (long hour = 0; hour < 8; hour++) {
      assertThat(at(with(revisions), hour).first().rule())
          .as("at %d", hour)
          .isEqualTo(stream.matching("reply", ADA, Given.at(hour)).first().rule());
    }
    assertThat(with(revisions).rule("reply", Algorithm.GCRA, "ada"))
        .isEqualTo(stream.rule("reply", Algorithm.GCRA, "ada"));
  }

  @Test
  void whatIsOfEventsIsTakenOutAndTheRestHolds() {
    LimitRevision both =
        Given.revision(
            "a",
            1,
            "{'limit':'reply','set':{'exceeded':'delay','match.action':'x','quota':'9/60s'}}");
    assertThat(permits(with(both), 2)).isEqualTo(9);
    assertThat(at(with(both), 2).first().rule().shapes()).isFalse();
    LimitRevision nothing = Given.revision("b", 1, "{'limit':'reply','set':{'exceeded':null}}");
    assertThat(LIMITS.adapted(nothing)).isEmpty();
  }

  @Test
  void whatOthersHaveIsPassedOver() {
    LimitRevision other =
        Given.revision("a", 1, "{'limit':'mail','set':{'quota':'9/60s','enabled':'true'}}");
    assertThat(LIMITS.adapted(other)).isEmpty();
    assertThat(LIMITS.rule("mail", Algorithm.GCRA, "ada")).isEmpty();
  }

  @Test
  void whatCannotBeHereIsRefusedAndTheOthersHold() {
    LimitsInForce limits =
        with(
            Given.revision("a", 1, "{'limit':'reply','set':{'quota':'9/60s'}}"),
            Given.revision(
                "b",
                2,
                "{'limit':'reply','set':{'algorithm':'bloom','bloom.capacity':'9','quota':'1/30d'}}"),
            Given.revision("c", 3, "{'limit':'here','set':{'key':'userId'}}"));
    assertThat(at(limits, 4).first().rule().algorithm()).isEqualTo(Algorithm.GCRA);
    assertThat(permits(limits, 4)).isEqualTo(9);
    assertThat(limits.revisions(Given.at(4)))
        .filteredOn(each -> !each.refusals().isEmpty())
        .extracting(each -> each.revision().id())
        .containsExactly("b", "c");
  }

  @Test
  void verdictsAndALimitThatIsOffNeedNoMeter() {
    LimitsInForce limits =
        with(
            Given.revision("a", 1, 2, "{'limit':'reply','set':{'enabled':'false'}}"),
            Given.revision("b", 3, 4, "{'limit':'reply','set':{'verdict':'allow'}}"),
            Given.revision(
                "c", 5, 6, "{'limit':'*','for':{'userId':'ada'},'set':{'verdict':'reject'}}"));
    assertThat(at(limits, 0).settled()).isEmpty();
    assertThat(at(limits, 1).settled()).hasValueSatisfying(v -> assertThat(v.isDenied()).isFalse());
    assertThat(at(limits, 2).settled()).isEmpty();
    assertThat(at(limits, 3).settled()).hasValueSatisfying(v -> assertThat(v.isDenied()).isFalse());
    assertThat(at(limits, 5).settled()).hasValueSatisfying(v -> assertThat(v.isDenied()).isTrue());
    assertThat(at(limits, 6).settled()).isEmpty();
  }
}
