package io.sluice.rules.revision;

import static io.sluice.rules.revision.Given.at;
import static io.sluice.rules.revision.Given.event;
import static io.sluice.rules.revision.Given.limits;
import static io.sluice.rules.revision.Given.quota;
import static io.sluice.rules.revision.Given.revision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.rules.revision.RevisionStatus.Standing;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitsText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests revisions that can never be in force, and the messages that say why. */
class RefusalsTest {
  private static final String REDIS = "sluice.redis.uri=redis://localhost:6379";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'limit':'reply','set':{'key':'target'}                              | sluice.limit.reply.key=target: cannot change while the application runs, because counts depend on it: it is userId
          'limit':'reply','set':{'distinct':'target','algorithm':'sliding-window-log'} | sluice.limit.reply.distinct=target: cannot change while the application runs, because counts depend on it: it is none
          'limit':'reply','set':{'backend':'redis'}                           | sluice.limit.reply.backend=redis: cannot change while the application runs, because counts depend on it: it is state-store
          'limit':'reply','set':{'qouta':'5/60s'}                             | sluice.limit.reply.qouta: unknown; did you mean sluice.limit.reply.quota?
          'limit':'reply','set':{'verdct':'allow'}                            | sluice.limit.reply.verdct: unknown; did you mean sluice.limit.reply.verdict?
          'limit':'reply','set':{'match.user':'x'}                            | sluice.limit.reply.match.user=x: a field is userId, action, target, topic or attributes.X
          'limit':'reply','set':{'quota':'5'}                                 | sluice.limit.reply.quota=5: a quota is permits/period, such as 5/60s
          'limit':'reply','set':{'verdict':'deny'}                            | sluice.limit.reply.verdict=deny: accepted are allow, reject, meter, pause
          'limit':'reply','set':{'reset':'false'}                             | sluice.limit.reply.reset=false: accepted are true
          'limit':'reply','set':{'reset':null}                                | sluice.limit.reply.reset=null: accepted are true
          'limit':'reply','set':{'enabled':'no'}                              | sluice.limit.reply.enabled=no: accepted are true, false
          'limit':'reply','set':{}                                            | set: has no setting; such as {"quota":"5/60s"}
          'limit':'reply'                                                     | set: has no setting; such as {"quota":"5/60s"}
          'limit':'reply','for':{'userId':'a'},'set':{'enabled':'false'}      | set.enabled: only for a whole limit; for some events set verdict=allow instead
          'limit':'reply','for':{'userId':'a'},'set':{'unless':'dm'}          | set.unless: only for a whole limit; for some events set verdict=allow instead
          'limit':'reply','for':{'userId':'a'},'set':{'open':'mon 08:00-20:00'}| set.open: only for a whole limit; for some events set verdict=allow instead
          'limit':'reply','set':{'match.topic':'sms'}                         | sluice.limit.reply.match.topic=sms: not an input topic: sms; accepted are user-actions
          'limit':'reply','set':{'unless':'reply,,dm'}                        | sluice.limit.reply.unless=reply,,dm: a limit's name is letters, digits, - and _
          'limit':'reply','for':{'target':'a'},'set':{'quota':'1/1s'}         | for.target: accepted are fields of the key of reply: userId
          'limit':'rpely','set':{'quota':'1/1s'}                              | limit=rpely: unknown; did you mean reply? A new limit needs enabled=true
          'limit':'sms','set':{'enabled':'false','quota':'1/1s'}              | limit=sms: unknown; did you mean dm? A new limit needs enabled=true
          'limit':'sms','for':{'userId':'a'},'set':{'verdict':'allow'}        | limit=sms: unknown; did you mean dm? A new limit needs enabled=true
          'limit':'sms','set':{'enabled':'true'}                              | sluice.limit.sms.quota: missing; a quota is permits/period, such as 5/60s
          'limit':'sms','set':{'enabled':'true','quota':'1/1s','key':'target'} | sluice.limit.sms.key=target: the keys of limits on the state store must share userId; or set sluice.limit.sms.backend=redis
          'limit':'*','set':{'verdict':'reject'}                              | for: missing; limit=* needs it, such as {"userId":"eve"}
          'limit':'*','for':{'userId':'a'},'set':{'quota':'1/1s'}             | set.quota: with limit=* accepted are verdict, reset
          'limit':'*','for':{'userId':'a'},'set':{'verdict':'deny'}           | sluice.limit.*.verdict=deny: accepted are allow, reject, meter, pause
          """)
  void isRefusedForGood(String json, String why) {
    LimitsInForce limits = limits().with(revision("a", 1, "{" + json + "}"));

    RevisionStatus status = limits.revision("a", at(0));
    assertThat(status.standing()).isEqualTo(Standing.REFUSED);
    assertThat(status.refusals())
        .containsExactly(new RevisionStatus.Refusal(at(1), LimitRevision.FOR_GOOD, why));
    assertThat(limits.revisions(at(0))).containsExactly(status);
    assertThat(limits.at(at(2))).isSameAs(limits.at(at(0)));
    assertThat(limits.digest(at(2))).isEqualTo(limits.digest(at(0)));
  }

  @Test
  void theSentencesAreThoseOfAConfiguration() {
    String line = "sluice.limit.reply.quota=5/0s";
    LimitsInForce limits =
        limits().with(revision("a", 1, "{'limit':'reply','set':{'quota':'5/0s'}}"));

    ConfigurationException mistake =
        assertThrows(ConfigurationException.class, () -> LimitsText.config(line));
    assertThat(limits.revision("a", at(1)).refusals().get(0).reason())
        .isEqualTo(mistake.mistakes().get(0));
  }

  @Test
  void anEndThatIsNotAfterItsBeginningIsRefused() {
    LimitsInForce limits =
        limits().with(revision("a", 1, 1, "{'limit':'reply','set':{'quota':'1/1s'}}"));

    assertThat(limits.revision("a", at(1)).standing()).isEqualTo(Standing.REFUSED);
    assertThat(limits.revision("a", at(1)).refusals().get(0).reason())
        .isEqualTo("until=" + at(1) + ": must be after effectiveAt, which is " + at(1));
    assertThat(quota(limits, "reply", event("ada"), 1)).isEqualTo("5/60s");
  }

  @Test
  void theStateStoreIsNotUsedForTheFirstTimeWhileItRuns() {
    String[] redisOnly = {
      REDIS, "sluice.limit.reply.backend=redis", "sluice.limit.dm.backend=redis"
    };
    String fallBack = "{'limit':'reply','set':{'redis.unavailable':'state-store'}}";
    String added = "{'limit':'sms','set':{'enabled':'true','quota':'1/1s'}}";

    assertThat(reason(limits(redisOnly).with(revision("a", 1, fallBack))))
        .isEqualTo(
            "sluice.limit.reply.redis.unavailable=state-store: no limit uses the state store yet,"
                + " and its first use needs a restart: set it in the configuration file");
    assertThat(reason(limits(redisOnly).with(revision("a", 1, added))))
        .startsWith("sluice.limit.sms.backend=state-store: no limit uses the state store yet");
    LimitsInForce one =
        limits(REDIS, "sluice.limit.reply.backend=redis").with(revision("a", 1, fallBack));
    assertThat(one.revision("a", at(1)).standing()).isEqualTo(Standing.IN_FORCE);
  }

  @Test
  void aNewLimitInRedisNeedsOne() {
    String added =
        "{'limit':'sms','set':{'enabled':'true','quota':'1/1s','backend':'redis','key':''}}";
    LimitsInForce with = limits(REDIS).with(revision("a", 1, added));
    LimitsInForce without = limits().with(revision("a", 1, added));

    assertThat(with.revision("a", at(1)).standing()).isEqualTo(Standing.IN_FORCE);
    assertThat(reason(without))
        .isEqualTo("sluice.limit.sms.backend=redis: the configuration has no sluice.redis.uri");
  }

  @Test
  void onAClusterCountsStayInOnePlace() {
    String[] cluster = {
      "sluice.redis.uri=redis://a:1,redis://b:2",
      "sluice.limit.dm.backend=redis",
      "sluice.limit.dm.key=target",
      "sluice.limit.dm.match.action=dm"
    };
    String added =
        "{'limit':'sms','set':{'enabled':'true','quota':'1/1s','backend':'redis','key':'%s'}}";

    assertThat(reason(limits(cluster).with(revision("a", 1, added.formatted("userId")))))
        .isEqualTo(
            "sluice.limit.sms.key=userId: on a Redis Cluster the limits of an event must count in"
                + " one place: give all of them keys with userId, or the same key as dm");
    LimitsInForce same = limits(cluster).with(revision("a", 1, added.formatted("target")));
    assertThat(same.revision("a", at(1)).standing()).isEqualTo(Standing.IN_FORCE);
  }

  @Test
  void aLimitThatWasAddedKeepsItsKeyForGood() {
    String set = "{'limit':'sms','set':{'enabled':'true','quota':'1/1s','key':'%s'}}";
    LimitsInForce limits =
        limits()
            .with(revision("a", 1, 2, set.formatted("userId")))
            .with(revision("b", 3, set.formatted("target,userId")))
            .with(revision("c", 4, set.formatted("userId")));

    assertThat(limits.revision("b", at(3)).refusals().get(0).reason())
        .startsWith("sluice.limit.sms.key=target,userId: cannot change");
    assertThat(limits.revision("c", at(4)).standing()).isEqualTo(Standing.IN_FORCE);
    assertThat(limits.at(at(3)).all()).hasSize(2);
  }

  @Test
  void aReferenceIsNeitherFollowedNorShown() {
    LimitsInForce limits =
        limits().with(revision("a", 1, "{'limit':'reply','set':{'quota':'${env:HOME}'}}"));

    assertThat(reason(limits))
        .startsWith("sluice.limit.reply.quota=${env:HOME}: a quota is permits/period");
  }

  private static String reason(LimitsInForce limits) {
    return limits.revision("a", at(1)).refusals().get(0).reason();
  }
}
