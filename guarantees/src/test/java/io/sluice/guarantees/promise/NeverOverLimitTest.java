package io.sluice.guarantees.promise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of the quotas in {@link Limits}. */
class NeverOverLimitTest {
  private final HandMade run = new HandMade();

  private void allowedAt(String action, long... afterNoonMs) {
    for (long at : afterNoonMs) run.allowed(run.input(action, at));
  }

  @Test
  void aLogMayBeFullOfWhatIsNotOlderThanAPeriod() {
    allowedAt("pay", 0, 1, 2, 3, 2_000, 2_001, 2_002, 2_003);

    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();
  }

  @Test
  void aLogWithOneTooManyInAPeriodIsOverTheLimit() {
    allowedAt("pay", 0, 1, 2, 3, 1_999);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("pay-user of ann: more than 4 in 2000 ms: 5 events from event 1", "event 5");
  }

  @Test
  void aFunnelMayPassItsBurstAndWhatTimeAdds() {
    allowedAt("post", 0, 0, 0, 500, 1_000, 1_500);

    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0", "499"})
  void aFunnelWithOneTooSoonIsOverTheLimit(long tooSoon) {
    allowedAt("post", 0, 0, 0, tooSoon);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("post of ann: more than a burst of 3 and 4 in each 2000 ms: 4 events");
  }

  /**
   * Events that Redis charged at noon, and tells the clock of 499 ms later when it is asked again.
   */
  private List<String> recognized(long... remaining) {
    HandMade again = new HandMade();
    for (long each : remaining) again.recognized(again.input("like", 0), 499, each);
    again.allowed(again.input("like", 500));
    return again.violationsOf(new NeverOverLimit());
  }

  @Test
  void aRecognizedEventMayHaveBeenChargedBefore() {
    assertThat(recognized(77, 77, 77, 77)).isEmpty();
    assertThat(recognized(80, 79, 78, 77))
        .anyMatch(each -> each.contains("was judged under like at"))
        .anyMatch(each -> each.contains("like of ann: more than a burst of 4"));
  }

  @Test
  void aRefusedEventWithTheSameRemainingPermitsDoesNotMakeTheOthersRecognized() {
    Kept input = run.input("like", 0);
    Kept later = run.allowed(input, 499);
    Kept refused = run.rejectedTry(run.input("like", 500));
    refused.record().headers().remove("sluice-shadow");
    later.record().headers().headers("sluice-shadow").forEach(refused.record().headers()::add);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .anyMatch(each -> each.contains("was judged under like at"));
  }

  @Test
  void aCounterWeighsTheLastPeriodByWhatIsLeftOfIt() {
    allowedAt("view", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3_000, 3_000, 3_000, 3_000, 3_000);

    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();
  }

  @Test
  void aCounterWithOneTooManyIsOverTheLimit() {
    allowedAt("view", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("view of ann: 10 in the last 2000 ms, of which 1000 have passed, and 6 now");
  }

  @Test
  void anHourOfTheCalendarHoldsItsPermitsAndTheNextOneAsMany() {
    long hourMs = 3_600_000;
    long nextMs = hourMs - HandMade.NOON_MS % hourMs;
    for (int i = 20; i > 0; i--) allowedAt("order", nextMs - i);
    for (int i = 0; i < 20; i++) allowedAt("order", nextMs + i);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    allowedAt("order", nextMs + hourMs - 1);
    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("order of ann: 21, and not 20, in the period from ");
  }

  @Test
  void whoIsBlockedIsRefusedUntilTheBlockIsOver() {
    allowedAt("knock", 0);
    run.overLimit(run.input("knock", 1));
    allowedAt("knock", 3_001);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    run.overLimit(run.input("knock", 4_000));
    allowedAt("knock", 6_999);
    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("knock: event 5", "was allowed at", "which blocks for 3000 ms");
  }

  private void allowedTo(String action, String targets, long... afterNoonMs) {
    for (int i = 0; i < afterNoonMs.length; i++) {
      run.allowed(run.inputTo(targets.substring(i, i + 1), action, afterNoonMs[i]));
    }
  }

  @Test
  void targetsThatWereThereBeforeChargeNothing() {
    allowedTo("invite", "abcabcd", 0, 1, 2, 3, 4, 5, 2_000);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"invite, abcd, more than 3 new targets", "reach, abcdef, more than 5 new targets"})
  void oneNewTargetTooManyIsOverTheLimit(String action, String targets, String what) {
    allowedTo(action, targets, LongStream.range(0, targets.length()).toArray());
    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains(action + " of ann: " + what);
  }

  @Test
  void aPairIsAllowedOnceInAPeriod() {
    allowedTo("offer", "aba", 0, 1, 3_600_000);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    allowedTo("offer", "b", 3_600_000);
    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("offer of ann and b: more than 1 in 3600000 ms");
  }

  @Test
  void whatWaitsCountsWhenItsSlotComes() {
    for (long at : new long[] {0, 500}) {
      Kept input = run.input("sms", 0);
      if (at > 0) run.delayed(input, at, at);
      run.allowed(input);
    }
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    Kept early = run.input("sms", 0);
    run.delayed(early, 999, 999);
    run.allowed(early);
    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("sms of ann: more than a burst of 1 and 2 in each 1000 ms: 3 events");
  }

  @Test
  void whatIsLateIsJudgedWhereItsKeyStands() {
    allowedAt("post", 10_000);
    run.allowed(run.input("post", 0), 10_000);

    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"9_999", "10_001", "0"})
  void aClockThatStandsElsewhereIsFoundOut(String judgedAt) {
    allowedAt("post", 10_000);
    run.allowed(run.input("post", 0), Long.parseLong(judgedAt.replace("_", "")));

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("was judged under post at", "and not at " + (HandMade.NOON_MS + 10_000));
  }

