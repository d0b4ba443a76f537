package io.sluice.rules.revision;

import static io.sluice.rules.revision.Given.at;
import static io.sluice.rules.revision.Given.event;
import static io.sluice.rules.revision.Given.limits;
import static io.sluice.rules.revision.Given.quota;
import static io.sluice.rules.revision.Given.revision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Rule;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.event.TestEvent;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.RevisionStatus.Standing;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import io.sluice.rules.settings.LimitsConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests each sentence of the manual on the limits in force. */
class LimitsInForceTest {
  @Test
  void theConfigurationHoldsBeforeAnyRevision() {
    assertThat(quota(limits(), "reply", event("ada"), 0)).isEqualTo("5/60s");
    assertThat(names(limits(), 0)).containsExactly("reply", "dm");
    assertThat(limits().sayingSo("reply", event("ada"), at(0))).isEmpty();
  }

  @Test
  void aRevisionHoldsFromItsInstantUntilBeforeItsEnd() {
    LimitsInForce limits =
        limits().with(revision("a", 1, 2, "{'limit':'reply','set':{'quota':'10/60s'}}"));

    assertThat(quota(limits, "reply", event("ada"), 0)).isEqualTo("5/60s");
    assertThat(quota(limits, "reply", event("ada"), 1)).isEqualTo("10/60s");
    assertThat(
            limits.treatedLimit("reply", event("ada"), at(2) - 1).limit().rule().quota().permits())
        .isEqualTo(10);
    assertThat(
            limits.treatedLimit("reply", event("ada"), at(1) - 1).limit().rule().quota().permits())
        .isEqualTo(5);
    assertThat(quota(limits, "reply", event("ada"), 2)).isEqualTo("5/60s");
    assertThat(limits.at(at(1)).all().get(0).rule().quota().permits()).isEqualTo(10);
  }

  @Test
  void valuesOfScopesGetTheFormOfEvents() {
    LimitsConfig typed = Given.config();
    FieldForms lower =
        (field, value) -> field.equals(Field.USER_ID) ? value.toLowerCase(Locale.ROOT) : value;
    LimitsInForce limits =
        LimitsInForce.of(new LimitsConfig(typed.texts(), typed.limits(), typed.redis(), lower))
            .with(
                List.of(
                    revision(
                        "a", 1, "{'limit':'reply','for':{'userId':'ADA'},'set':{'quota':'9/60s'}}"),
                    revision(
                        "b", 2, "{'limit':'reply','for':{'userId':'Ada'},'set':{'burst':'3'}}")));

    assertThat(quota(limits, "reply", event("ada"), 2)).isEqualTo("9/60s");
    assertThat(limits.revisions(at(2)))
        .extracting(each -> each.revision().scope().toString())
        .containsOnly("userId=ada");
    assertThat(limits.forms().of(Field.USER_ID, "ADA")).isEqualTo("ada");
  }

  @Test
  void revisionsOfOneScopeAddUpInOrderOfTheirTimesThenIds() {
    LimitsInForce limits =
        limits()
            .with(
                List.of(
                    revision("b", 1, "{'limit':'reply','set':{'quota':'20/60s'}}"),
                    revision("a", 1, "{'limit':'reply','set':{'quota':'10/60s','burst':'3'}}"),
                    revision("0", 2, "{'limit':'reply','set':{'burst':'4'}}")));

    assertThat(quota(limits, "reply", event("ada"), 1)).isEqualTo("20/60s");
    assertThat(burst(limits, 1)).isEqualTo(3);
    assertThat(burst(limits, 2)).isEqualTo(4);
    assertThat(quota(limits, "reply", event("ada"), 2)).isEqualTo("20/60s");
  }

