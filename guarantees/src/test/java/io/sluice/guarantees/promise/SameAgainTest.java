package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SameAgainTest {
  @TempDir private Path folder;
  private HandMade run = new HandMade();

  @Test
  void theSameVerdictWithTheSameHeadersIsTheSame() {
    Kept post = run.input("post", 0);
    Kept poison = run.poison();
    run.allowed(post);
    run.dead(poison, "occurredAt is 4000 ms in the future");
    run.again();
    run.allowed(post);
    run.dead(poison, "occurredAt is 3000 ms in the future");

    assertThat(run.violationsOf(new SameAgain())).isEmpty();
  }

  @Test
  void whyASchemaIsNotKnownMayBeSaidOtherwise() {
    Kept poison = run.poison();
    run.dead(poison, "schema 872 is unknown to the schema registry at http://127.0.0.1:1");
    run.again();
    run.dead(poison, "schema 872 is not asked for: too many ids were unknown");
    assertThat(run.violationsOf(new SameAgain())).isEmpty();
  }

  @Test
  void anotherSchemaIsNotTheSame() {
    Kept poison = run.poison();
    run.dead(poison, "schema 872 is unknown");
    run.again();
    run.dead(poison, "schema 873 is unknown");
    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void anotherVerdictIsNotTheSame() {
    Kept post = run.input("post", 0);
    run.allowed(post);
    run.again();
    run.rejected(post);

    assertThat(run.violationsOf(new SameAgain()))
        .singleElement()
        .asString()
        .contains(
            "event 1 (post of ann", "came to [End[topic=allowed", "replayed to [End[topic=rej");
  }

  @Test
  void eventsThatMayWaitInLineAreNotCovered() {
    Kept parcel = run.inputOf("ann", "home", "parcel", 1);
    run.released(parcel, 0);
    run.again();
    run.rejected(parcel);

    assertThat(run.violationsOf(new SameAgain())).isEmpty();
    assertThat(new SameAgain().cases(run.history())).isZero();
  }

  @Test
  void anotherHeaderIsNotTheSame() {
    Kept post = run.input("post", 0);
    run.allowed(post, 0);
    run.again();
    run.allowed(post, 1);

    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void anotherErrorIsNotTheSame() {
    Kept poison = run.poison();
    run.dead(poison, "userId is missing");
    run.again();
    run.dead(poison, "action is missing");

    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void whatDoesNotComeOutAgainIsNotTheSame() {
    run.allowed(run.input("post", 0));

    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void aRetriedEventGetsTheSameAgain() {
    Kept call = run.published("call", 0, 0);
    run.retried(call, 500, 500);
    run.allowed(call);
    run.again();
    run.rejected(call);
    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void whatDependsOnOthersOrOnChanceIsNotCovered() {
    Kept here = run.input("post", 0);
    Kept there = run.input(Topics.INPUTS.get(1), "post", "x", 0);
    for (Kept each : new Kept[] {here, there}) run.allowed(each);
    run.allowed(run.input("pay", 0));
    run.allowed(run.odd("view"));
    run.allowed(run.large("sms"));

    assertThat(run.violationsOf(new SameAgain())).isEmpty();
  }

  @Test
  void aKeyThatWasJudgedWithoutRedisIsNotCovered() {
    run = new HandMade(SomeModes.without(Modes.WithoutRedis.ALLOW));
    run.allowedWithoutRedis(run.input("like", 0));
    run.allowed(run.input("like", 0));
    assertThat(run.violationsOf(new SameAgain())).isEmpty();

    run.allowed(run.input("reply", 0));
    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void aKeyWithAnEventThatWasTooLargeForATopicIsNotCovered() {
    run.dead(run.input("post", 0), "it is too large");
    run.allowed(run.input("post", 0));

    assertThat(run.violationsOf(new SameAgain())).isEmpty();
  }

  @Test
  void retriesAreCoveredUntilAnEarlierEventComesLater() {
    Kept ended = retried(0, 5_000);
    Kept pending = retried(10, 6_000);
    Kept inTime = run.published("call", 10, 4_499);
    Kept late = run.published("call", 5_999, 5_500);
    Kept behind = run.published("call", 7_000, 7_000);
    List<Kept> inputs = List.of(ended, pending, inTime, late, behind);

    assertThat(certain(inputs, List.of())).containsExactly(ended, inTime);
    assertThat(certain(List.of(ended, pending, inTime, behind), List.of()))
        .containsExactly(ended, pending, inTime, behind);
  }

  @Test
  void retriesAreCoveredUntilAnUncertainEventComes() {
    Kept ended = retried(0, 5_000);
    Kept pending = retried(10, 6_000);
    Kept uncertain = run.published("call", 5_500, 5_500);
    Kept behind = run.published("call", 7_000, 7_000);

    assertThat(certain(List.of(ended, pending, uncertain, behind), List.of(uncertain)))
        .containsExactly(ended);
  }

  @Test
  void withoutABrokerWhatIsPublishedInTimeMayComeTooLate() {
    run = new HandMade(Modes.plain(), folder);
    Kept ended = retried(0, 6_000);
    Kept pending = retried(10, 6_101);
    Kept longBefore = run.published("call", 1_000, 1_099);
    Kept rightBefore = run.published("call", 1_100, 1_100);
    run.notes().revisions().brokerGone(HandMade.NOON_MS + 6_100, HandMade.NOON_MS + 9_000);

    List<Kept> inputs = List.of(ended, pending, longBefore, rightBefore);
    assertThat(certain(inputs, List.of())).containsExactly(ended, longBefore);
    // The instance that would have read all of them stood still.
    run.notes().revisions().frozen(HandMade.NOON_MS + 1_050, HandMade.NOON_MS + 1_200);
    assertThat(certain(inputs, List.of())).isEmpty();
  }

  private Kept retried(long atMs, long againAtMs) {
    Kept call = run.published("call", atMs, atMs);
    run.retried(call, againAtMs, againAtMs);
    return call;
  }

  private List<Kept> certain(List<Kept> inputs, List<Kept> uncertain) {
    return SameAgain.inOrder(run.history(), inputs, uncertain).toList();
  }

  @Test
  void theWallClockGoesOnAndAtLeastOnceMayDiffer() {
    for (Modes modes : new Modes[] {SomeModes.byWallClock(), SomeModes.atLeastOnce()}) {
      run = new HandMade(modes);
      run.allowed(run.input("post", 0));

      assertThat(run.violationsOf(new SameAgain())).isEmpty();
      assertThat(new SameAgain().weakened(modes)).isNotEmpty();
    }
  }
}
