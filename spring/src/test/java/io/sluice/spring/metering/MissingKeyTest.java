package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.limit.Limit;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.Fallback;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.settings.ConfiguredLimits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Tests of calls whose key has an empty text. */
class MissingKeyTest {
  private static Claims claims(String field, String missing, String mode, String value) {
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> settings =
        Map.of(
            "sluice.limit.page.quota",
            "5/1s",
            "sluice.limit.page.key",
            field,
            "sluice.limit.page.mode",
            mode,
            "sluice.limit.page." + (field.equals("userId") ? "burst" : "key.missing"),
            missing);
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    ConfiguredLimits configured = ConfiguredLimits.of(environment);
    assertThat(configured.mistakes()).isEmpty();
    Limit limit = configured.limits().get("page");
    MethodLimit ofMethod = new MethodLimit("page", limit, null, "", Fallback.NONE);
    Ask ask = new Ask(ofMethod, limit.key().event(List.of(value)));
    return Claims.of(List.of(ask), configured.written(), 1_700_000_000_000L);
  }

  @ParameterizedTest
  @CsvSource({
    "attributes.ip, skip, enforce, '', 0, 0",
    "attributes.ip, share, enforce, '', 1, 0",
    "attributes.ip, reject, enforce, '', 0, 1",
    "attributes.ip, reject, shadow, '', 0, 0",
    "attributes.ip, reject, enforce, 192.0.2.1, 1, 0",
    "attributes.ip, skip, enforce, 192.0.2.1, 1, 0",
    "userId, 5, enforce, '', 1, 0"
  })
  void theLimitMetersDeniesOrSkipsTheCall(
      String field, String missing, String mode, String value, int metered, int denying) {
    Claims claims = claims(field, missing, mode, value);

    assertThat(claims.metered()).hasSize(metered);
    assertThat(claims.denying()).hasSize(denying);
  }
}