  @Test
  void theSettingsOfALimitAreThoseOfTheFileWithWhatRevisionsSetOnTop() {
    LimitsInForce limits =
        limits("sluice.limit.reply.burst=2")
            .with(revision("a", 1, 3, "{'limit':'reply','set':{'quota':'10/60s'}}"))
            .with(revision("b", 2, "{'limit':'reply','set':{'enabled':'false'}}"))
            .with(revision("c", 1, "{'limit':'reply','for':{'userId':'a'},'set':{'burst':'9'}}"));

    assertThat(limits.texts("reply", at(0))).isEqualTo(Map.of("quota", "5/60s", "burst", "2"));
    assertThat(limits.texts("reply", at(1))).isEqualTo(Map.of("quota", "10/60s", "burst", "2"));
    assertThat(limits.texts("reply", at(2))).isEmpty();
    assertThat(limits.texts("other", at(1))).isEmpty();
  }

  @Test
  void aLaterRecordOfTheSameIdReplacesIt() {
    LimitsInForce limits =
        limits()
            .with(revision("a", 1, "{'limit':'reply','set':{'quota':'10/60s'}}"))
            .with(revision("a", 1, "{'limit':'dm','set':{'quota':'7/1h'}}"));

    assertThat(quota(limits, "reply", event("ada"), 1)).isEqualTo("5/60s");
    assertThat(quota(limits, "dm", event("ada"), 1)).isEqualTo("7/3600s");
    assertThat(limits.size()).isEqualTo(1);
    assertThat(quota(limits.with(List.of(), List.of("a")), "dm", event("ada"), 1))
        .isEqualTo("10/3600s");
  }

  @Test
  void aRevisionForSomeEventsIsForThoseThatHaveAllOfItsValues() {
    LimitsInForce limits =
        limits()
            .with(
                revision(
                    "a",
                    1,
                    "{'limit':'dm','for':{'userId':'ada','target':'bob'},'set':{'quota':'1/1h'}}"));

    assertThat(quota(limits, "dm", event("ada", "bob"), 1)).isEqualTo("1/3600s");
    assertThat(quota(limits, "dm", event("ada", "eve"), 1)).isEqualTo("10/3600s");
    assertThat(quota(limits, "dm", event("eve", "bob"), 1)).isEqualTo("10/3600s");
    assertThat(quota(limits, "dm", event("bob", "ada"), 1)).isEqualTo("10/3600s");
  }

  @Test
  void moreFieldsWinOverFewerAndOfEquallyManyTheFirstOfTheKey() {
    String pair = "{'limit':'dm','for':{'userId':'ada','target':'bob'},'set':{'quota':'1/1h'}}";
    String user = "{'limit':'dm','for':{'userId':'ada'},'set':{'quota':'2/1h','burst':'9'}}";
    String target = "{'limit':'dm','for':{'target':'bob'},'set':{'quota':'3/1h'}}";
    LimitsInForce two =
        limits()
            .with(revision("u", 1, user))
            .with(revision("t", 1, target))
            .with(revision("w", 2, "{'limit':'dm','set':{'quota':'4/1h'}}"));

    assertThat(quota(two, "dm", event("ada", "bob"), 1)).isEqualTo("3/3600s");
    assertThat(two.treatedLimit("dm", event("ada", "bob"), at(1)).limit().rule().quota().burst())
        .as("what the weaker one says about another setting")
        .isEqualTo(9);
    assertThat(quota(two, "dm", event("ada", "eve"), 2)).isEqualTo("2/3600s");
    assertThat(quota(two, "dm", event("eve", "eve"), 2)).isEqualTo("4/3600s");
    LimitsInForce all = two.with(revision("p", 0, pair));
    assertThat(quota(all, "dm", event("ada", "bob"), 2)).isEqualTo("1/3600s");
    assertThat(all.sayingSo("dm", event("ada", "bob"), at(2)))
        .extracting(LimitRevision::id)
        .containsExactly("u", "p");
  }

