package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of limits that change while events are metered. */
class LiveLimitsTest {
  private Harness harness = new Harness("sluice.limits=post", "sluice.limit.post.quota=5/60s");

  private void with(String... settings) {
    harness.close();
    harness = new Harness(settings);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void post(String user, int count, long afterNoonMs) {
    for (int i = 0; i < count; i++) harness.send(user, "post", afterNoonMs);
  }

  private List<String> reasons() {
    return harness.rejected().stream().map(out -> out.header("sluice-reason")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "funnel, 60s",
    "sliding-window-log, 60s",
    "sliding-window-counter, 60s",
    "calendar-window, hour"
  })
  void raisingGivesTheDifferenceAtOnce(String algorithm, String period) {
    with(
        "sluice.limits=post",
        "sluice.limit.post.quota=5/" + period,
        "sluice.limit.post.algorithm=" + algorithm);
    post("ada", 6, 0);
    harness.revise("more", 1, "'limit':'post','set':{'quota':'10/" + period + "'}");
    post("ada", 6, 1);
    assertThat(harness.allowed()).hasSize(10);
    assertThat(harness.rejected()).hasSize(2);
  }

  @Test
  void loweringAndRaisingLeavesWhatIsUsed() {
    post("ada", 4, 0);
    harness.revise("less", 1, "'limit':'post','set':{'quota':'2/60s'}");
    post("ada", 1, 1);
    harness.revise("more", 2, "'limit':'post','set':{'quota':'5/60s'}");
    post("ada", 2, 2);
    assertThat(harness.allowed()).hasSize(5);
    assertThat(harness.rejected()).hasSize(2);
  }

  @Test
  void anEventIsJudgedByWhatHeldWhenItHappened() {
    harness.revise("one", 1_000, "'limit':'post','set':{'quota':'1/60s'}");
    post("ada", 1, 1_000);
    post("bob", 2, 999);
    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-remaining"))
        .containsExactly("0", "4", "3");
  }

  @Test
  void oneUserMayHaveMore() {
    harness.revise("shop", 0, "'limit':'post','for':{'userId':'shop-7'},'set':{'quota':'7/60s'}");
    post("shop-7", 8, 0);
    post("ada", 8, 0);
    assertThat(harness.allowed()).hasSize(12);
  }

  @Test
  void aBlockedUserIsDeniedWhateverSheDoes() {
    harness.revise("eve", 10, "'limit':'*','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    post("eve", 1, 9);
    post("eve", 1, 10);
    harness.send("eve", "what no limit matches", 11);
    assertThat(harness.allowed()).hasSize(1);
    List<Out> rejected = harness.rejected();
    assertThat(rejected)
        .extracting(out -> out.header("sluice-reason"))
        .containsExactly("denied", "denied");
    assertThat(rejected.get(0).header("sluice-limit")).isEqualTo("post");
    assertThat(rejected.get(0).headers()).doesNotContainKey("sluice-remaining");
  }

  @Test
  void aDeniedEventIsChargedNowhere() {
    with("sluice.limits=post,all", "sluice.limit.post.quota=5/60s", "sluice.limit.all.quota=2/60s");
    harness.revise("no", 0, "'limit':'post','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    harness.revise("yes", 5, "'limit':'post','for':{'userId':'eve'},'set':{'verdict':'meter'}");
    post("eve", 3, 0);
    post("eve", 3, 5);
    assertThat(reasons()).containsExactly("denied", "denied", "denied", "over-limit");
    assertThat(harness.allowed()).hasSize(2);
  }

  @Test
  void withoutTheOtherLimitTheGeneralOneHoldsAgainFromThatInstantOn() {
    with(
        "sluice.limits=post,vip",
        "sluice.limit.post.quota=1/60s",
        "sluice.limit.post.unless=vip",
        "sluice.limit.vip.quota=3/60s",
        "sluice.limit.vip.match.userId=vip*");
    harness.revise("no", 1_000, "'limit':'vip','set':{'enabled':'false'}");
    post("vip-1", 2, 999);
    post("vip-1", 2, 1_000);
    harness.revise("yes", 2_000, "'limit':'vip','set':{'enabled':null}");
    post("vip-2", 4, 2_000);
    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-limit"))
        .containsExactly("vip", "vip", "post", "vip", "vip", "vip");
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-limit"))
        .containsExactly("post", "vip");
  }

  @Test
  void whatALimitLeavesToOthersChangesWithTime() {
    with(
        "sluice.limits=post,vip",
        "sluice.limit.post.quota=1/60s",
        "sluice.limit.vip.quota=3/60s",
        "sluice.limit.vip.match.userId=vip");
    harness.revise("un", 1_000, "'limit':'post','set':{'unless':'vip'}");
    harness.revise("watch", 2_000, "'limit':'vip','set':{'mode':'shadow'}");
    post("vip", 2, 999);
    post("vip", 2, 1_000);
    post("vip", 1, 2_000);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-limit"))
        .containsExactly("post", "post");
  }

  @Test
  void anEventThatTheOtherLimitExemptsIsNotHeldByTheGeneralOne() {
    with(
        "sluice.limits=post,vip",
        "sluice.limit.post.quota=1/60s",
        "sluice.limit.post.unless=vip",
        "sluice.limit.vip.quota=3/60s",
        "sluice.limit.vip.match.userId=vip,eve");
    harness.revise("free", 0, "'limit':'vip','for':{'userId':'vip'},'set':{'verdict':'allow'}");
    harness.revise("out", 0, "'limit':'vip','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    post("vip", 9, 0);
    post("eve", 1, 0);
    assertThat(harness.allowed()).hasSize(9);
    assertThat(reasons()).containsExactly("denied");
  }

  @Test
  void anExemptUserIsNotMeteredAndCountsAsMatched() {
    with(
        "sluice.limits=post",
        "sluice.unmatched=reject",
        "sluice.limit.post.quota=1/60s",
        "sluice.limit.post.match.action=post");
    harness.revise("vip", 0, "'limit':'post','for':{'userId':'vip'},'set':{'verdict':'allow'}");
    for (int i = 0; i < 3; i++) harness.send("vip", "post", 0, "\"eventId\":\"same\"");
    assertThat(harness.allowed()).hasSize(3);
    harness.send("vip", "other", 0);
    assertThat(reasons()).containsExactly("unmatched");
  }

  @Test
  void aLimitsOwnVerdictWinsOverThatForAll() {
    harness.revise("all", 0, "'limit':'*','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    harness.revise("own", 0, "'limit':'post','for':{'userId':'eve'},'set':{'verdict':'meter'}");
    post("eve", 6, 0);
    assertThat(harness.allowed()).hasSize(5);
    assertThat(reasons()).containsExactly("over-limit");
  }

  @Test
  void aLimitThatOnlyWatchesDeniesNobody() {
    with("sluice.limits=post", "sluice.limit.post.quota=5/60s", "sluice.limit.post.mode=shadow");
    harness.revise("no", 0, "'limit':'post','set':{'verdict':'reject'}");
    post("ada", 1, 0);
    assertThat(harness.allowed()).hasSize(1);
    harness.revise("eve", 0, "'limit':'*','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    post("eve", 1, 0);
    assertThat(reasons()).containsExactly("denied");
  }

  @Test
  void aLimitIsAddedAndTakenAway() {
    with(
        "sluice.limits=post",
        "sluice.limit.post.quota=5/60s",
        "sluice.limit.post.match.action=post");
    harness.revise(
        "add", 10, "'limit':'dm','set':{'enabled':'true','quota':'1/60s','match.action':'dm'}");
    harness.revise("end", 20, "'limit':'dm','set':{'enabled':'false'}");
    for (long at : List.of(9, 9, 10, 10, 20, 20)) harness.send("ada", "dm", at);
    assertThat(harness.rejected())
        .singleElement()
        .satisfies(out -> assertThat(out.header("sluice-limit")).isEqualTo("dm"))
        .satisfies(out -> assertThat(out.text()).contains("" + (Harness.NOON_MS + 10)));
    assertThat(harness.allowed())
        .extracting(out -> out.headers().containsKey("sluice-limit"))
        .containsExactly(false, false, true, false, false);
  }

  @Test
  void aResetGivesEverythingBackOnce() {
    post("ada", 6, 0);
    harness.revise("anew", 5, "'limit':'post','for':{'userId':'ada'},'set':{'reset':'true'}");
    post("ada", 6, 5);
    assertThat(harness.allowed()).hasSize(10);
  }

  @Test
  void aResetOfAllLimitsReachesEach() {
    post("ada", 6, 0);
    harness.revise("anew", 5, "'limit':'*','for':{'userId':'ada'},'set':{'reset':'true'}");
    post("ada", 6, 5);
    assertThat(harness.allowed()).hasSize(10);
  }

  /**
   * A reset for another field does not reset the user's own count, even if her event has that
   * field.
   */
  @Test
  void aResetByOtherFieldsThanTheKeyHasResetsNothing() {
    post("ada", 6, 0);
    harness.revise("anew", 5, "'limit':'*','for':{'target':'bob'},'set':{'reset':'true'}");
    harness.send("ada", "post", 5, "\"target\":\"bob\"");
    assertThat(harness.allowed()).hasSize(5);
  }

  @Test
  void anotherAlgorithmBeginsAnew() {
    post("ada", 6, 0);
    harness.revise("log", 5, "'limit':'post','set':{'algorithm':'sliding-window-log'}");
    post("ada", 6, 5);
    harness.revise("back", 10, "'limit':'post','set':{'algorithm':'funnel'}");
    post("ada", 6, 10);
    assertThat(harness.allowed()).hasSize(15);
  }

  @Test
  void whoIsMadeToWaitLeavesInOrder() {
    harness.revise(
        "wait",
        0,
        "'limit':'post','for':{'userId':'ada'},'set':{'exceeded':'delay','delay.max':'10m'}");
    post("ada", 7, 0);
    assertThat(harness.delayed())
        .extracting(out -> out.header("sluice-release-at-ms"))
        .containsExactly("" + (Harness.NOON_MS + 12_000), "" + (Harness.NOON_MS + 24_000));
    harness.revise("more", 1, "'limit':'post','set':{'quota':'50/60s'}");
    post("ada", 1, 1);
    assertThat(harness.delayed()).hasSize(1); // a later event does not overtake the delayed one
  }

  @Test
  void whatIsDelayedStaysSo() {
    with("sluice.limits=post", "sluice.limit.post.quota=1/60s", "sluice.limit.post.exceeded=delay");
    post("ada", 2, 0);
    harness.revise("no", 1, "'limit':'post','set':{'verdict':'reject'}");
    harness.runTo(61_000);
    assertThat(harness.allowed()).hasSize(2);
  }

  @Test
  void whatWasUsedAtAFastRateDrainsAtASlowOneForAsLongAsThatTakes() {
    with("sluice.limits=post", "sluice.limit.post.quota=60/60s");
    harness.revise(
        "less", 50_000, "'limit':'post','for':{'userId':'ada'},'set':{'quota':'1/1h','burst':'1'}");
    post("ada", 60, 0);
    long laterMs = 50_000 + Duration.ofHours(3).toMillis(); // 10 permits were still in use
    harness.advanceWall(Duration.ofMillis(laterMs));
    post("ada", 1, laterMs);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("" + Duration.ofHours(7).toMillis());
  }

  @Test
  void whatWasReservedCountsUnderALimitThatDelaysNoMore() {
    with("sluice.limits=post", "sluice.limit.post.quota=1/60s", "sluice.limit.post.exceeded=delay");
    harness.revise("wait", 0, "'limit':'post','for':{'userId':'ada'},'set':{'delay.max':'1h'}");
    harness.revise(
        "no",
        1_200_000,
        "'limit':'post','for':{'userId':'ada'},'set':{'exceeded':'reject','delay.max':null,'quota':'10/60s'}");
    post("ada", 60, 0); // until 13:00; 40 of them remain at 12:20 and last until 12:24
    harness.advanceWall(Duration.ofMinutes(23));
    post("ada", 1, 1_380_000);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("6000");
  }
}
