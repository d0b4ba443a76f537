package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NeverEarlyTest {
  private final HandMade run = new HandMade();

  @Test
  void atItsTimeIsNotEarly() {
    Kept input = run.input("sms", 0);
    run.delayed(input, 500, 500);
    run.allowedAndTimed(input, 500);

    assertThat(run.violationsOf(new NeverEarly())).isEmpty();
  }

  @Test
  void aMillisecondBeforeTheLastTimeAnnouncedIsEarly() {
    Kept input = run.input("sms", 0);
    run.delayed(input, 400, 400);
    run.delayed(input, 500, 500);
    run.allowedAndTimed(input, 499);

    assertThat(run.violationsOf(new NeverEarly()))
        .singleElement()
        .asString()
        .contains("at allowed-actions-0-0 came out at", "1 ms before its time");
  }
}