  /** The mistake of a clock per partition: one user's events move the clock of another. */
  @Test
  void nobodyIsJudgedByTheTimeOfOthers() {
    run.allowed(run.input("look", 50_000));
    run.allowed(run.input("post", 0), 50_000);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("was judged under post at " + (HandMade.NOON_MS + 50_000));
  }

  @Test
  void behindWhatWasSetAsideUntilRedisWasBackNoClockIsImplied() {
    Kept setAside = run.input("pay", 50);
    run.setAside(setAside, 50);
    run.allowed(run.input("pay", 10), 10);
    run.allowed(setAside, 50);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    run.allowed(run.input("pay", 20), 15);
    assertThat(run.violationsOf(new NeverOverLimit())).isNotEmpty();
  }

  @Test
  void whatIsRefusedMovesNoClockUnlessTriesCount() {
    run.rejectedTry(run.input("view", 10_000));
    run.allowed(run.input("view", 0));
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    HandMade tries = new HandMade(SomeModes.countingTries());
    tries.rejectedTry(tries.input("view", 10_000));
    tries.allowed(tries.input("view", 0));
    assertThat(tries.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("was judged under view at " + HandMade.NOON_MS + ", and not at");
  }

  @Test
  void aTryTooManyIsRefusedAndCounts() {
    HandMade tries = new HandMade(SomeModes.countingTries());
    for (int at = 0; at < 5; at++) tries.rejectedTry(tries.input("reply", at));
    tries.allowed(tries.input("reply", 3_000));
    assertThat(tries.violationsOf(new NeverOverLimit())).isEmpty();

    for (int at = 3_001; at < 3_005; at++) tries.rejectedTry(tries.input("reply", at));
    tries.allowed(tries.input("reply", 4_999));
    assertThat(tries.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("reply of ann: more than 5 tries in 2000 ms: 6 up to event");
  }

  @Test
  void ofSeveralPartitionsItIsOnlyCertainThatNoneGoesBack() {
    allowedAt("post", 10_000);
    run.allowed(run.input(Topics.INPUTS.get(1), "post", "x", 0), 10_000);
    run.allowed(run.input(Topics.INPUTS.get(1), "post", "y", 0), 9_000);

    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    run.allowed(run.input("post", 0), 9_000);
    assertThat(run.violationsOf(new NeverOverLimit())).hasSize(1);
  }

  @Test
  void everyRecordCountsWhateverItsId() {
    for (int i = 0; i < 5; i++) run.allowed(run.input(Topics.INPUTS.get(0), "pay", "x", i));

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("pay-user of ann: more than 4 in 2000 ms: 5 events");
  }

  @Test
  void whatIsAllowedAgainAtLeastOnceCountsOnce() {
    HandMade atLeastOnce = new HandMade(SomeModes.atLeastOnce());
    for (int at = 0; at < 4; at++) {
      Kept input = atLeastOnce.input("pay", at);
      atLeastOnce.allowed(input);
      atLeastOnce.allowed(input, 4);
    }
    assertThat(atLeastOnce.violationsOf(new NeverOverLimit())).isEmpty();

    atLeastOnce.allowed(atLeastOnce.input("pay", 5));
    assertThat(atLeastOnce.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("pay-user of ann: more than 4 in 2000 ms: 5 events");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rejected", "retried"})
  void atLeastOnceACrashMayHaveTakenTheChargeOfWhatIsThenNotAllowed(String then) {
    assertThat(withOneThen(then, 1, SomeModes.atLeastOnce())).isEmpty();
    assertThat(withOneThen(then, 1, Modes.plain())).isNotEmpty();
  }

  @Test
  void whatIsAllowedWhenItIsRetriedHasItsCharge() {
    assertThat(withOneThen("retried", 2, SomeModes.atLeastOnce())).isNotEmpty();
  }

  private static List<String> withOneThen(String then, int allowedAtAttempt, Modes modes) {
    HandMade run = new HandMade(modes);
    for (int at = 0; at < 4; at++) run.allowed(run.input("pay", at));
    Kept one = run.input("pay", 4);
    byte[] attempt = Integer.toString(allowedAtAttempt).getBytes(UTF_8);
    run.allowed(one).record().headers().add(Verdicts.ATTEMPT, attempt);
    if (then.equals("rejected")) run.rejected(one);
    else run.retried(one, 5, 1);
    return run.violationsOf(new NeverOverLimit());
  }

  /** The first answer is lost, and the key's clock has moved before the event is metered again. */
  @Test
  void whatComesAgainMayHaveBeenChargedAtItsOwnTime() {
    assertThat(withOneJudgedLate(SomeModes.atLeastOnce())).isEmpty();
    assertThat(withOneJudgedLate(Modes.plain())).isNotEmpty();
  }

  private static List<String> withOneJudgedLate(Modes modes) {
    HandMade run = new HandMade(modes);
    run.allowed(run.input("fax", 0), 12);
    run.allowed(run.input("fax", 3));
    run.allowed(run.input("fax", 1_000));
    return run.violationsOf(new NeverOverLimit());
  }

  @Test
  void whatIsAllowedWithoutRedisDoesNotCountThere() {
    HandMade away = new HandMade(SomeModes.without(Modes.WithoutRedis.ALLOW));
    for (int i = 0; i < 9; i++) away.allowedWithoutRedis(away.input("like", 0));

    assertThat(away.violationsOf(new NeverOverLimit())).isEmpty();
  }

  /**
   * A limit in the state store counts on the user's home partition, wherever the event was
   * published: 0 for user1, and 5 for the others.
   */
  @Test
  void withoutRedisEachHomeCountsForItself() {
    HandMade away = new HandMade(SomeModes.without(Modes.WithoutRedis.STATE_STORE));
    for (int i = 0; i < 4; i++) {
      away.allowedWithoutRedis(away.inputOf("user1", "pay"));
      away.allowedWithoutRedis(away.inputOf("user23", "pay"));
    }
    assertThat(away.violationsOf(new NeverOverLimit())).isEmpty();

    for (int i = 0; i < 3; i++) away.allowedWithoutRedis(away.inputOf("user2", "pay"));
    assertThat(away.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("pay-target of target without Redis, on partition 5: more than a burst of 6");
  }

  @Test
  void withoutRedisEachPartitionCountsForItselfWhatNoLimitWantsAtHome() {
    HandMade away = new HandMade(SomeModes.without(Modes.WithoutRedis.STATE_STORE));
    for (int i = 0; i < 4; i++) {
      away.allowedWithoutRedis(away.inputOf("user1", "like"));
      away.allowedWithoutRedis(away.inputOf("user23", "like"));
    }
    assertThat(away.violationsOf(new NeverOverLimit())).isEmpty();

    away.allowedWithoutRedis(away.inputOf("user1", "like"));
    assertThat(away.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("like of user1 without Redis, on partition 0: more than a burst of 4");
  }

  @Test
  void aVerdictThatIsRepeatedCountsOnce() {
    HandMade repeating = new HandMade(SomeModes.repeating());
    for (int i = 0; i < 5; i++) {
      repeating.allowed(repeating.input(Topics.INPUTS.get(0), "pay", "x", 0));
    }

    assertThat(repeating.violationsOf(new NeverOverLimit())).isEmpty();
  }

  /**
   * This also holds for the target, which users share: these events have one home partition, and
   * are judged in their order.
   */
  @Test
  void whatOneUserSendsIsJudgedInItsOrder() {
    allowedAt("pay", 2_000);
    run.allowed(run.input("pay", 0), 0);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .hasSize(2)
        .anyMatch(line -> line.contains("was judged under pay-user at"))
        .anyMatch(line -> line.contains("was judged under pay-target at"));
  }
}
