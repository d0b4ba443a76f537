package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.server.web.JsonText;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KeyAnswerTest {
  private static final long NOW_MS = 1_780_000_000_000L;

  private static final String[] PLANS = {
    "sluice.limits=free,pro,ann,rest,day,night",
    "sluice.limit.free.match.attributes.plan=free",
    "sluice.limit.free.quota=5/60s",
    "sluice.limit.pro.match.attributes.plan=pro",
    "sluice.limit.pro.quota=50/60s",
    "sluice.limit.ann.match.userId=ann",
    "sluice.limit.ann.quota=9/60s",
    "sluice.limit.rest.unless=ann",
    "sluice.limit.rest.quota=7/60s",
    "sluice.limit.day.quota=5/60s",
    "sluice.limit.day.open=mon-sun 08:00-20:00",
    "sluice.limit.night.quota=5/60s",
    "sluice.limit.night.open=mon-sun 20:00-20:20, mon-sun 22:00-06:00",
    "sluice.limit.night.exceeded=delay",
    "sluice.limit.night.delay.max=8h"
  };

  private static String answer(String limit, String user, String... revisions) throws Exception {
    Judgement conforming = new Judgement(NOW_MS * 1_000, new Decision.Conforming(4, 0));
    return answer(conforming, limit, user, revisions);
  }

  private static String answer(Judgement judgement, String limit, String user, String... revisions)
      throws Exception {
    return answer(PLANS, judgement, limit, user, revisions);
  }

  private static String answer(
      String[] plans, Judgement judgement, String limit, String user, String... revisions)
      throws Exception {
    SluiceConfig config = SluiceConfig.of(SettingLines.kafka(plans));
    LimitsInForce limits = LimitsInForce.of(config.limitsConfig());
    for (String each : revisions) {
      LimitRevision read = new RevisionReader().ofLine(each.replace('\'', '"'), 1);
      limits = limits.with(read);
    }
    Limit asked =
        limits.at(NOW_MS).all().stream()
            .filter(each -> each.name().equals(limit))
            .findAny()
            .orElseThrow();
    KeyQuery question = KeyQuery.of(limits, asked, List.of(user), NOW_MS);
    KeyStatus found =
        new KeyStatus(judgement, List.of(), KeyStatus.Role.ACTIVE, OptionalLong.empty());
    return JsonText.of(KeyAnswer.of(question, asked.match().toString(), found, "here:1"));
  }

  private static String block(String until) {
    return "{'id':'r1','limit':'*','for':{'userId':'bob'},'set':{'verdict':'reject'},"
        + "'effectiveAt':"
        + (NOW_MS - 1_000)
        + until
        + ",'by':'ops','note':'spam'}";
  }

  @Test
  void aDeniedKeyIsAllowedAgainWhenTheDenialEnds() throws Exception {
    assertThat(answer("free", "bob", block(",'until':" + (NOW_MS + 60_000))))
        .contains(
            "\"verdict\":\"denied\"",
            "\"retryAfterMs\":60000",
            "\"blockedUntilMs\":" + (NOW_MS + 60_000),
            "\"by\":\"ops\"",
            "\"note\":\"spam\"");
  }

  private static String pause(String id, String until) {
    return "{'id':'%s','limit':'line','set':{'verdict':'pause'},'effectiveAt':%d%s}"
        .formatted(id, NOW_MS - 1_000, until);
  }

  @Test
  void aPausedKeyWaitsForTheEndOfThePause() throws Exception {
    String[] plans = {
      "sluice.limits=line", "sluice.limit.line.quota=5/60s", "sluice.limit.line.exceeded=queue"
    };
    Judgement conforming = new Judgement(NOW_MS * 1_000, new Decision.Conforming(4, 0));
    String until = pause("p1", ",'until':" + (NOW_MS + 60_000));
    assertThat(answer(plans, conforming, "line", "ada", until))
        .contains(
            "\"verdict\":\"delayed\"",
            "\"retryAfterMs\":60000",
            "\"pauses\":[{\"limit\":\"line\",\"for\":\"\",\"untilMs\":" + (NOW_MS + 60_000) + "}]");
    assertThat(answer(plans, conforming, "line", "ada", until, pause("p2", "")))
        .contains(
            "\"verdict\":\"delayed\"",
            "\"retryAfterMs\":null",
            "\"pauses\":[{\"limit\":\"line\",\"for\":\"\"}]");
    assertThat(answer("day", "ada")).doesNotContain("pauses");
  }

  @Test
  void ofADenialForGoodNoWaitIsTold() throws Exception {
    assertThat(answer("free", "bob", block("")))
        .contains("\"verdict\":\"denied\"", "\"retryAfterMs\":null", "\"blockedUntilMs\":null");
  }

  @Test
  void aDenialForGoodOutlastsAnotherThatEnds() throws Exception {
    String every = "'limit':'*'";
    String free = "'limit':'free'";
    String ends = block(",'until':" + (NOW_MS + 60_000));
    String endless = block("").replace("'r1'", "'r2'");
    for (List<String> both :
        List.of(
            List.of(ends, endless.replace(every, free)),
            List.of(ends.replace(every, free), endless),
            List.of(endless, ends))) {
      assertThat(answer("free", "bob", both.toArray(String[]::new)))
          .contains("\"verdict\":\"denied\"", "\"blockedUntilMs\":null");
    }
  }

  @Test
  void aDenialEndsWithItsLimit() throws Exception {
    String disabled =
        "{'id':'r2','limit':'free','set':{'enabled':'false'},'effectiveAt':%d}"
            .formatted(NOW_MS + 30_000);
    String ends = block(",'until':" + (NOW_MS + 60_000));
    assertThat(answer("free", "bob", ends, disabled))
        .contains("\"verdict\":\"denied\"", "\"blockedUntilMs\":" + (NOW_MS + 60_000));
  }

  @Test
  void ofTwoDenialsTheLastEndIsTold() throws Exception {
    String sooner = block(",'until':" + (NOW_MS + 60_000));
    String later = block(",'until':" + (NOW_MS + 90_000)).replace("'limit':'*'", "'limit':'free'");
    assertThat(answer("free", "bob", sooner, later.replace("'r1'", "'r2'")))
        .contains("\"verdict\":\"denied\"", "\"blockedUntilMs\":" + (NOW_MS + 90_000));
  }

  @Test
  void theEndOfABlockIsRoundedUp() throws Exception {
    Decision blocked = new Decision.Blocked(1_000, 1_000);
    assertThat(answer(new Judgement(NOW_MS * 1_000 + 500, blocked), "free", "ada"))
        .contains("\"retryAfterMs\":1,", "\"blockedUntilMs\":" + (NOW_MS + 2));
  }

  @Test
  void aKeyThatIsNotDeniedMayComeNow() throws Exception {
    assertThat(answer("free", "ada", block("")))
        .contains("\"verdict\":\"allowed\"", "\"retryAfterMs\":0");
  }

  /** Now is 20:26:40 in UTC. */
  @Test
  void aClosedLimitIsAnsweredWithItsOpening() throws Exception {
    long opensInMs = (11 * 3_600 + 33 * 60 + 20) * 1_000;
    assertThat(answer("day", "ada"))
        .contains(
            "\"verdict\":\"rejected\"",
            "\"used\":1,\"remaining\":4,\"retryAfterMs\":" + opensInMs,
            "\"closedUntilMs\":" + (NOW_MS + opensInMs));
    assertThat(answer("night", "ada"))
        .contains("\"verdict\":\"delayed\"", "\"retryAfterMs\":5600000,");
    assertThat(answer("free", "ada")).doesNotContain("closedUntilMs");
  }

  @Test
  void aClosedLimitThatIsUsedUpIsAnsweredWithTheLaterTime() throws Exception {
    Decision over = new Decision.NonConforming(0, 100_000_000_000L, 200_000_000_000L);
    assertThat(answer(new Judgement(NOW_MS * 1_000, over), "day", "ada"))
        .contains("\"retryAfterMs\":100000000,\"resetAfterMs\":200000000");
    Decision soon = new Decision.NonConforming(0, 1_000, 2_000);
    assertThat(answer(new Judgement(NOW_MS * 1_000, soon), "day", "ada"))
        .contains("\"retryAfterMs\":41600000,\"resetAfterMs\":41600000");
  }

  @Test
  void theAnswerSaysWhichEventsOfTheKeyTheLimitIsFor() throws Exception {
    assertThat(answer("free", "ada"))
        .contains("\"match\":\"attributes.plan=free\"", "\"applies\":\"some\"");
    assertThat(answer("ann", "ada")).contains("\"applies\":\"none\"");
    assertThat(answer("ann", "ann")).contains("\"applies\":\"all\"");
    assertThat(answer("rest", "ada")).contains("\"applies\":\"all\"");
    assertThat(answer("rest", "ann")).contains("\"applies\":\"none\"");
  }
}
