package io.sluice.guarantees.promise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
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

  /**
   * An early release is only certain with exactly once: with at least once, the announcement may be
   * of another try.
   */
  @Test
  void whatIsAllowedAtOnceIsEarlyOnlyIfItComesOnce() {
    assertThat(allowedAtOnce(Modes.plain())).hasSize(1);
    assertThat(allowedAtOnce(SomeModes.atLeastOnce())).isEmpty();
  }

  private static List<String> allowedAtOnce(Modes modes) {
    HandMade run = new HandMade(modes);
    Kept input = run.input("sms", 0);
    run.delayed(input, 500, 500);
    run.allowedAndTimed(input, 100);
    return run.violationsOf(new NeverEarly());
  }

  @Test
  void atLeastOnceItsOwnHeaderSaysWhenItIsEarly() {
    HandMade run = new HandMade(SomeModes.atLeastOnce());
    Kept input = run.input("sms", 0);
    run.delayed(input, 400, 400);
    run.releasedAndTimed(input, 500, 500);
    run.releasedAndTimed(input, 500, 499);

    assertThat(run.violationsOf(new NeverEarly())).hasSize(1);
  }

  @Test
  void anEstimateForAnEventInLineIsNoPromise() {
    Kept input = run.inputOf("ann", "home", "parcel", 1);
    run.queued(input, 0, 500);
    run.allowedAndTimed(input, 100);

    assertThat(run.violationsOf(new NeverEarly())).isEmpty();
  }

  @Test
  void anEstimateIsNoPromiseWithAtLeastOnceEither() {
    HandMade run = new HandMade(SomeModes.atLeastOnce());
    Kept input = run.inputOf("ann", "home", "parcel", 1);
    Kept announced = run.queued(input, 0, 500);
    announced.record().headers().add(Verdicts.ATTEMPT, "1".getBytes(UTF_8));
    Kept left = run.allowedAndTimed(input, 100);
    left.record().headers().add(Verdicts.ATTEMPT, "2".getBytes(UTF_8));

    assertThat(run.violationsOf(new NeverEarly())).isEmpty();
  }
}
