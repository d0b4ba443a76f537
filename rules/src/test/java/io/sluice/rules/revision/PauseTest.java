package io.sluice.rules.revision;

import static io.sluice.rules.revision.Given.at;
import static io.sluice.rules.revision.Given.event;
import static io.sluice.rules.revision.Given.limits;
import static io.sluice.rules.revision.Given.revision;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.RevisionStatus.Standing;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of revisions that pause limits with a queue. */
class PauseTest {
  private static final String QUEUE = "sluice.limit.reply.exceeded=queue";
  private static final String PAUSE = "{'limit':'reply','set':{'verdict':'pause'}}";
  private static final long NO_END = LimitRevision.FOR_GOOD;

  private static String verdict(String limit, String user, String verdict) {
    return "{'limit':'%s','for':{'userId':'%s'},'set':{'verdict':'%s'}}"
        .formatted(limit, user, verdict);
  }

  private static List<String> pauses(LimitsInForce limits, String user, long hour) {
    return pauses(limits, event(user), at(hour));
  }

  private static List<String> pauses(LimitsInForce limits, Event event, long ms) {
    return limits.pauses(limits.matchingAtAnyHour(event, ms), event, ms).stream()
        .map(PauseTest::text)
        .toList();
  }

  private static String text(Pause pause) {
    String until = pause.hasEnd() ? "" + (pause.untilMs() - at(0)) / Given.HOUR_MS : "resumed";
    return pause.limit() + " " + pause.scope() + " until " + until;
  }

  private static boolean isDenied(LimitsInForce limits, String user, long hour) {
    return limits
        .matchingAtAnyHour(event(user), at(hour))
        .settled()
        .filter(each -> each.isDenied())
        .isPresent();
  }

  @Test
  void holdsFromItsFirstInstantUntilItsEnd() {
    LimitsInForce limits = limits(QUEUE).with(revision("a", 1, 3, PAUSE));

    assertThat(pauses(limits, event("ada"), at(1) - 1)).isEmpty();
    assertThat(pauses(limits, event("ada"), at(1))).containsExactly("reply  until 3");
    assertThat(pauses(limits, event("ada"), at(3) - 1)).containsExactly("reply  until 3");
    assertThat(pauses(limits, event("ada"), at(3))).isEmpty();
    assertThat(limits.havePauses()).isTrue();
    assertThat(limits(QUEUE).havePauses()).isFalse();
  }

  @Test
  void aPausedLimitStillMatchesItsEvents() {
    LimitsInForce limits = limits(QUEUE).with(revision("a", 1, PAUSE));

    assertThat(limits.matchingAtAnyHour(event("ada"), at(1)).all())
        .extracting(Limit::name)
        .contains("reply");
    assertThat(limits.treatedLimit("reply", event("ada"), at(1)).treatment())
        .isEqualTo(Treatment.PAUSE);
    assertThat(limits.treatedLimit("dm", event("ada", "bob"), at(1)).treatment())
        .isEqualTo(Treatment.METER);
  }

  @Test
  void ofOneUserIsForNoOther() {
    LimitsInForce limits =
        limits(QUEUE).with(revision("a", 1, 3, verdict("reply", "ada", "pause")));

    assertThat(pauses(limits, "ada", 1)).containsExactly("reply userId=ada until 3");
    assertThat(pauses(limits, "bob", 1)).isEmpty();
  }

