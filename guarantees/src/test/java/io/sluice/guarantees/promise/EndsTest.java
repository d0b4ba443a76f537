package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import org.junit.jupiter.api.Test;

/** NothingLost, NothingTwice and RightEnd, each with a history that violates it. */
class EndsTest {
  private final HandMade run = new HandMade();

  @Test
  void whatEndsOnceWhereItBelongsBreaksNothing() {
    Kept late = run.input("sms", 0);
    run.delayed(late, 500, 500);
    run.allowed(late);
    run.rejected(run.input("post", 1));
    run.dead(run.poison());

    assertThat(run.violationsOf(new NothingLost())).isEmpty();
    assertThat(run.violationsOf(new NothingTwice())).isEmpty();
    assertThat(run.violationsOf(new RightEnd())).isEmpty();
  }

  @Test
  void whatNeverEndsIsLost() {
    run.input("post", 0);

    assertThat(run.violationsOf(new NothingLost()))
        .singleElement()
        .asString()
        .contains("event 1 (post of ann", "at user-actions-0-0 has not ended");
  }

  @Test
  void delayedIsNoEnd() {
    run.delayed(run.input("sms", 0), 500, 500);

    assertThat(run.violationsOf(new NothingLost()))
        .singleElement()
        .asString()
        .contains("delayed at delayed-actions-0-0 until " + (HandMade.NOON_MS + 500));
  }

  @Test
  void whatEndsTwiceIsTwice() {
    Kept input = run.input("post", 0);
    run.allowed(input);
    run.rejected(input);

    assertThat(run.violationsOf(new NothingTwice()))
        .singleElement()
        .asString()
        .contains("has ended 2 times: [allowed-actions-0-0, rejected-actions-0-0]");
  }

  @Test
  void whatTheBrokerHasTwiceEndsTwiceAndNotMore() {
    Kept input = run.input("post", 0);
    run.writtenAgain(input);
    run.allowed(input);
    run.allowed(input);
    assertThat(run.violationsOf(new NothingTwice())).isEmpty();

    run.allowed(input);
    assertThat(run.violationsOf(new NothingTwice())).hasSize(1);
  }

  @Test
  void whatNobodyPublishedIsInvented() {
    Kept elsewhere = new HandMade().input("post", 0);
    run.allowed(elsewhere);
    run.stranger();

    assertThat(run.violationsOf(new NothingTwice()))
        .hasSize(2)
        .first()
        .asString()
        .contains("was never published");
  }

  @Test
  void anEventIsNoDeadLetterAndPoisonIsNoEvent() {
    run.dead(run.input("post", 0));
    run.allowed(run.poison());

    assertThat(run.violationsOf(new RightEnd()))
        .hasSize(2)
        .anyMatch(each -> each.contains("is a dead letter: it is not an event"))
        .anyMatch(each -> each.contains("was taken for an event"));
  }

  @Test
  void whatMayBeTooLargeMayEndEitherWay() {
    run.dead(run.large("post"));
    run.allowed(run.large("post"));

    assertThat(run.violationsOf(new RightEnd())).isEmpty();
  }

  @Test
  void atLeastOnceARecordMayEndTwiceButNoneIsInvented() {
    HandMade atLeastOnce = new HandMade(SomeModes.atLeastOnce());
    Kept input = atLeastOnce.input("post", 0);
    atLeastOnce.allowed(input);
    atLeastOnce.allowed(input);
    assertThat(atLeastOnce.violationsOf(new NothingTwice())).isEmpty();

    atLeastOnce.stranger();
    assertThat(atLeastOnce.violationsOf(new NothingTwice())).hasSize(1);
  }

  @Test
  void atLeastOnceWhatWasDelayedMayBeLostAndNothingElse() {
    HandMade atLeastOnce = new HandMade(SomeModes.atLeastOnce());
    atLeastOnce.delayed(atLeastOnce.input("sms", 0), 500, 500);
    assertThat(atLeastOnce.violationsOf(new NothingLost())).isEmpty();

    atLeastOnce.input("sms", 0);
    assertThat(atLeastOnce.violationsOf(new NothingLost())).hasSize(1);
  }

  @Test
  void anEventInLineMustLeaveItOnce() {
    Kept lost = run.inputOf("ann", "home", "parcel", 1);
    Kept twice = run.inputOf("ann", "home", "parcel", 1);
    run.queued(lost, 0, 500);
    run.queued(twice, 0, 500);
    run.released(twice, 600);
    assertThat(run.violationsOf(new NothingTwice())).isEmpty();

    run.released(twice, 700);
    assertThat(run.violationsOf(new NothingLost()))
        .singleElement()
        .asString()
        .contains("event 1 (parcel of ann", "has not ended; it was delayed");
    assertThat(run.violationsOf(new NothingTwice()))
        .singleElement()
        .asString()
        .contains("event 2 (parcel of ann", "has ended 2 times");
  }
}
