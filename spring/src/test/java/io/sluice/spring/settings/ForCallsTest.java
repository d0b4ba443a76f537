package io.sluice.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitHours;
import io.sluice.rules.settings.LimitTexts;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForCallsTest {
  @Test
  void aLimitWithOpeningHoursIsNotForCalls() {
    Map<String, String> settings = Map.of("quota", "5/60s", "open", "mon-fri 08:00-20:00");
    Limit limit = LimitTexts.none().read("reply", settings).limit();

    assertThat(ForCalls.problem(limit))
        .contains("a method's limit has no opening hours; open is only for a stream");
    assertThat(ForCalls.problem(limit.with(LimitHours.ALWAYS))).isEmpty();
  }
}
