package io.sluice.live.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.live.LimitLines;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionalKeyWarningTest {
  private final LimitsInForce limits =
      LimitsInForce.of(
          LimitLines.of(
              "sluice.limits=reply,ip,seen",
              "sluice.limit.reply.quota=5/60s",
              "sluice.limit.ip.key=userId,attributes.ip",
              "sluice.limit.ip.quota=50/60s",
              "sluice.limit.seen.key=userId,attributes.net",
              "sluice.limit.seen.match.attributes.net=*",
              "sluice.limit.seen.quota=50/60s"));

  private Optional<String> warning(String limit, Map<String, String> texts) {
    Settings settings = new Settings(texts, Set.of());
    LimitRevision draft =
        new LimitRevision(
            limit, limit, Scope.WHOLE, settings, 1_000, LimitRevision.FOR_GOOD, "", "");
    return RevisionPublisher.optionalKey(draft, limits, limits.with(draft));
  }

  @Test
  void aChangeThatMakesAFieldOfTheKeyOptionalWarns() {
    String warning =
        "key.missing is not set, so the limit does not apply to events without attributes.net, and"
            + " a producer that omits it passes the limit; set skip, share (as before 0.3) or"
            + " reject";
    Map<String, String> added =
        Map.of("enabled", "true", "quota", "1/1s", "key", "userId,attributes.net");
    assertThat(warning("new", added)).contains("new: " + warning);
    assertThat(warning("seen", Map.of("match.attributes.net", "!x"))).contains("seen: " + warning);
    assertThat(
            warning(
                "new",
                Map.of(
                    "enabled",
                    "true",
                    "quota",
                    "1/1s",
                    "distinct",
                    "attributes.net",
                    "algorithm",
                    "sliding-window-log")))
        .contains("new: " + warning);
  }

  @Test
  void noOtherChangeWarns() {
    assertThat(warning("ip", Map.of("quota", "9/60s"))).as("the start has warned").isEmpty();
    assertThat(warning("reply", Map.of("quota", "9/60s"))).isEmpty();
    assertThat(warning("ip", Map.of("enabled", "false"))).isEmpty();
    Map<String, String> chosen =
        Map.of(
            "enabled",
            "true",
            "quota",
            "1/1s",
            "key",
            "userId,attributes.net",
            "key.missing",
            "skip");
    assertThat(warning("new", chosen)).isEmpty();
    Map<String, String> matched =
        Map.of(
            "enabled",
            "true",
            "quota",
            "1/1s",
            "key",
            "userId,attributes.net",
            "match.attributes.net",
            "*");
    assertThat(warning("new", matched)).isEmpty();
  }
}
