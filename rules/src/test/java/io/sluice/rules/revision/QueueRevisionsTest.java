package io.sluice.rules.revision;

import static io.sluice.rules.revision.Given.at;
import static io.sluice.rules.revision.Given.event;
import static io.sluice.rules.revision.Given.limits;
import static io.sluice.rules.revision.Given.revision;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.QueueConflict;
import io.sluice.rules.revision.RevisionStatus.Refusal;
import io.sluice.rules.revision.RevisionStatus.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of revisions that give limits a queue, or limits that a queue cannot be combined with. */
class QueueRevisionsTest {
  private static final String QUEUE = "sluice.limit.reply.exceeded=queue";
  private static final String REST =
      ", and no event can both wait in line and be delayed or retried; accepted are exceeded=reject"
          + " and queue on all limits of such an event, or matches that exclude each other";
  private static final String DELAY_DM =
      "sluice.limit.dm.exceeded=delay: an event can also match reply (exceeded=queue)" + REST;
  private static final String QUEUE_REPLY =
      "sluice.limit.reply.exceeded=queue: an event can also match dm (exceeded=delay)" + REST;

  private static String set(String limit, String settings) {
    return "{'limit':'" + limit + "','set':{" + settings + "}}";
  }

  private static String some(String limit, String values, String settings) {
    return "{'limit':'" + limit + "','for':{" + values + "},'set':{" + settings + "}}";
  }

  private static Exceeded.Kind kind(LimitsInForce limits, String limit, Event event, long hour) {
    return limits.treatedLimit(limit, event, at(hour)).limit().exceeded().kind();
  }

  private static Exceeded.Kind kind(LimitsInForce limits, String limit, long hour) {
    return kind(limits, limit, event("ada"), hour);
  }

  private static List<Refusal> refusals(LimitsInForce limits, String id) {
    return limits.revision(id, at(0)).refusals();
  }

  private static Refusal always(long from, String reason) {
    return new Refusal(at(from), LimitRevision.FOR_GOOD, reason);
  }

  @Test
  void aLimitMayGetAQueueAndLoseItAgain() {
    LimitsInForce limits = limits().with(revision("a", 1, 3, set("reply", "'exceeded':'queue'")));

    assertThat(limits.revision("a", at(1)).standing()).isEqualTo(Standing.IN_FORCE);
    assertThat(kind(limits, "reply", 0)).isEqualTo(Exceeded.Kind.REJECT);
    assertThat(kind(limits, "reply", 1)).isEqualTo(Exceeded.Kind.QUEUE);
    assertThat(kind(limits, "reply", 3)).isEqualTo(Exceeded.Kind.REJECT);
    assertThat(limits.matching(event("ada"), at(2)).queues()).isTrue();
    assertThat(limits.matching(event("ada"), at(3)).queues()).isFalse();
    assertThat(limits.ever().queues()).isTrue();
    assertThat(limits().ever().queues()).isFalse();
  }

