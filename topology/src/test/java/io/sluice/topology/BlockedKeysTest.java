package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of limits that block a key which goes over them. */
class BlockedKeysTest {
  private static final List<String> TWO_A_MINUTE_OR_TEN_OUT =
      List.of(
          "sluice.time.max.ahead=1d",
          "sluice.time.lateness=1d",
          "sluice.limits=login",
          "sluice.limit.login.match.action=login",
          "sluice.limit.login.quota=2/60s",
          "sluice.limit.login.block=10m");

  private Harness harness = with();

  private static Harness with(String... more) {
    List<String> settings = new ArrayList<>(TWO_A_MINUTE_OR_TEN_OUT);
    settings.addAll(List.of(more));
    return new Harness(settings.toArray(String[]::new));
  }

  private void restartWith(String... more) {
    harness.close();
    harness = with(more);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void login(String user, long... afterNoonMs) {
    for (long at : afterNoonMs) harness.send(user, "login", at);
  }

  private static List<String> explained(List<Out> outs) {
    return outs.stream()
        .map(out -> out.header("sluice-reason") + " " + out.header("sluice-retry-after-ms"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"funnel", "sliding-window-log", "sliding-window-counter"})
  void whoGoesOverTheLimitIsRefusedUntilTheBlockEnds(String algorithm) {
    restartWith("sluice.limit.login.algorithm=" + algorithm);
    login("eve", 0, 0, 1_000, 300_000, 600_999, 601_000);
    login("ada", 300_000);

    assertThat(harness.allowed()).hasSize(4);
    List<Out> rejected = harness.rejected();
    assertThat(explained(rejected))
        .containsExactly("over-limit 600000", "blocked 301000", "blocked 1");
    assertThat(rejected.get(1).headers())
        .containsEntry("sluice-verdict", "rejected")
        .containsEntry("sluice-limit", "login")
        .containsEntry("sluice-remaining", "0")
        .containsEntry("sluice-reset-after-ms", "301000");
  }

  @Test
  void aWaitThatIsLongerThanTheBlockIsNamed() {
    restartWith("sluice.limit.login.quota=1/1h", "sluice.limit.login.algorithm=sliding-window-log");
    login("eve", 0, 1_000, 2_000);

    assertThat(explained(harness.rejected()))
        .containsExactly("over-limit 3599000", "blocked 599000");
  }

  @Test
  void anEventThatAnotherLimitRefusesBlocksNobodyHere() {
    restartWith("sluice.limits=login,all", "sluice.limit.all.quota=1/60s");
    login("eve", 0, 1, 60_001);

    assertThat(explained(harness.rejected())).containsExactly("over-limit 59999");
    assertThat(harness.allowed()).hasSize(2);
  }

  @Test
  void aShadowSaysWhomItWouldBlockAndUntilWhen() {
    restartWith("sluice.limit.login.mode=shadow");
    login("eve", 0, 0, 0, 300_000);

    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-shadow"))
        .endsWith(
            "limit=login;verdict=rejected;reason=over-limit;remaining=0;retry-after-ms=600000;reset-after-ms=600000",
            "limit=login;verdict=rejected;reason=blocked;remaining=0;retry-after-ms=300000;reset-after-ms=300000");
  }

  @Test
  void aResetLiftsTheBlock() {
    login("eve", 0, 0, 0, 100_000);
    harness.revise(
        "anew", 200_000, "'limit':'login','for':{'userId':'eve'},'set':{'reset':'true'}");
    login("eve", 199_999, 200_000, 200_000);

    assertThat(explained(harness.rejected()))
        .containsExactly("over-limit 600000", "blocked 500000", "blocked 400001");
    assertThat(harness.allowed()).hasSize(4);
  }

  @Test
  void anotherLengthIsForBlocksThatBeginThen() {
    harness.revise("short", 100_000, "'limit':'login','set':{'block':'1m'}");
    harness.revise("none", 700_000, "'limit':'login','set':{'block':''}");
    login("eve", 0, 0, 0, 599_999);
    login("bob", 100_000, 100_000, 100_000, 159_999, 160_000);
    login("ada", 700_000, 700_000, 700_000, 730_000);

    assertThat(explained(harness.rejected()))
        .containsExactly(
            "over-limit 600000", "blocked 1", "over-limit 60000", "blocked 1", "over-limit 30000");
  }

  @Test
  void aLimitThatIsToDelayBlocksNobodyAnyMore() {
    login("eve", 0, 0, 0);
    harness.revise("wait", 1_000, "'limit':'login','set':{'exceeded':'delay','block':''}");
    login("eve", 1_000);

    assertThat(harness.delayed()).hasSize(1);
  }
}
