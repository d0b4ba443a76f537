package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import org.junit.jupiter.api.Test;

class KeyOrderKeptTest {
  private final HandMade run = new HandMade();

  @Test
  void whatCameFirstMustLeaveFirst() {
    Kept first = run.input("sms", 0);
    Kept second = run.input("sms", 0);
    run.allowed(second);
    run.allowed(first);

    assertThat(run.violationsOf(new KeyOrderKept()))
        .singleElement()
        .asString()
        .contains("event 2", "(came in at user-actions-0-1) is before event 1");
  }

  @Test
  void otherActionsOtherEndsAndRetriesAreNotInLine() {
    Kept sms = run.input("sms", 0);
    Kept post = run.input("post", 0);
    Kept refused = run.input("sms", 0);
    Kept first = run.input("call", 0);
    Kept second = run.input("call", 0);
    run.rejected(refused);
    for (Kept each : new Kept[] {post, sms, second, first}) run.allowed(each);

    assertThat(run.violationsOf(new KeyOrderKept())).isEmpty();
  }

  @Test
  void whatWasSetAsideUntilRedisWasBackIsNotInLineAndTheOthersAre() {
    Kept setAside = run.input("pay", 0);
    Kept first = run.input("pay", 0);
    Kept second = run.input("pay", 0);
    run.setAside(setAside, 0);
    for (Kept each : new Kept[] {first, second, setAside}) run.allowed(each);
    assertThat(run.violationsOf(new KeyOrderKept())).isEmpty();

    Kept third = run.input("pay", 0);
    Kept fourth = run.input("pay", 0);
    run.allowed(fourth);
    run.allowed(third);
    assertThat(run.violationsOf(new KeyOrderKept())).hasSize(1);
  }
}