  @Test
  void nullGoesBackToWhatHoldsWithoutTheScopesRevisions() {
    LimitsInForce limits =
        limits()
            .with(revision("w", 1, "{'limit':'reply','set':{'quota':'10/60s'}}"))
            .with(
                revision("a", 2, "{'limit':'reply','for':{'userId':'a'},'set':{'quota':'7/60s'}}"))
            .with(revision("b", 3, "{'limit':'reply','for':{'userId':'a'},'set':{'quota':null}}"))
            .with(revision("x", 4, "{'limit':'reply','set':{'quota':null}}"));

    assertThat(quota(limits, "reply", event("a"), 2)).isEqualTo("7/60s");
    assertThat(quota(limits, "reply", event("a"), 3)).isEqualTo("10/60s");
    assertThat(quota(limits, "reply", event("a"), 4)).isEqualTo("5/60s");
    assertThat(limits.sayingSo("reply", event("a"), at(3)))
        .extracting(LimitRevision::id)
        .containsExactly("w");
  }

  @Test
  void aVerdictOfTheLimitWinsOverThatOfAllLimits() {
    LimitsInForce limits =
        limits()
            .with(
                revision(
                    "e", 1, 5, "{'limit':'*','for':{'userId':'eve'},'set':{'verdict':'reject'}}"))
            .with(
                revision(
                    "m", 2, "{'limit':'reply','for':{'userId':'eve'},'set':{'verdict':'meter'}}"))
            .with(revision("x", 3, "{'limit':'reply','set':{'verdict':'allow'}}"));

    assertThat(treatment(limits, "reply", "eve", 0)).isEqualTo(Treatment.METER);
    assertThat(treatment(limits, "reply", "eve", 1)).isEqualTo(Treatment.REJECT);
    assertThat(treatment(limits, "dm", "eve", 3)).isEqualTo(Treatment.REJECT);
    assertThat(treatment(limits, "reply", "eve", 2)).isEqualTo(Treatment.METER);
    assertThat(treatment(limits, "reply", "ada", 3)).isEqualTo(Treatment.ALLOW);
    assertThat(treatment(limits, "reply", "eve", 3)).isEqualTo(Treatment.METER);
    assertThat(treatment(limits, "dm", "eve", 5)).isEqualTo(Treatment.METER);
  }

  @Test
  void forAllLimitsTheFieldsCountInTheOrderOfTheManual() {
    LimitsInForce limits =
        limits()
            .with(
                revision("t", 1, "{'limit':'*','for':{'target':'bob'},'set':{'verdict':'reject'}}"))
            .with(
                revision("u", 1, "{'limit':'*','for':{'userId':'ada'},'set':{'verdict':'allow'}}"))
            .with(
                revision(
                    "c",
                    1,
                    "{'limit':'*','for':{'attributes.country':'nz','action':'dm'},'set':{'verdict':'meter'}}"));

    assertThat(limits.treatedLimit("reply", TestEvent.event("ada", "x", "bob"), at(1)).treatment())
        .isEqualTo(Treatment.ALLOW);
    assertThat(limits.treatedLimit("reply", TestEvent.event("eve", "x", "bob"), at(1)).treatment())
        .isEqualTo(Treatment.REJECT);
    assertThat(limits.treatedLimit("reply", TestEvent.event("eve", "dm", "bob"), at(1)).treatment())
        .as("two fields win over one")
        .isEqualTo(Treatment.METER);
  }

  @Test
  void aLimitIsAddedAndTakenAway() {
    LimitsInForce limits =
        limits()
            .with(revision("n", 1, "{'limit':'sms','set':{'enabled':'true','quota':'1/2s'}}"))
            .with(revision("q", 2, "{'limit':'sms','set':{'quota':'2/2s'}}"))
            .with(revision("o", 3, "{'limit':'sms','set':{'enabled':'false'}}"))
            .with(revision("r", 3, "{'limit':'reply','set':{'enabled':'false'}}"))
            .with(revision("s", 4, "{'limit':'reply','set':{'enabled':null}}"));

    assertThat(names(limits, 0)).containsExactly("reply", "dm");
    assertThat(names(limits, 1)).containsExactly("reply", "dm", "sms");
    assertThat(quota(limits, "sms", event("ada"), 2)).isEqualTo("2/2s");
    assertThat(names(limits, 3)).containsExactly("dm");
    assertThat(names(limits, 4)).containsExactly("reply", "dm");
    assertThatThrownBy(() -> limits.treatedLimit("sms", event("ada"), at(0)))
        .hasMessageContaining("not in force");
    assertThat(limits.revision("q", at(2)).standing()).isEqualTo(Standing.IN_FORCE);
  }

