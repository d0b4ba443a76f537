package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.mistakes;
import static io.sluice.topology.config.ConfigText.with;
import static io.sluice.topology.config.ConfigText.without;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.settings.ConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of invalid configurations, one rule in each test. */
class ConfigMistakesTest {
  @Test
  void everyMistakeIsReportedInTheOrderOfTheKeys() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("sluice.time", "evnt");
    texts.put("sluice.limits", "reply");
    texts.put("sluice.limit.reply.quota", "5/fortnight");
    texts.put("sluice.limit.reply.key", "userid");
    texts.put("bootstrap.servers", "localhost:9092");
    texts.put("sluice.topics.partitions", "none");

    assertThat(mistakes(texts))
        .containsExactly(
            "sluice.time=evnt: accepted are event, wall",
            "sluice.limit.reply.quota=5/fortnight: a quota's period is 500ms, 60s, 10m, 1h, 1d,"
                + " ISO-8601 such as PT1M, or hour, day, week, month or year",
            "sluice.limit.reply.key=userid: a field is userId, action, target, topic or"
                + " attributes.X",
            "sluice.topics.partitions=none: a whole number, at least 1",
            "application.id: missing; such as application.id=sluice");
  }

  @Test
  void anUnknownKeyIsAnsweredWithTheNearest() {
    assertThat(mistakes("sluice.limit.reply.qouta=5/60s"))
        .containsExactly(
            "sluice.limit.reply.qouta: unknown; did you mean sluice.limit.reply.quota?");
    assertThat(mistakes("sluice.limts=reply"))
        .containsExactly("sluice.limts: unknown; did you mean sluice.limits?");
    assertThat(mistakes("sluice.limits.reply.burst=5"))
        .containsExactly(
            "sluice.limits.reply.burst: unknown; did you mean sluice.limit.reply.burst?");
    assertThat(mistakes("sluice.limit.reply.match=reply"))
        .containsExactly(
            "sluice.limit.reply.match: unknown; did you mean sluice.limit.reply.match.action?");
    assertThat(mistakes("sluice.redis.url=redis://me:secret@localhost"))
        .containsExactly("sluice.redis.url: unknown; did you mean sluice.redis.uri?");
  }

  @Test
  void aLimitMustBeListed() {
    assertThat(mistakes("sluice.limit.post.quota=5/60s", "sluice.limit.post.burst=2"))
        .containsExactly("sluice.limit.post.quota: limit post is not in sluice.limits=reply");
    assertThat(mistakes(without("sluice.limit.post.quota=5/60s")))
        .containsExactly(
            "sluice.limit.post.quota: limit post is not in sluice.limits, which lists none");
  }

  @Test
  void theMistakesOfAnUnlistedLimitAreReportedToo() {
    assertThat(mistakes("sluice.limit.post.burst=0"))
        .containsExactly(
            "sluice.limit.post.burst: limit post is not in sluice.limits=reply",
            "sluice.limit.post.burst=0: burst must be 1 to 2147483648");
  }

  @Test
  void aListedLimitNeedsAQuota() {
    assertThat(mistakes("sluice.limits=reply,post"))
        .containsExactly(
            "sluice.limit.post.quota: missing; a quota is permits/period, such as 5/60s");
    assertThat(mistakes("sluice.limits=post,reply", "sluice.limit.post.burst=2", "sluice.time=x"))
        .containsExactly(
            "sluice.limit.post.quota: missing; a quota is permits/period, such as 5/60s",
            "sluice.time=x: accepted are event, wall");
  }

  @Test
  void aLimitIsListedOnce() {
    assertThat(mistakes("sluice.limits=reply,reply"))
        .containsExactly("sluice.limits=reply,reply: reply is listed twice");
  }

  @Test
  void aLimitsNameHasNoDots() {
    assertThat(mistakes("sluice.limits=re.ply"))
        .containsExactly("sluice.limits=re.ply: a limit's name is letters, digits, - and _");
    assertThat(mistakes("sluice.limits=reply,"))
        .containsExactly("sluice.limits=reply,: a limit's name is letters, digits, - and _");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0/60s", "5/0s", "5", "five/60s", "-5/60s", "5/60", "5/", "3000000000/1s", ""})
  void aQuotaIsPermitsAndAPeriod(String quota) {
    assertThat(mistakes("sluice.limit.reply.quota=" + quota))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.reply.quota=" + quota + ": ");
  }

  @Test
  void zeroPermitsAreImpossible() {
    assertThat(mistakes("sluice.limit.reply.quota=0/60s"))
        .containsExactly("sluice.limit.reply.quota=0/60s: permits must be 1 to 2147483648");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "half", "1.5", "3000000000"})
  void aBurstIsAtLeastOne(String burst) {
    assertThat(mistakes("sluice.limit.reply.burst=" + burst))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.reply.burst=" + burst + ": ");
  }

  @Test
  void aBurstMustDrain() {
    assertThat(mistakes("sluice.limit.reply.quota=1/3000d", "sluice.limit.reply.burst=2"))
        .containsExactly(
            "sluice.limit.reply.burst=2:"
                + " a burst of 2 takes more than 3660d to drain at this rate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding-window-log", "sliding-window-counter"})
  void onlyAFunnelHasABurst(String algorithm) {
    assertThat(mistakes("sluice.limit.reply.burst=3", "sluice.limit.reply.algorithm=" + algorithm))
        .containsExactly(
            "sluice.limit.reply.burst=3: only a funnel has a burst, not a " + algorithm);
  }

  @Test
  void aCalendarsPeriodAndItsAlgorithmGoTogether() {
    for (String other : List.of("funnel", "sliding-window-log", "sliding-window-counter")) {
      assertThat(
              mistakes(
                  "sluice.limit.reply.quota=1000/day", "sluice.limit.reply.algorithm=" + other))
          .containsExactly(
              "sluice.limit.reply.algorithm="
                  + other
                  + ": a quota for a day of the calendar needs a calendar-window; a "
                  + other
                  + " needs a period such as 60s, 1h or 1d");
    }
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=calendar-window", "sluice.limit.reply.exceeded=drop"))
        .containsExactly(
            "sluice.limit.reply.algorithm=calendar-window: a calendar-window needs a quota for an"
                + " hour, day, week, month or year, such as 1000/day",
            "sluice.limit.reply.exceeded=drop: accepted are reject, delay, retry, queue");
    assertThat(
            mistakes(
                "sluice.limit.reply.quota=1/decade",
                "sluice.limit.reply.algorithm=calendar-window",
                "sluice.limit.reply.zone=UTC"))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.reply.quota=1/decade: a quota's period is 500ms, ");
  }

  @Test
  void aCalendarWindowHasNoBurst() {
    assertThat(mistakes("sluice.limit.reply.quota=9/day", "sluice.limit.reply.burst=3"))
        .containsExactly(
            "sluice.limit.reply.burst=3: only a funnel has a burst, not a calendar-window");
  }

  @Test
  void distinctThingsAreCountedByALogThatRejects() {
    assertThat(mistakes("sluice.limit.reply.distinct=target"))
        .containsExactly(
            "sluice.limit.reply.distinct=target: distinct things are counted by a"
                + " sliding-window-log or a hyperloglog, not by a funnel");
    assertThat(mistakes("sluice.limit.reply.distinct=target", "sluice.limit.reply.quota=20/day"))
        .containsExactly(
            "sluice.limit.reply.distinct=target: distinct things are counted by a"
                + " sliding-window-log or a hyperloglog, not by a calendar-window");
    assertThat(
            mistakes(
                "sluice.limit.reply.distinct=target,card",
                "sluice.limit.reply.algorithm=sliding-window-log"))
        .containsExactly(
            "sluice.limit.reply.distinct=target,card:"
                + " a field is userId, action, target, topic or attributes.X");
    assertThat(
            mistakes(
                "sluice.limit.reply.distinct=target",
                "sluice.limit.reply.algorithm=sliding-window-log",
                "sluice.limit.reply.quota=1001/1h",
                "sluice.limit.reply.burst=3",
                "sluice.limit.reply.exceeded=delay",
                "sluice.limit.reply.count=attempts"))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.quota=1001/1h: a sliding-window-log counts up to 1000 distinct"
                + " things; a hyperloglog counts any number",
            "sluice.limit.reply.burst=3: only a funnel has a burst, not a sliding-window-log",
            "sluice.limit.reply.exceeded=delay:"
                + " distinct things can only be counted with exceeded=reject, not with delay",
            "sluice.limit.reply.count=attempts: with distinct, attempts cannot be counted");
  }

  @Test
  void onlyAnOptionalFieldCanBeMissing() {
    assertThat(mistakes("sluice.limit.reply.key.missing=reject"))
        .containsExactly(
            "sluice.limit.reply.key.missing=reject: only applies if key or distinct has target or"
                + " attributes.X; every event has the others");
    assertThat(mistakes("sluice.limit.reply.key=target", "sluice.limit.reply.key.missing=allow"))
        .containsExactly("sluice.limit.reply.key.missing=allow: accepted are skip, share, reject");
    assertThat(mistakes("sluice.limit.reply.key=aim", "sluice.limit.reply.key.missing=skip"))
        .singleElement()
        .matches(line -> line.startsWith("sluice.limit.reply.key=aim: "));
  }

  @Test
  void recordsThatAreNotEventsHaveThreeTreatments() {
    assertThat(mistakes("sluice.tombstones=keep", "sluice.event.missing=skip"))
        .containsExactly(
            "sluice.tombstones=keep: accepted are dead-letter, allow, drop",
            "sluice.event.missing=skip: accepted are dead-letter, allow, drop");
  }

  @Test
  void aHyperloglogNeedsToKnowWhatItCounts() {
    assertThat(mistakes("sluice.limit.reply.algorithm=hyperloglog"))
        .containsExactly(
            "sluice.limit.reply.algorithm=hyperloglog: a hyperloglog counts distinct things: name"
                + " fields in sluice.limit.N.distinct");
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=hyperloglog",
                "sluice.limit.reply.distinct=target",
                "sluice.limit.reply.quota=1_000_000/1d",
                "sluice.limit.reply.exceeded=retry"))
        .containsExactly(
            "sluice.limit.reply.exceeded=retry:"
                + " distinct things can only be counted with exceeded=reject, not with retry");
  }

  @Test
  void aZoneIsOfACalendar() {
    assertThat(mistakes("sluice.limit.reply.zone=Europe/Berlin"))
        .containsExactly(
            "sluice.limit.reply.zone=Europe/Berlin: only applies with a quota for an hour, day,"
                + " week, month or year, such as 1000/day, or with opening hours (open)");
  }

  @Test
  void aZoneOfOpeningHoursMayBeAFieldWithADefault() {
    assertThat(
            mistakes(
                "sluice.limit.reply.open=mon 08:00-20:00",
                "sluice.limit.reply.zone=attributes.timezone"))
        .containsExactly(
            "sluice.limit.reply.zone=attributes.timezone: a field needs a default, for events without"
                + " it: attributes.timezone,UTC");
    assertThat(
            mistakes(
                "sluice.limit.reply.open=mon 08:00-20:00", "sluice.limit.reply.zone=timezone,UTC"))
        .containsExactly(
            "sluice.limit.reply.zone=timezone,UTC: a field is userId, action, target, topic or"
                + " attributes.X");
  }

  @Test
  void theZoneOfACalendarIsNotThatOfAnEvent() {
    assertThat(
            mistakes(
                "sluice.limit.reply.quota=9/day",
                "sluice.limit.reply.open=mon 08:00-20:00",
                "sluice.limit.reply.zone=attributes.timezone,UTC"))
        .containsExactly(
            "sluice.limit.reply.zone=attributes.timezone,UTC: a time zone is UTC, or a name such as"
                + " Europe/Berlin");
  }

  @Test
  void aMistakeInOpeningHoursSaysWhatIsAccepted() {
    assertThat(mistakes("sluice.limit.reply.open=08:00-20:00"))
        .containsExactly(
            "sluice.limit.reply.open=08:00-20:00: not a window: 08:00-20:00; accepted are windows of"
                + " days and times, such as mon-fri 08:00-20:00, sat 10:00-14:00");
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlim, ; did you mean Europe/Berlin or America/Belem?",
    "berlin, ; did you mean Europe/Berlin?",
    "Germany/Berlin, ; did you mean Europe/Berlin?",
    "Amerika/New York, ; did you mean America/New_York?",
    "+02:00, ''",
    "'', ''"
  })
  void anUnknownZoneIsAnsweredWithCloseOnes(String zone, String meant) {
    assertThat(mistakes("sluice.limit.reply.quota=9/day", "sluice.limit.reply.zone=" + zone))
        .containsExactly(
            "sluice.limit.reply.zone="
                + zone
                + ": a time zone is UTC, or a name such as Europe/Berlin"
                + meant);
  }

  @Test
  void aLongNameOfAZoneIsNotComparedWithAll() {
    assertThat(
            mistakes(
                "sluice.limit.reply.quota=9/day",
                "sluice.limit.reply.zone=" + "Europe/Berlin".repeat(1_000)))
        .singleElement()
        .asString()
        .endsWith("...: a time zone is UTC, or a name such as Europe/Berlin");
  }

  @Test
  void choicesAreNamed() {
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=gcra",
                "sluice.limit.reply.backend=Redis",
                "sluice.limit.reply.exceeded=drop",
                "sluice.limit.reply.count=all",
                "sluice.limit.reply.mode=dry",
                "sluice.unmatched=drop",
                "sluice.state.store=disk",
                "sluice.topics.create=yes"))
        .containsExactly(
            "sluice.limit.reply.algorithm=gcra: accepted are funnel, sliding-window-log,"
                + " sliding-window-counter, calendar-window, bloom, hyperloglog",
            "sluice.limit.reply.backend=Redis: accepted are state-store, redis",
            "sluice.limit.reply.exceeded=drop: accepted are reject, delay, retry, queue",
            "sluice.limit.reply.count=all: accepted are allowed, attempts",
            "sluice.limit.reply.mode=dry: accepted are enforce, shadow",
            "sluice.unmatched=drop: accepted are allow, reject",
            "sluice.state.store=disk: accepted are memory, rocksdb",
            "sluice.topics.create=yes: accepted are true, false");
  }

  @Test
  void aBloomFilterAdmitsOnceAndDoesNothingElse() {
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=bloom",
                "sluice.limit.reply.quota=2/30d",
                "sluice.limit.reply.exceeded=retry",
                "sluice.limit.reply.burst=3",
                "sluice.limit.reply.bloom.error=0.2"))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.burst=3: only a funnel has a burst, not a bloom",
            "sluice.limit.reply.quota=2/30d: a bloom filter admits each key once, so the quota is"
                + " 1/period, such as 1/30d",
            "sluice.limit.reply.exceeded=retry: with algorithm=bloom only exceeded=reject, not"
                + " retry",
            "sluice.limit.reply.bloom.error=0.2: a number, 0.000001 to 0.1",
            "sluice.limit.reply.bloom.capacity: missing; needed with algorithm=bloom: the number of"
                + " different keys that are expected in a period, such as 10_000_000");
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=bloom",
                "sluice.limit.reply.quota=1/500ms",
                "sluice.limit.reply.bloom.capacity=1_000_000_001",
                "sluice.limit.reply.block=1m",
                "sluice.limit.reply.count=attempts"))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.quota=1/500ms: with algorithm=bloom the period must be at least 1s",
            "sluice.limit.reply.bloom.capacity=1_000_000_001: accepted are 1 to 1000000000",
            "sluice.limit.reply.block=1m: does not apply with algorithm=bloom",
            "sluice.limit.reply.count=attempts: attempts are counted by a sliding-window-log or"
                + " sliding-window-counter, not by a bloom");
    for (String other : List.of("bloom.capacity=5", "bloom.error=0.01")) {
      assertThat(mistakes("sluice.limit.reply." + other))
          .containsExactly("sluice.limit.reply." + other + ": only applies with algorithm=bloom");
    }
  }

  @Test
  void aBloomFilterIsNotOnARedisCluster() {
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=bloom",
                "sluice.limit.reply.quota=1/30d",
                "sluice.limit.reply.bloom.capacity=10",
                "sluice.limit.reply.backend=redis",
                "sluice.redis.uri=redis://a:1,redis://b:1"))
        .containsExactly(
            "sluice.limit.reply.algorithm=bloom: bloom needs one Redis, and sluice.redis.uri is of"
                + " a Redis Cluster; use backend=state-store");
  }

  @Test
  void oneCountForAllNeedsRedis() {
    assertThat(mistakes("sluice.limit.reply.key="))
        .containsExactly(
            "sluice.limit.reply.key=: one count for all needs backend=redis; on the state store a"
                + " key is userId, action, target, topic or attributes.X");
  }

  @ParameterizedTest
  @ValueSource(strings = {"user", "attributes", "attributes.", "userId,,action", "eventId"})
  void aKeyIsOfKnownFields(String key) {
    assertThat(mistakes("sluice.limit.reply.key=" + key))
        .containsExactly(
            "sluice.limit.reply.key="
                + key
                + ": a field is userId, action, target, topic or attributes.X");
  }

  @Test
  void aMatchIsOfAKnownFieldAndHasAValue() {
    assertThat(mistakes("sluice.limit.reply.match.verb=x", "sluice.limit.reply.match.action="))
        .containsExactly(
            "sluice.limit.reply.match.verb=x: a field is userId, action, target, topic or"
                + " attributes.X",
            "sluice.limit.reply.match.action=: a match is a value or a comma list of values");
    assertThat(mistakes("sluice.limit.reply.match.action=!"))
        .containsExactly(
            "sluice.limit.reply.match.action=!: a match is a value or a comma list of values");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,!b", "!a,!b", "!!a", "*a", "a*b", "a**", "!a*b"})
  void whatIsNoValueInAMatchHasItsPlace(String match) {
    assertThat(mistakes("sluice.limit.reply.match.action=" + match))
        .containsExactly(
            "sluice.limit.reply.match.action="
                + match
                + ": ! must be before the whole list, as in !a,b, and * at the end of a value, or"
                + " alone; \\\\! and \\\\* are the characters");
  }

  @Test
  void anyValueStandsAlone() {
    assertThat(mistakes("sluice.limit.reply.match.action=!a,*"))
        .containsExactly(
            "sluice.limit.reply.match.action=!a,*: * matches every value, so it must be the only"
                + " value");
  }

  @Test
  void aLimitLeavesEventsToOtherLimits() {
    assertThat(mistakes("sluice.limit.reply.unless=vip"))
        .containsExactly(
            "sluice.limit.reply.unless=vip: accepted are names of other limits, but there is no"
                + " other limit");
    Map<String, String> texts =
        with(
            "sluice.limits=reply,post,vip",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.vip.quota=1/1s",
            "sluice.limit.reply.unless=vpi",
            "sluice.limit.post.unless=vip,post",
            "sluice.limit.vip.unless=a b");
    assertThat(mistakes(texts))
        .containsExactly(
            "sluice.limit.reply.unless=vpi: names other limits; accepted are post, vip",
            "sluice.limit.post.unless=vip,post: names other limits; accepted are reply, vip",
            "sluice.limit.vip.unless=a b: a limit's name is letters, digits, - and _");
  }

  @Test
  void noLimitsLeaveEventsToEachOther() {
    Map<String, String> texts =
        with(
            "sluice.limits=reply,post,vip,all",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.vip.quota=1/1s",
            "sluice.limit.all.quota=1/1s",
            "sluice.limit.all.unless=post",
            "sluice.limit.vip.unless=post",
            "sluice.limit.reply.unless=vip",
            "sluice.limit.post.unless=all,reply");
    assertThat(mistakes(texts))
        .containsExactly(
            "sluice.limit.reply.unless=vip: these limits form a circle, so none would apply to an"
                + " event that all match: reply unless vip unless post unless reply",
            "sluice.limit.post.unless=all,reply: these limits form a circle, so none would apply to"
                + " an event that all match: post unless all unless post");
  }

  @Test
  void attemptsAreCountedByWindowsThatReject() {
    assertThat(mistakes("sluice.limit.reply.count=attempts"))
        .containsExactly(
            "sluice.limit.reply.count=attempts: attempts are counted by a sliding-window-log or"
                + " sliding-window-counter, not by a funnel");
    for (String exceeded : List.of("delay", "retry")) {
      assertThat(
              mistakes(
                  "sluice.limit.reply.count=attempts",
                  "sluice.limit.reply.algorithm=sliding-window-log",
                  "sluice.limit.reply.exceeded=" + exceeded))
          .contains(
              "sluice.limit.reply.count=attempts: attempts can only be counted with"
                  + " exceeded=reject, not with "
                  + exceeded);
    }
  }

  @Test
  void aCounterCannotReserve() {
    assertThat(
            mistakes(
                "sluice.limit.reply.algorithm=sliding-window-counter",
                "sluice.limit.reply.exceeded=delay"))
        .contains(
            "sluice.limit.reply.exceeded=delay: a sliding-window-counter cannot reserve; a funnel"
                + " and a sliding-window-log can, and a calendar-window, with a quota such as"
                + " 100/day");
  }

  @Test
  void settingsOfAnotherReactionMeanNothing() {
    assertThat(
            mistakes(
                "sluice.limit.reply.delay.max=5s",
                "sluice.limit.reply.retry.attempts=3",
                "sluice.limit.reply.retry.jitter=0.2"))
        .containsExactly(
            "sluice.limit.reply.delay.max=5s: only applies with exceeded=delay",
            "sluice.limit.reply.retry.attempts=3: only applies with exceeded=retry",
            "sluice.limit.reply.retry.jitter=0.2: only applies with exceeded=retry");
  }

  @Test
  void onlyALimitThatRejectsBlocks() {
    for (String exceeded : List.of("delay", "retry")) {
      assertThat(
              mistakes("sluice.limit.reply.block=10m", "sluice.limit.reply.exceeded=" + exceeded))
          .containsExactly("sluice.limit.reply.block=10m: only applies with exceeded=reject");
    }
    assertThat(mistakes("sluice.limit.reply.block=10m", "sluice.limit.reply.exceeded=drop"))
        .containsExactly(
            "sluice.limit.reply.exceeded=drop: accepted are reject, delay, retry, queue");
  }

  @Test
  void aBlockIsAPeriod() {
    assertThat(mistakes("sluice.limit.reply.block=10"))
        .containsExactly(
            "sluice.limit.reply.block=10: a period is 500ms, 60s, 10m, 1h, 1d or ISO-8601 such as"
                + " PT1M");
    for (String bad : List.of("0s", "3661d")) {
      assertThat(mistakes("sluice.limit.reply.block=" + bad))
          .containsExactly("sluice.limit.reply.block=" + bad + ": a period is 1ms to 3660d here");
    }
  }

  @Test
  void reactionsHaveBounds() {
    assertThat(
            mistakes(
                "sluice.limit.reply.exceeded=retry",
                "sluice.limit.reply.retry.attempts=0",
                "sluice.limit.reply.retry.jitter=1.1"))
        .contains(
            "sluice.limit.reply.retry.attempts=0: a whole number, at least 1",
            "sluice.limit.reply.retry.jitter=1.1: a number, 0 to 1");
    assertThat(mistakes("sluice.limit.reply.exceeded=delay", "sluice.limit.reply.delay.max=0s"))
        .contains("sluice.limit.reply.delay.max=0s: a period is 1ms to 3660d here");
  }

  @Test
  void redisNeedsAUri() {
    assertThat(
            mistakes(
                "sluice.limits=reply,post,page",
                "sluice.limit.reply.backend=redis",
                "sluice.limit.post.quota=1/1s",
                "sluice.limit.page.quota=1/1s",
                "sluice.limit.page.backend=redis"))
        .containsExactly(
            "sluice.redis.uri: missing; needed by limits on redis: reply, page; such as"
                + " redis://localhost:6379");
  }

  @Test
  void aLimitOnTheStateStoreDoesNotMissRedis() {
    assertThat(mistakes("sluice.limit.reply.redis.unavailable=allow"))
        .containsExactly(
            "sluice.limit.reply.redis.unavailable=allow: only applies with backend=redis");
  }

  @Test
  void limitsOnTheStateStoreShareAField() {
    assertThat(
            mistakes(
                "sluice.limits=reply,post,page",
                "sluice.limit.reply.key=userId,target",
                "sluice.limit.post.quota=1/1s",
                "sluice.limit.post.key=target,action",
                "sluice.limit.page.quota=1/1s"))
        .containsExactly(
            "sluice.limit.page.key=userId: the keys of limits on the state store must share a"
                + " field, and this one shares none with reply (userId,target), post"
                + " (target,action); or set sluice.limit.page.backend=redis");
  }

  @Test
  void aFieldThatOnlyPairsOfLimitsShareIsNotShared() {
    assertThat(
            mistakes(
                "sluice.limits=reply,post,page",
                "sluice.limit.reply.key=userId,target",
                "sluice.limit.post.quota=1/1s",
                "sluice.limit.post.key=target,action",
                "sluice.limit.page.quota=1/1s",
                "sluice.limit.page.key=action,userId"))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.page.key=action,userId: ");
  }

  @Test
  void aTopicHasOneRole() {
    assertThat(mistakes("sluice.topics.rejected=allowed-actions"))
        .containsExactly(
            "sluice.topics.rejected=allowed-actions: each role needs its own topic, and this is"
                + " also sluice.topics.allowed");
    assertThat(mistakes("sluice.topics.input=a,dead-letter-actions"))
        .containsExactly(
            "sluice.topics.input=a,dead-letter-actions: each role needs its own topic, and"
                + " dead-letter-actions is also sluice.topics.dead-letter");
    assertThat(mistakes("sluice.topics.allowed=user-actions"))
        .containsExactly(
            "sluice.topics.allowed=user-actions: each role needs its own topic, and this is also"
                + " sluice.topics.input");
    assertThat(mistakes("sluice.topics.limits=user-actions"))
        .containsExactly(
            "sluice.topics.limits=user-actions: each role needs its own topic, and this is also"
                + " sluice.topics.input");
    assertThat(mistakes("application.id=a", "sluice.topics.delayed=a-limits"))
        .containsExactly(
            "sluice.topics.delayed=a-limits: each role needs its own topic, and this is also"
                + " sluice.topics.limits");
  }

  @Test
  void anOutputOfEachInputIsNoOtherTopic() {
    assertThat(mistakes("sluice.topics.input=sms,sms-ok", "sluice.topics.allowed={input}-ok"))
        .containsExactly(
            "sluice.topics.allowed={input}-ok: each role needs its own topic, and sms-ok is also"
                + " sluice.topics.input");
    assertThat(mistakes("sluice.topics.input=a,b", "sluice.topics.allowed={input}"))
        .containsExactly(
            "sluice.topics.allowed={input}: each role needs its own topic, and a is also"
                + " sluice.topics.input");
    assertThat(
            mistakes(
                "sluice.topics.input=a,b",
                "sluice.topics.allowed={input}-x",
                "sluice.topics.dead-letter={input}-x",
                "sluice.topics.rejected=b-x"))
        .containsExactly(
            "sluice.topics.dead-letter={input}-x: each role needs its own topic, and a-x is also"
                + " sluice.topics.allowed",
            "sluice.topics.rejected=b-x: each role needs its own topic, and this is also"
                + " sluice.topics.allowed");
    assertThat(
            mistakes(
                "sluice.topics.input=x",
                "sluice.topics.rejected=delayed-{input}",
                "sluice.topics.delayed=delayed-x"))
        .containsExactly(
            "sluice.topics.delayed=delayed-x: each role needs its own topic, and this is also"
                + " sluice.topics.rejected");
    assertThat(
            mistakes(
                "sluice.topics.input=x",
                "sluice.topics.allowed={input}-limits",
                "sluice.topics.limits=x-limits"))
        .containsExactly(
            "sluice.topics.limits=x-limits: each role needs its own topic, and this is also"
                + " sluice.topics.allowed");
  }

  @Test
  void theTopicOfDelayedEventsIsOneForAllInputs() {
    assertThat(mistakes("sluice.topics.delayed={input}-delayed"))
        .containsExactly(
            "sluice.topics.delayed={input}-delayed: at most 249 letters, digits, ., _ and -: one"
                + " for all inputs, so without {input}");
  }

  @Test
  void theNameForEachInputIsLegal() {
    String input = "i".repeat(245);
    ConfigText.config("sluice.topics.input=a," + input, "sluice.topics.allowed={input}-oks");
    assertThat(mistakes("sluice.topics.input=a," + input, "sluice.topics.allowed={input}-okay"))
        .containsExactly(
            "sluice.topics.allowed={input}-okay: "
                + input
                + "-okay: at most 249 letters, digits, ., _ and -");
    assertThat(mistakes("sluice.topics.allowed={inptu}-ok"))
        .containsExactly(
            "sluice.topics.allowed={inptu}-ok: at most 249 letters, digits, ., _ and -; {input} is"
                + " the name of the input topic");
  }

  @Test
  void noTwoTopicsAreOneInKafkasMetrics() {
    assertThat(mistakes("sluice.topics.input=a.b", "sluice.topics.rejected=a_b"))
        .containsExactly(
            "sluice.topics.rejected=a_b: Kafka cannot have both a.b and a_b, of"
                + " sluice.topics.input: . and _ are the same to it");
    assertThat(mistakes("sluice.topics.input=a.b,a_b"))
        .containsExactly(
            "sluice.topics.input=a.b,a_b: Kafka cannot have both a.b and a_b, of"
                + " sluice.topics.input: . and _ are the same to it");
  }

  @Test
  void aLimitIsForATopicThatEventsComeInBy() {
    Map<String, String> texts =
        with(
            "sluice.topics.input=sms-requests,replies",
            "sluice.limits=reply,sms,rest",
            "sluice.limit.sms.quota=1/1s",
            "sluice.limit.rest.quota=1/1s",
            "sluice.limit.reply.match.topic=rep*, reply",
            "sluice.limit.sms.match.topic=!sms-*",
            "sluice.limit.rest.match.topic=mail*");
    assertThat(mistakes(texts))
        .containsExactly(
            "sluice.limit.reply.match.topic=rep*, reply: not an input topic: reply; accepted are"
                + " sms-requests, replies",
            "sluice.limit.rest.match.topic=mail*: not an input topic: mail*; accepted are"
                + " sms-requests, replies");
  }

  @Test
  void topicsHaveLegalNames() {
    assertThat(
            mistakes(
                "sluice.topics.input=user actions",
                "sluice.topics.allowed=",
                "sluice.topics.rejected=..",
                "sluice.topics.limits=a/b",
                "sluice.topics.delayed=" + "d".repeat(250)))
        .hasSize(5)
        .allMatch(line -> line.contains(": at most 249 letters, digits, ., _ and -"));
    assertThat(mistakes("sluice.topics.input="))
        .containsExactly("sluice.topics.input=: at least one topic to read, such as user-actions");
    assertThat(mistakes("sluice.topics.input=a,b,a"))
        .containsExactly("sluice.topics.input=a,b,a: a is listed twice");
  }

  @Test
  void numbersHaveBounds() {
    assertThat(
            mistakes(
                "sluice.topics.partitions=0",
                "sluice.topics.replication.factor=0",
                "sluice.time.max.ahead=-1s",
                "sluice.redis.timeout=0",
                "sluice.redis.key.prefix={a}",
                "sluice.delay.tick=9",
                "sluice.http.port=65536",
                "sluice.http.host="))
        .containsExactly(
            "sluice.topics.partitions=0: a whole number, at least 1",
            "sluice.topics.replication.factor=0: 1 to 32767, or -1 for the broker's default",
            "sluice.time.max.ahead=-1s: a period is 500ms, 60s, 10m, 1h, 1d or ISO-8601 such as"
                + " PT1M",
            "sluice.redis.timeout=0: a period is 1ms to 10s here",
            "sluice.redis.key.prefix={a}: 1 to 64 letters, digits, ., _, : and -",
            "sluice.delay.tick=9: a period is 10ms to 1m here",
            "sluice.http.port=65536: a whole number, 0 to 65535",
            "sluice.http.host=: a host name or an address");
  }

  @Test
  void whatIsServedOverHttpIsChecked() {
    assertThat(
            mistakes(
                "sluice.http.advertised=http://host:9464",
                "sluice.http.token=short",
                "sluice.http.write=yes",
                "sluice.http.tls.password=s3cret",
                "sluice.http.tls.type=PEM"))
        .containsExactly(
            "sluice.http.advertised=http://host:9464: a host and a port, such as"
                + " sluice-1.example.org:9464",
            "sluice.http.token: 16 to 512 letters, digits and signs without spaces",
            "sluice.http.write=yes: accepted are true, false",
            "sluice.http.tls.type=PEM: PKCS12 or JKS",
            "sluice.http.tls.keystore: missing; the file that sluice.http.tls.password opens");
    assertThat(mistakes("sluice.http.tls.keystore=keys.p12"))
        .containsExactly(
            "sluice.http.tls.password: missing; the password of sluice.http.tls.keystore");
    for (String bad : new String[] {"host", "host:0", "host:65536", "a b:1", "h:1/x", "u@h:1"}) {
      assertThat(mistakes("sluice.http.advertised=" + bad)).as(bad).hasSize(1);
    }
    for (String good : new String[] {"localhost:9464", "[::1]:1", "10.0.0.7:65535"}) {
      SluiceConfig config = SluiceConfig.of(ConfigText.with("sluice.http.advertised=" + good));
      assertThat(config.http().advertised()).isEqualTo(good);
    }
    String tokens = "sluice.http.token.read=another-token-that-reads";
    assertThat(mistakes("sluice.http.port=0", tokens))
        .containsExactly(
            "sluice.http.token: missing; the token that may write, beside sluice.http.token.read");
    assertThat(mistakes("sluice.http.port=0", tokens, tokens.replace(".read", "")))
        .containsExactly("sluice.http.token.read: must not be the same as sluice.http.token");
    assertThat(mistakes("sluice.http.token=sixteen signs ..")).noneMatch(l -> l.contains("sixt"));
  }

  @Test
  void aKeyThatMayBeMeantForOneThatIsMissingIsNamed() {
    Map<String, String> texts = new TreeMap<>(Map.of("application.id", "sluice"));
    texts.put("bootstrap.server", "localhost:9092");
    assertThat(mistakes(texts))
        .containsExactly(
            "bootstrap.servers: missing; such as bootstrap.servers=localhost:9092"
                + " (nothing reads bootstrap.server)");
  }

  @Test
  void kafkaMustBeNamed() {
    assertThat(mistakes(Map.of("application.id", " ")))
        .containsExactly(
            "application.id: missing; such as application.id=sluice",
            "bootstrap.servers: missing; such as bootstrap.servers=localhost:9092");
    assertThat(mistakes("application.id=my sluice"))
        .containsExactly("application.id=my sluice: at most 180 letters, digits, ., _ and -");
  }

  @Test
  void settingsOfKafkaAreCheckedWhereItCanTell() {
    assertThat(
            mistakes(
                "processing.guarantee=exactly_once",
                "num.stream.threads=two",
                "producer.linger.ms=-1",
                "main.consumer.auto.offset.reset=first",
                "max.poll.records=x"))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "processing.guarantee=exactly_once: String must be one of: at_least_once,"
                            + " exactly_once_v2"),
            line -> assertThat(line).isEqualTo("num.stream.threads=two: Not a number of type INT"),
            line -> assertThat(line).startsWith("producer.linger.ms=-1: "),
            line -> assertThat(line).startsWith("main.consumer.auto.offset.reset=first: "),
            line -> assertThat(line).isEqualTo("max.poll.records=x: Not a number of type INT"));
  }

  @Test
  void aMistakeIsOneLineWhateverTheValue() {
    assertThat(mistakes("sluice.time=ev\nent\r\u2028x", "sluice.unmatched=" + "y".repeat(500)))
        .containsExactly(
            "sluice.time=ev ent x: accepted are event, wall",
            "sluice.unmatched=" + "y".repeat(100) + "...: accepted are allow, reject");
  }

  @Test
  void oneMistakeDoesNotCauseAnother() {
    Map<String, String> texts =
        with(
            "sluice.limits=reply,post",
            "sluice.limit.reply.algorithm=log",
            "sluice.limit.reply.burst=3",
            "sluice.limit.reply.backend=reddis",
            "sluice.limit.reply.key=",
            "sluice.limit.reply.redis.unavailable=allow",
            "sluice.limit.reply.exceeded=dely",
            "sluice.limit.reply.delay.max=1m",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.post.key=usr");

    assertThat(mistakes(texts))
        .extracting(line -> line.substring(0, line.indexOf('=')))
        .containsExactly(
            "sluice.limit.reply.algorithm",
            "sluice.limit.reply.backend",
            "sluice.limit.reply.exceeded",
            "sluice.limit.post.key");
  }

  @Test
  void theMessageIsEveryMistake() {
    List<String> lines = List.of("a: b", "c: d");

    assertThat(new ConfigurationException(lines)).hasMessage("a: b\nc: d");
    assertThat(new ConfigurationException(lines).mistakes()).isEqualTo(lines);
  }
}
