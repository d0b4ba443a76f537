package io.sluice.live.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.live.LimitLines;
import io.sluice.live.change.Ramp.Growth;
import io.sluice.live.change.Ramp.Step;
import io.sluice.rules.settings.LimitTexts;
import java.util.List;
import org.junit.jupiter.api.Test;

class RampTest {
  private static final LimitTexts TEXTS =
      LimitLines.of("sluice.limits=sms", "sluice.limit.sms.quota=1/2s").texts();

  private static List<Step> steps(String from, String to, String over, int steps, Growth growth) {
    RequestedChanges.Steps given = new RequestedChanges.Steps(from, to, over, steps, growth.name());
    return Ramp.of(TEXTS, "sms", given, name -> "--" + name).steps();
  }

  @Test
  void byRatioEachStepIsTheOneBeforeTimesTheSame() {
    assertThat(steps("100/1h", "10_000/1h", "3d", 3, Growth.RATIO))
        .containsExactly(
            new Step(0, "100/1h"),
            new Step(86_400_000, "1000/1h"),
            new Step(172_800_000, "10000/1h"));
    assertThat(steps("8/1h", "1/1h", "4h", 4, Growth.RATIO))
        .extracting(Step::quota)
        .containsExactly("8/1h", "4/1h", "2/1h", "1/1h");
  }

  @Test
  void byPermitsEachStepHasTheSameNumberMore() {
    assertThat(steps("100/1h", "400/1h", "1s", 4, Growth.PERMITS))
        .containsExactly(
            new Step(0, "100/1h"),
            new Step(250, "200/1h"),
            new Step(500, "300/1h"),
            new Step(750, "400/1h"));
  }

  @Test
  void aStepThatChangesNothingIsLeftOut() {
    assertThat(steps("1/1h", "3/1h", "14d", 14, Growth.PERMITS))
        .extracting(Step::quota)
        .containsExactly("1/1h", "2/1h", "3/1h");
  }

  @Test
  void everythingThatIsWrongIsFoundAtOnce() {
    assertThatThrownBy(() -> steps("0/1h", "x", "1parsec", 1, Growth.RATIO))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("sluice.limit.sms.quota=0/1h: ")
        .hasMessageContaining("sluice.limit.sms.quota=x: ")
        .hasMessageContaining("--over: a period is ")
        .hasMessageContaining("--steps 1: accepted are 2 to 500");
    assertThatThrownBy(() -> steps("1/1h", "100/1d", "1d", 2, Growth.RATIO))
        .hasMessage("--from 1/1h and --to 100/1d: must have the same period");
    assertThatThrownBy(() -> steps("1/day", "100/24h", "1d", 2, Growth.RATIO))
        .hasMessage("--from 1/day and --to 100/24h: must have the same period");
    assertThatThrownBy(() -> steps("1/1h", "100/1h", "2ms", 3, Growth.RATIO))
        .hasMessageStartingWith("--over 2ms: accepted are ");
    assertThatThrownBy(() -> steps("1/1h", "100/1h", "-3d", 3, Growth.RATIO))
        .isInstanceOf(InvalidChangeException.class);
  }
}