  @Test
  void whatIsLeftToAnotherLimitIsNotKeptInOrderUnlessItOnceWasNot() {
    LimitsInForce limits =
        limits(
            "sluice.limit.reply.unless=dm",
            "sluice.limit.reply.exceeded=delay",
            "sluice.limit.dm.match.target=bob");
    LimitsInForce changed =
        limits.with(revision("o", 3, "{'limit':'dm','set':{'enabled':'false'}}"));

    assertThat(limits.ever().ordered()).noneMatch(each -> each.match().matches(event("a", "bob")));
    assertThat(limits.ever().ordered()).anyMatch(each -> each.match().matches(event("a", "eve")));
    assertThat(changed.ever().ordered()).anyMatch(each -> each.match().matches(event("a", "bob")));
  }

  @Test
  void whatIsEffectiveLaterNeverChangesThePast() {
    LimitsInForce before = limits().with(revision("a", 1, "{'limit':'reply','set':{'burst':'3'}}"));
    LimitsInForce after =
        before.with(
            revision(
                "b",
                2,
                "{'limit':'reply','set':{'algorithm':'sliding-window-log','quota':'9/9s'}}"));

    assertThat(burst(after, 1)).isEqualTo(3);
    assertThat(after.revision("b", at(2)).standing())
        .as("a window has no burst, and that of a stays")
        .isEqualTo(Standing.REFUSED);
    LimitsInForce undone = after.with(revision("a", 1, 3, "{'limit':'reply','set':{'burst':'3'}}"));
    assertThat(burst(undone, 2)).isEqualTo(3);
    assertThat(quota(undone, "reply", event("ada"), 3)).isEqualTo("9/9s");
    assertThat(undone.revision("b", at(3)).refusals())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.fromMs()).isEqualTo(at(2));
              assertThat(refusal.untilMs()).isEqualTo(at(3));
              assertThat(refusal.reason())
                  .isEqualTo(
                      "sluice.limit.reply.burst=3: only a funnel has a burst, not a"
                          + " sliding-window-log");
            });
    assertThat(undone.revision("b", at(3)).standing()).isEqualTo(Standing.IN_FORCE);
  }

  @Test
  void aCombinationOfScopesThatCannotBeRefusesTheStrongerOne() {
    LimitsInForce limits =
        limits()
            .with(revision("u", 1, "{'limit':'dm','for':{'userId':'ada'},'set':{'burst':'2'}}"))
            .with(
                revision(
                    "t",
                    1,
                    "{'limit':'dm','for':{'target':'bob'},'set':{'algorithm':'sliding-window-log','quota':'8/1h'}}"));

    assertThat(quota(limits, "dm", event("eve", "bob"), 1)).isEqualTo("8/3600s");
    assertThat(quota(limits, "dm", event("ada", "bob"), 1)).isEqualTo("10/3600s");
    assertThat(limits.sayingSo("dm", event("ada", "bob"), at(1)))
        .extracting(LimitRevision::id)
        .containsExactly("u");
  }

  @Test
  void numbersAreGivenOverTimeAndEqualOnesAreOneObject() {
    LimitsInForce limits =
        limits()
            .with(revision("w", 1, 3, "{'limit':'reply','set':{'quota':'10/60s'}}"))
            .with(revision("v", 2, "{'limit':'reply','set':{'mode':'shadow'}}"))
            .with(revision("r", 2, "{'limit':'reply','set':{'reset':'true'}}"))
            .with(revision("e", 4, "{'limit':'*','for':{'userId':'eve'},'set':{'reset':'true'}}"))
            .with(revision("a", 5, "{'limit':'reply','for':{'userId':'a'},'set':{'burst':'1'}}"))
            .with(revision("b", 5, "{'limit':'reply','for':{'userId':'b'},'set':{'burst':'1'}}"));

    assertThat(limits.numbers("reply", event("ada")))
        .extracting(each -> each.fromMs() + " " + each.quota().permits() + " " + each.anew())
        .containsExactly(
            Long.MIN_VALUE + " 5 false",
            at(1) + " 10 false",
            at(2) + " 10 true",
            at(3) + " 5 false");
    assertThat(limits.numbers("reply", event("eve")))
        .extracting(each -> each.fromMs() + " " + each.quota().permits() + " " + each.anew())
        .endsWith(at(3) + " 5 false", at(4) + " 5 true");
    assertThat(limits.numbers("reply", event("a"))).isSameAs(limits.numbers("reply", event("b")));
    assertThat(limits.numbers("reply", event("a")).get(4).quota().burst()).isEqualTo(1);
    assertThat(limits.numbers("dm", event("ada"))).hasSize(1);
  }

  @Test
  void theLongestDelayChangesWithTime() {
    LimitsInForce limits =
        limits("sluice.limit.reply.exceeded=delay")
            .with(revision("d", 1, 2, "{'limit':'reply','set':{'delay.max':'1h'}}"))
            .with(revision("x", 3, "{'limit':'reply','set':{'exceeded':'reject'}}"));

    assertThat(limits.numbers("reply", event("ada")))
        .extracting(NumbersChange::delayMaxMicros)
        .as("what does not delay has the longest delay of before")
        .containsExactly(600_000_000L, 3_600_000_000L, 600_000_000L);
  }

  @Test
  void aBlockChangesWithTime() {
    LimitsInForce limits =
        limits("sluice.limit.reply.block=10m")
            .with(revision("l", 1, 2, "{'limit':'reply','set':{'block':'1h'}}"))
            .with(revision("n", 3, "{'limit':'reply','set':{'block':''}}"))
            .with(revision("d", 4, "{'limit':'reply','set':{'exceeded':'delay'}}"))
            .with(revision("b", 5, "{'limit':'reply','set':{'block':'1h'}}"));

    assertThat(limits.numbers("reply", event("ada")))
        .extracting(NumbersChange::blockMicros)
        .containsExactly(600_000_000L, 3_600_000_000L, 600_000_000L, 0L, 0L);
    assertThat(limits.revision("b", at(5)).refusals())
        .extracting(RevisionStatus.Refusal::reason)
        .containsExactly("sluice.limit.reply.block=1h: only applies with exceeded=reject");
  }

  @Test
  void aRefusedRevisionResetsNothing() {
    LimitsInForce limits =
        limits().with(revision("r", 1, "{'limit':'reply','set':{'reset':'true','quota':'x'}}"));

    assertThat(limits.numbers("reply", event("ada"))).hasSize(1);
  }

  @Test
  void aRevisionIsPlannedThenInForceThenEnded() {
    LimitsInForce limits =
        limits().with(revision("a", 1, 2, "{'limit':'reply','set':{'quota':'10/60s'}}"));

    assertThat(limits.revision("a", at(0)).standing()).isEqualTo(Standing.PLANNED);
    assertThat(limits.revision("a", at(1)).standing()).isEqualTo(Standing.IN_FORCE);
    assertThat(limits.revision("a", at(2)).standing()).isEqualTo(Standing.ENDED);
    assertThat(limits.revisions(at(1))).containsExactly(limits.revision("a", at(1)));
    assertThatThrownBy(() -> limits.revision("b", at(0))).hasMessageContaining("id b");
  }

  @Test
  void whatNothingChangedStaysTheSameObject() {
    LimitsInForce limits =
        limits()
            .with(
                revision("a", 1, "{'limit':'reply','for':{'userId':'a'},'set':{'quota':'1/1s'}}"));
    LimitsInForce more =
        limits.with(
            revision("b", 1, "{'limit':'reply','for':{'userId':'b'},'set':{'quota':'2/1s'}}"));

    assertThat(more.at(at(1))).isSameAs(limits.at(at(1)));
    assertThat(more.treatedLimit("reply", event("a"), at(1)))
        .isSameAs(limits.treatedLimit("reply", event("a"), at(1)));
    assertThat(quota(limits, "reply", event("b"), 1)).isEqualTo("5/60s");
  }

  private static List<String> names(LimitsInForce limits, long hour) {
    return limits.at(at(hour)).all().stream().map(Limit::name).toList();
  }

  private static long burst(LimitsInForce limits, long hour) {
    return limits.treatedLimit("reply", event("ada"), at(hour)).limit().rule().quota().burst();
  }

  private static Treatment treatment(LimitsInForce limits, String limit, String user, long hour) {
    return limits.treatedLimit(limit, event(user), at(hour)).treatment();
  }

  /**
   * Redis tells by the first quota and times whether it has judged an event by this limit before.
   */
  @Test
  void aLimitIsKnownByItsFirstNumbersHoweverLongAgoItWasChanged() {
    LimitsInForce once =
        Given.limits().with(Given.revision("a", 1, "{'limit':'reply','set':{'quota':'7/60s'}}"));
    LimitsInForce twice =
        once.with(Given.revision("b", 9, "{'limit':'reply','set':{'quota':'8/60s'}}"))
            .with(
                Given.revision(
                    "c", 9, "{'limit':'reply','for':{'userId':'x'},'set':{'quota':'9/60s'}}"));
    for (LimitsInForce limits : List.of(Given.limits(), once, twice)) {
      Rule rule = limits.matching(Given.event("ada"), Given.at(5)).first().rule();
      assertThat(rule.quota().permits()).isEqualTo(5);
    }
    Rule settled = twice.matching(Given.event("x"), Given.at(20)).first().rule();
    assertThat(settled.quota().permits()).isEqualTo(5);
    assertThat(settled.at(Given.at(20) * 1_000).quota().permits()).isEqualTo(9);
    assertThat(settled.schedule().phases()).hasSize(1);
  }

  @Test
  void ofManyNumbersThereIsOneScheduleAndOneVariant() {
    List<LimitRevision> many = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      String set = "'set':{'quota':'" + (5 + i) + "/60s'}}";
      many.add(revision("r" + i, i, "{'limit':'reply'," + set));
    }
    LimitsInForce limits = limits().with(many);

    assertThat(limits.ever().all()).extracting(Limit::name).containsExactly("reply", "dm");
    assertThat(rule(limits, 50).schedule().phases()).hasSize(50);
    assertThat(rule(limits, 50).schedule()).isSameAs(rule(limits, 1).schedule());
  }

  @Test
  void whatBecomesOfSomeIsWhatBecomesOfThemAmongAll() {
    String ofAda = "{'limit':'reply','for':{'userId':'ada'},'set':{'quota':'0/60s'}}";
    LimitsInForce limits =
        limits()
            .with(
                List.of(
                    revision("zero", 1, ofAda),
                    revision("whole", 1, "{'limit':'reply','set':{'quota':'0/60s'}}"),
                    revision("good", 1, "{'limit':'reply','set':{'quota':'7/60s'}}"),
                    revision("eve", 1, "{'limit':'*','set':{'verdict':'reject'}}")));

    assertThat(limits.revisions(List.of("zero", "nobody", "whole", "good", "eve"), at(2)))
        .containsExactlyInAnyOrderElementsOf(limits.revisions(at(2)))
        .extracting(each -> each.refusals().size())
        .containsExactly(1, 1, 0, 1);
  }

  private static Rule rule(LimitsInForce limits, long hour) {
    return limits.matching(event("ada"), at(hour)).stored().get(0).rule();
  }
}