  @Test
  void someEventsMayWaitInLine() {
    LimitsInForce limits =
        limits().with(revision("a", 1, some("reply", "'userId':'ada'", "'exceeded':'queue'")));

    assertThat(limits.matching(event("ada"), at(1)).queues()).isTrue();
    assertThat(limits.matching(event("bob"), at(1)).queues()).isFalse();
    assertThat(limits.ever().queues()).isTrue();
    LimitsInForce enforced =
        limits(QUEUE, "sluice.limit.reply.mode=shadow")
            .with(revision("a", 1, some("reply", "'userId':'ada'", "'mode':'enforce'")));
    assertThat(enforced.matching(event("ada"), at(1)).queues()).isTrue();
    assertThat(enforced.ever().queues()).isTrue();
    assertThat(limits(QUEUE, "sluice.limit.reply.mode=shadow").ever().queues()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "'count':'attempts', sluice.limit.reply.count=attempts",
        "'block':'10m', sluice.limit.reply.block=10m",
        "'delay.max':'10m', sluice.limit.reply.delay.max=10m"
      })
  void settingsThatAQueueCannotHaveAreRefused(String setting, String mistake) {
    LimitsInForce limits = limits(QUEUE).with(revision("a", 1, set("reply", setting)));

    assertThat(refusals(limits, "a"))
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.reason()).startsWith(mistake));
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay", "retry"})
  void noEventMayWaitInTwoWays(String exceeded) {
    LimitsInForce limits =
        limits(QUEUE).with(revision("a", 1, set("dm", "'exceeded':'" + exceeded + "'")));

    assertThat(refusals(limits, "a"))
        .containsExactly(always(1, DELAY_DM.replace("delay:", exceeded + ":")));
    assertThat(limits.revision("a", at(1)).standing()).isEqualTo(Standing.REFUSED);
    assertThat(limits.conflicting()).containsExactly("a");
    assertThat(limits.digest(at(2))).isEqualTo(limits(QUEUE).digest(at(2)));
    assertThat(kind(limits, "dm", 1)).isEqualTo(Exceeded.Kind.REJECT);
  }

  @Test
  void aNewLimitMustNotDelayWhatWaitsInLine() {
    String added = "'enabled':'true','quota':'1/1s','exceeded':'delay'";
    LimitsInForce limits = limits(QUEUE).with(revision("a", 1, set("sms", added)));

    assertThat(limits.revision("a", at(1)).standing()).isEqualTo(Standing.REFUSED);
    assertThat(limits.at(at(2)).all()).extracting(Limit::name).containsExactly("reply", "dm");
    LimitsInForce apart =
        limits(QUEUE, "sluice.limit.reply.match.action=reply")
            .with(revision("a", 1, set("sms", added + ",'match.action':'sms'")));
    assertThat(apart.at(at(2)).all()).hasSize(3);
  }

  @Test
  void ofTwoRevisionsTheOneThatTakesEffectLastIsRefused() {
    LimitRevision queue = revision("q", 1, set("reply", "'exceeded':'queue'"));
    LimitRevision delay = revision("d", 2, set("dm", "'exceeded':'delay'"));

    for (LimitsInForce limits :
        List.of(limits().with(queue).with(delay), limits().with(delay).with(queue))) {
      assertThat(refusals(limits, "q")).isEmpty();
      assertThat(refusals(limits, "d")).containsExactly(always(2, DELAY_DM));
    }
    LimitsInForce earlier =
        limits().with(queue).with(revision("d", 0, set("dm", "'exceeded':'delay'")));
    assertThat(refusals(earlier, "q")).containsExactly(always(1, QUEUE_REPLY));
    assertThat(refusals(earlier, "d")).isEmpty();
    assertThat(kind(earlier, "dm", 5)).isEqualTo(Exceeded.Kind.DELAY);
  }

  @Test
  void aRevisionIsRefusedOnlyWhileItCannotBeCombined() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("r", 1, 5, set("reply", "'exceeded':'reject'")))
            .with(revision("d", 2, set("dm", "'exceeded':'delay'")));

    assertThat(refusals(limits, "d")).containsExactly(always(5, DELAY_DM));
    assertThat(kind(limits, "dm", 4)).isEqualTo(Exceeded.Kind.DELAY);
    assertThat(kind(limits, "dm", 5)).isEqualTo(Exceeded.Kind.REJECT);
    assertThat(kind(limits, "reply", 5)).isEqualTo(Exceeded.Kind.QUEUE);
  }

  @Test
  void aRevisionIsInForceAgainWhenTheOtherIsGone() {
    LimitRevision queue = revision("q", 1, set("reply", "'exceeded':'queue'"));
    LimitRevision delay = revision("d", 2, set("dm", "'exceeded':'delay'"));
    LimitsInForce limits = limits().with(queue).with(delay);

    LimitsInForce after = limits.with(List.of(), List.of("q"));
    assertThat(refusals(after, "d")).isEmpty();
    assertThat(kind(after, "dm", 2)).isEqualTo(Exceeded.Kind.DELAY);
    assertThat(after.conflicting()).isEmpty();
    assertThat(kind(limits.with(queue), "dm", 2)).isEqualTo(Exceeded.Kind.REJECT);
  }

  @Test
  void aRevisionMustNotLetALimitMatchWhatWaitsInLine() {
    String[] apart = {
      QUEUE,
      "sluice.limit.reply.match.action=reply",
      "sluice.limit.dm.match.action=dm",
      "sluice.limit.dm.exceeded=delay"
    };
    LimitsInForce limits =
        limits(apart).with(revision("a", 1, set("dm", "'match.action':'dm,reply'")));

    assertThat(refusals(limits, "a")).containsExactly(always(1, DELAY_DM));
    assertThat(refusals(limits(apart).with(revision("a", 1, set("dm", "'match.action':'x'"))), "a"))
        .isEmpty();
  }

  @Test
  void takingPrecedenceMayNotEndIfItKeepsTwoLimitsApart() {
    String[] unless = {
      "sluice.limits=reply,dm,vip",
      QUEUE,
      "sluice.limit.reply.match.action=reply",
      "sluice.limit.vip.quota=1/1s",
      "sluice.limit.vip.match.action=reply",
      "sluice.limit.dm.exceeded=delay",
      "sluice.limit.dm.unless=vip"
    };
    for (String settings : List.of("'enabled':'false'", "'match.action':'x'", "'mode':'shadow'")) {
      LimitsInForce limits = limits(unless).with(revision("a", 1, set("vip", settings)));
      assertThat(limits.revision("a", at(1)).standing()).as(settings).isEqualTo(Standing.REFUSED);
      assertThat(limits.at(at(2)).all()).as(settings).hasSize(3);
    }
    LimitsInForce without = limits(unless).with(revision("a", 1, set("dm", "'unless':''")));
    assertThat(refusals(without, "a")).containsExactly(always(1, DELAY_DM));
    LimitsInForce other = limits(unless).with(revision("a", 1, set("vip", "'quota':'2/1s'")));
    assertThat(refusals(other, "a")).isEmpty();
  }

  @Test
  void aLimitInShadowModeHoldsUpNothing() {
    LimitsInForce limits =
        limits(QUEUE)
            .with(revision("a", 1, set("dm", "'exceeded':'delay','mode':'shadow'")))
            .with(revision("b", 2, set("dm", "'mode':'enforce'")));

    assertThat(refusals(limits, "a")).isEmpty();
    assertThat(refusals(limits, "b")).containsExactly(always(2, DELAY_DM));
    assertThat(limits.at(at(3)).all().get(1).rule().shadow()).isTrue();
  }

  @Test
  void someEventsMustNotWaitInTwoWaysEither() {
    String delay = "'exceeded':'delay'";
    LimitsInForce limits =
        limits(QUEUE, "sluice.limit.reply.match.userId=ada")
            .with(revision("a", 1, some("dm", "'userId':'ada'", delay)))
            .with(revision("b", 1, some("dm", "'userId':'bob'", delay)))
            .with(revision("t", 1, some("dm", "'target':'shop'", delay)));

    assertThat(refusals(limits, "a")).containsExactly(always(1, DELAY_DM));
    assertThat(refusals(limits, "b")).isEmpty();
    assertThat(refusals(limits, "t")).as("also those of ada").hasSize(1);
    assertThat(kind(limits, "dm", event("ada", "x"), 1)).isEqualTo(Exceeded.Kind.REJECT);
    assertThat(kind(limits, "dm", event("bob", "x"), 1)).isEqualTo(Exceeded.Kind.DELAY);
  }

  @Test
  void twoOverridesForTheSameEventsAreComparedWithEachOther() {
    LimitsInForce limits =
        limits()
            .with(revision("q", 2, some("reply", "'userId':'ada'", "'exceeded':'queue'")))
            .with(revision("a", 1, 4, some("dm", "'userId':'ada'", "'exceeded':'delay'")))
            .with(revision("b", 3, some("dm", "'userId':'bob'", "'exceeded':'delay'")))
            .with(revision("t", 3, some("dm", "'target':'shop'", "'exceeded':'retry'")));

    assertThat(refusals(limits, "q")).containsExactly(new Refusal(at(2), at(4), QUEUE_REPLY));
    assertThat(refusals(limits, "a")).isEmpty();
    assertThat(refusals(limits, "b")).isEmpty();
    assertThat(refusals(limits, "t"))
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.fromMs()).isGreaterThanOrEqualTo(at(3)));
    assertThat(kind(limits, "reply", event("ada"), 4)).isEqualTo(Exceeded.Kind.QUEUE);
    assertThat(kind(limits, "dm", event("bob", "x"), 4)).isEqualTo(Exceeded.Kind.DELAY);
  }

  @Test
  void anOverrideMayKeepSomeEventsOutOfALine() {
    LimitsInForce limits =
        limits(
                "sluice.limit.dm.exceeded=delay",
                "sluice.limit.dm.match.action=dm",
                "sluice.limit.reply.match.action=reply")
            .with(revision("r", 1, some("dm", "'userId':'ada'", "'exceeded':'reject'")))
            .with(revision("q", 2, some("reply", "'userId':'ada'", "'exceeded':'queue'")))
            .with(revision("m", 3, set("reply", "'match.action':'*'")));

    assertThat(refusals(limits, "q")).isEmpty();
    assertThat(limits.conflicting()).isEmpty();
    LimitsInForce without = limits.with(List.of(), List.of("r"));
    assertThat(refusals(without, "q"))
        .as("from the wider match on")
        .containsExactly(always(3, QUEUE_REPLY));
  }

  /** Compares all orders of reading with each other, and examines the result at each instant. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1357, 1468, 2096, 2314})
  void neverDoesAnEventWaitInTwoWays(long seed) {
    Random random = new Random(seed);
    String[] file = random.nextBoolean() ? new String[] {QUEUE} : new String[0];
    List<LimitRevision> all = new ArrayList<>();
    int count = 2 + random.nextInt(9);
    for (int i = 0; i < count; i++) all.add(random("r" + i, random));
    LimitsInForce limits = limits(file).with(all);
    LimitsInForce other = limits(file);
    Collections.shuffle(all, random);
    for (LimitRevision each : all) other = other.with(each);
    assertThat(other.conflicting()).isEqualTo(limits.conflicting());
    for (long hour = 0; hour < 12; hour++) {
      assertThat(other.digest(at(hour))).isEqualTo(limits.digest(at(hour)));
      for (String user : List.of("ada", "bob")) {
        for (String target : List.of("shop", "x")) {
          assertThat(conflicts(limits, event(user, target), at(hour)))
              .as("seed %s, hour %s, %s to %s: %s", seed, hour, user, target, all)
              .isZero();
        }
      }
    }
  }

  private static long conflicts(LimitsInForce limits, Event event, long ms) {
    List<Limit> metering = limits.matching(event, ms).all();
    return metering.stream()
        .filter(each -> metering.stream().anyMatch(one -> QueueConflict.areInConflict(each, one)))
        .count();
  }

  private static LimitRevision random(String id, Random random) {
    String exceeded = List.of("queue", "delay", "retry", "reject").get(random.nextInt(4));
    String limit = random.nextBoolean() ? "reply" : "dm";
    String settings =
        switch (random.nextInt(6)) {
          case 0 -> "'mode':'" + (random.nextBoolean() ? "shadow" : "enforce") + "'";
          case 1 -> "'exceeded':'" + exceeded + "','mode':'shadow'";
          default -> "'exceeded':'" + exceeded + "'";
        };
    String json =
        switch (random.nextInt(4)) {
          case 0 -> set(limit, settings);
          case 1 -> set(limit, "'match.action':'" + (random.nextBoolean() ? "dm" : "!dm") + "'");
          case 2 -> some("dm", "'target':'shop'", settings);
          default ->
              some(limit, "'userId':'" + (random.nextBoolean() ? "ada" : "bob") + "'", settings);
        };
    long from = random.nextInt(8);
    return random.nextBoolean()
        ? revision(id, from, json)
        : revision(id, from, from + 1 + random.nextInt(4), json);
  }
}
