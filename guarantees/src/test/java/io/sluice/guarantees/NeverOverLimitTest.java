package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With the quotas that {@link Limits} has. */
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

  /** The clock's period had begun for the key, and not yet for the partition that asked. */
  @Test
  void whatIsJudgedByItsKeysClockCountsByThat() {
    long begins = Limits.CLOCK_PERIOD_MS - HandMade.NOON_MS % Limits.CLOCK_PERIOD_MS;
    run.allowed(run.input("sms", begins - 100));
    Kept waits = run.input("sms", begins - 99);
    run.delayed(waits, begins + 500, 500);
    run.allowedBehind(waits, begins - 99, begins);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    Kept early = run.input("sms", begins - 98);
    run.delayed(early, begins + 999, 999);
    run.allowedBehind(early, begins - 98, begins);
    assertThat(run.violationsOf(new NeverOverLimit())).singleElement().asString().contains("sms");
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
  void whatIsLateIsJudgedByTheClockOfItsPartition() {
    run.allowed(run.input("look", 10_000));
    Kept late = run.input("post", 0);

    run.allowed(late, 10_000);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();
  }

  @Test
  void aClockThatGoesBackIsFoundOut() {
    run.allowed(run.input("look", 10_000));
    run.allowed(run.input("post", 0), 9_000);

    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("was judged by a clock that had gone back 1000 ms");
  }

  @Test
  void inRedisWhatMayHaveBeenChargedEarlierIsNotHeldAgainstIt() {
    Kept chargedAndRolledBack = run.input("like", 0);
    allowedAt("like", 2_000, 2_000, 2_000, 2_000);
    run.allowed(chargedAndRolledBack, 2_000);
    assertThat(run.violationsOf(new NeverOverLimit())).isEmpty();

    allowedAt("like", 2_000);
    assertThat(run.violationsOf(new NeverOverLimit()))
        .singleElement()
        .asString()
        .contains("like of ann: more than a burst of 4 and 6 in each 3000 ms: 5 events");
  }
}