  @Test
  void pausesOfOneScopeLastUntilTheLastEndsAndThoseOfOthersAreKnownOneByOne() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, 3, PAUSE))
            .with(revision("b", 2, 5, PAUSE))
            .with(revision("c", 2, verdict("reply", "ada", "pause")));

    assertThat(pauses(limits, "bob", 1)).containsExactly("reply  until 5");
    assertThat(pauses(limits, "ada", 2))
        .containsExactly("reply  until 5", "reply userId=ada until resumed");
    assertThat(pauses(limits, "ada", 5)).containsExactly("reply userId=ada until resumed");
  }

  @Test
  void ofEveryLimitIsForThoseWithAQueue() {
    String all = "{'limit':'*','set':{'verdict':'pause'}}";
    LimitsInForce limits = limits(QUEUE).with(revision("a", 1, 3, all));

    assertThat(pauses(limits, "ada", 1)).containsExactly("*  until 3");
    assertThat(pauses(limits(), "ada", 1)).isEmpty();
    assertThat(limits.treatedLimit("reply", event("ada"), at(1)).treatment())
        .isEqualTo(Treatment.PAUSE);
    assertThat(limits.treatedLimit("dm", event("ada", "bob"), at(1)).treatment())
        .isEqualTo(Treatment.METER);
    assertThat(limits.digest(at(1))).isNotEqualTo(limits.digest(at(3)));
    LimitsInForce ofAda = limits(QUEUE).with(revision("a", 1, verdict("*", "ada", "pause")));
    assertThat(pauses(ofAda, "ada", 1)).containsExactly("* userId=ada until resumed");
    assertThat(pauses(ofAda, "bob", 1)).isEmpty();
    LimitsInForce cleared = limits.with(revision("b", 2, "{'limit':'*','set':{'verdict':null}}"));
    assertThat(pauses(cleared, "ada", 2)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reset", "reject", "quota"})
  void nothingElseIsForAllEventsOfEveryLimit(String what) {
    String set =
        switch (what) {
          case "reset" -> "'verdict':'pause','reset':'true'";
          case "reject" -> "'verdict':'reject'";
          default -> "'quota':'1/60s'";
        };
    LimitsInForce limits =
        limits(QUEUE).with(revision("a", 1, "{'limit':'*','set':{" + set + "}}"));

    assertThat(limits.revision("a", at(1)).standing()).isEqualTo(Standing.REFUSED);
    assertThat(pauses(limits, "ada", 1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1,2", "2,1"})
  void aBlockAndAnExemptionOfTheSameEventsStay(long other, long pause) {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("b", other, verdict("reply", "eve", "reject")))
            .with(revision("c", other, verdict("reply", "vip", "allow")))
            .with(revision("d", pause, verdict("reply", "eve", "pause")))
            .with(revision("e", pause, verdict("reply", "vip", "pause")));

    assertThat(isDenied(limits, "eve", 2)).isTrue();
    assertThat(pauses(limits, "eve", 2)).isEmpty();
    assertThat(pauses(limits, "vip", 2)).isEmpty();
    assertThat(limits.sayingSo("reply", event("eve"), at(2)))
        .extracting(LimitRevision::id)
        .contains("b");
  }

  @Test
  void aBlockAndAnExemptionByEveryLimitStay() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 2, PAUSE))
            .with(revision("b", 1, verdict("*", "eve", "reject")))
            .with(revision("c", 1, verdict("*", "vip", "allow")));

    assertThat(isDenied(limits, "eve", 2)).isTrue();
    assertThat(limits.treatedLimit("reply", event("eve"), at(2)).treatment())
        .isEqualTo(Treatment.REJECT);
    assertThat(limits.treatedLimit("reply", event("vip"), at(2)).treatment())
        .isEqualTo(Treatment.ALLOW);
    assertThat(pauses(limits, "vip", 2)).isEmpty();
    assertThat(pauses(limits, "ada", 2)).containsExactly("reply  until resumed");
  }

  @Test
  void aBlockOfAWholeLimitIsNotLiftedByThePauseOfOneUser() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, 3, "{'limit':'reply','set':{'verdict':'reject'}}"))
            .with(revision("b", 1, 5, verdict("reply", "ada", "pause")));

    assertThat(isDenied(limits, "ada", 2)).isTrue();
    assertThat(pauses(limits, "ada", 3)).containsExactly("reply userId=ada until 5");
  }

  @Test
  void metersTheEventsThatAnOverrideMeters() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, PAUSE))
            .with(revision("b", 2, verdict("reply", "ada", "meter")));

    assertThat(pauses(limits, "ada", 1)).hasSize(1);
    assertThat(pauses(limits, "ada", 2)).isEmpty();
    assertThat(pauses(limits, "bob", 2)).hasSize(1);
  }

  @Test
  void endsWhereALaterRevisionClearsIt() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, PAUSE))
            .with(revision("b", 3, "{'limit':'reply','set':{'verdict':null}}"));

    assertThat(pauses(limits, "ada", 2)).containsExactly("reply  until 3");
    assertThat(pauses(limits, "ada", 3)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "delay", "retry"})
  void ofALimitWithoutAQueueIsRefused(String exceeded) {
    LimitsInForce limits =
        limits("sluice.limit.reply.exceeded=" + exceeded).with(revision("a", 1, PAUSE));

    RevisionStatus status = limits.revision("a", at(1));
    assertThat(status.standing()).isEqualTo(Standing.REFUSED);
    assertThat(status.refusals().get(0).reason())
        .isEqualTo(
            "sluice.limit.reply.verdict=pause: accepted with exceeded=queue, where events can wait"
                + " for the end of the pause; the limit has exceeded="
                + exceeded);
    assertThat(limits.treatedLimit("reply", event("ada"), at(1)).treatment())
        .isEqualTo(Treatment.METER);
  }

  @Test
  void aPausedLimitCannotLoseItsQueue() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, 3, PAUSE))
            .with(revision("b", 2, "{'limit':'reply','set':{'exceeded':'reject'}}"));

    assertThat(limits.revision("b", at(2)).standing()).isEqualTo(Standing.REFUSED);
    assertThat(pauses(limits, "ada", 2)).hasSize(1);
    assertThat(limits.revision("b", at(3)).standing()).isEqualTo(Standing.IN_FORCE);
  }

  @Test
  void aLimitInShadowModeIsNotPaused() {
    LimitsInForce limits =
        limits(QUEUE, "sluice.limit.reply.mode=shadow").with(revision("a", 1, PAUSE));

    assertThat(pauses(limits, "ada", 1)).isEmpty();
    assertThat(limits.pauses("reply", event("ada"), at(1))).isEmpty();
  }

  @Test
  void anEndlessPauseHasNoEnd() {
    LimitsInForce limits = limits(QUEUE).with(revision("a", 1, PAUSE));

    assertThat(limits.pauses("reply", event("ada"), at(1)))
        .containsExactly(new Pause("reply", Scope.WHOLE, NO_END));
  }

  @Test
  void aPausedLimitStillConflictsWithOneThatDelays() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, verdict("reply", "ada", "pause")))
            .with(
                revision(
                    "b", 2, "{'limit':'dm','for':{'userId':'ada'},'set':{'exceeded':'delay'}}"));

    assertThat(limits.conflicting()).containsExactly("b");
  }
}
