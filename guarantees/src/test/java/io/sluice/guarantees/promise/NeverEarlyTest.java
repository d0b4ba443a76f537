package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import java.util.List;
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

  @Test
  void comingAgainWithoutRedisIsEarlyOnlyIfItComesOnce() {
    assertThat(violationsWithoutRedis(true)).hasSize(1);
    assertThat(violationsWithoutRedis(false)).isEmpty();
  }

  private static List<String> violationsWithoutRedis(boolean exactlyOnce) {
    HandMade run = new HandMade(SomeModes.without(Modes.WithoutRedis.ALLOW, exactlyOnce));
    Kept input = run.input("sms", 0);
    run.delayed(input, 500, 500);
    run.allowedWithoutRedisAndTimed(input, 100);
    return run.violationsOf(new NeverEarly());
  }
}
