package io.sluice.topology.config;

import static io.sluice.topology.TestEvent.event;
import static io.sluice.topology.config.ConfigText.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Match;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.testing.SettingLines;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SluiceConfigTest {
  @Test
  void whatIsNotGivenHasADefault() {
    SluiceConfig config = config();

    assertThat(config.topics())
        .isEqualTo(
            new Topics(
                List.of("user-actions"),
                OutputTopics.one("allowed-actions"),
                OutputTopics.one("rejected-actions"),
                "delayed-actions",
                OutputTopics.one("dead-letter-actions"),
                config.applicationId() + "-limits",
                true,
                6,
                (short) -1));
    assertThat(config.judgesByEventTime()).isTrue();
    assertThat(config.timeMaxAhead()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.rejectsUnmatched()).isFalse();
    assertThat(config.keepsStateInMemory()).isTrue();
    assertThat(config.redis())
        .isEqualTo(new RedisConfig("", "sluice", Duration.ofMillis(50), Duration.ofMinutes(10)));
    assertThat(config.delayTickMs()).isEqualTo(100);
    assertThat(config.limits().all())
        .containsExactly(
            new Limit(
                Rule.policing("reply", Quota.of(5, Duration.ofSeconds(60)), Algorithm.GCRA),
                Match.ALL,
                new LimitKey(List.of(Field.USER_ID)),
                List.of(),
                Backend.STATE_STORE,
                new Exceeded.Reject(),
                RedisUnavailable.WAIT));
    assertThat(ConfigReport.warnings(config)).isEmpty();
  }

  @Test
  void everythingCanBeGiven() {
    SluiceConfig config =
        config(
            "sluice.topics.input=a, b",
            "sluice.topics.allowed=c",
            "sluice.topics.rejected=d",
            "sluice.topics.delayed=e",
            "sluice.topics.dead-letter=f",
            "sluice.topics.limits=g",
            "sluice.topics.create=false",
            "sluice.topics.partitions=12",
            "sluice.topics.replication.factor=3",
            "sluice.time=wall ",
            "sluice.time.max.ahead=PT2M",
            "sluice.unmatched=reject",
            "sluice.state.store=rocksdb",
            "sluice.redis.uri=redis://localhost:6380",
            "sluice.redis.timeout=80",
            "sluice.redis.key.prefix=app:1",
            "sluice.redis.expiry.grace=1h",
            "sluice.delay.tick=500ms");

    assertThat(config.topics())
        .isEqualTo(
            new Topics(
                List.of("a", "b"),
                OutputTopics.one("c"),
                OutputTopics.one("d"),
                "e",
                OutputTopics.one("f"),
                "g",
                false,
                12,
                (short) 3));
    assertThat(config.judgesByEventTime()).isFalse();
    assertThat(config.timeMaxAhead()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.rejectsUnmatched()).isTrue();
    assertThat(config.keepsStateInMemory()).isFalse();
    assertThat(config.redis().uri()).isEqualTo("redis://localhost:6380");
    assertThat(config.redis().timeout()).isEqualTo(Duration.ofMillis(80));
    assertThat(config.redis().keyPrefix()).isEqualTo("app:1");
    assertThat(config.redis().grace()).isEqualTo(Duration.ofHours(1));
    assertThat(config.delayTickMs()).isEqualTo(500);
  }

  @Test
  void aLimitIsWhatItsSettingsSay() {
    SluiceConfig config =
        config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limit.reply.match.action=reply, comment",
            "sluice.limit.reply.match.attributes.country=nz,au",
            "sluice.limit.reply.key=userId,target",
            "sluice.limit.reply.quota=1_000/1h",
            "sluice.limit.reply.algorithm=sliding-window-counter",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.reply.count=attempts",
            "sluice.limit.reply.mode=shadow",
            "sluice.limit.reply.redis.unavailable=state-store");

    Limit limit = config.limits().all().get(0);
    assertThat(limit.name()).isEqualTo("reply");
    assertThat(limit.rule())
        .isEqualTo(
            new Rule(
                "reply",
                Quota.of(1_000, Duration.ofHours(1)),
                Algorithm.SLIDING_WINDOW_COUNTER,
                0,
                true,
                true));
    assertThat(limit.match()).hasToString("action=reply,comment and attributes.country=nz,au");
    assertThat(limit.key().of(event("ann", "reply", "bob"))).isEqualTo("ann|bob");
    assertThat(limit.backend()).isEqualTo(Backend.REDIS);
    assertThat(limit.redisUnavailable()).isEqualTo(RedisUnavailable.STATE_STORE);
    assertThat(config.usesRedis()).isTrue();
  }

  @Test
  void aQuotaOfACalendarComesWithItsAlgorithmAndZone() {
    for (String algorithm : List.of("", "calendar-window")) {
      Map<String, String> texts =
          ConfigText.with(
              "sluice.limit.reply.quota=1_000/month",
              "sluice.limit.reply.zone=Europe/Berlin",
              "sluice.limit.reply.exceeded=delay");
      if (!algorithm.isEmpty()) texts.put("sluice.limit.reply.algorithm", algorithm);
      assertThat(SluiceConfig.of(texts).limits().all().get(0).rule())
          .isEqualTo(
              new Rule(
                      "reply",
                      Quota.of(1_000, CalendarUnit.MONTH),
                      Algorithm.CALENDAR_WINDOW,
                      600_000_000,
                      false,
                      false)
                  .in(ZoneId.of("Europe/Berlin")));
    }
  }

  @Test
  void aFunnelTakesItsBurst() {
    Quota quota = config("sluice.limit.reply.burst=2").limits().all().get(0).rule().quota();

    assertThat(quota).isEqualTo(new Quota(5, 60_000_000, 2));
  }

  @Test
  void limitsKeepTheOrderOfTheList() {
    SluiceConfig config =
        config(
            "sluice.limits=post,reply",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.post.key=action,userId");

    assertThat(config.limits().all()).extracting(Limit::name).containsExactly("post", "reply");
  }

  @Test
  void withoutLimitsEverythingPasses() {
    SluiceConfig config = SluiceConfig.of(ConfigText.without());

    assertThat(config.limits().all()).isEmpty();
    assertThat(config.home()).isEmpty();
    assertThat(ConfigReport.warnings(config))
        .containsExactly("sluice.limits: there is no limit, so every event is allowed");
  }

  /** With at-least-once, the default is to read aborted records, too. */
  @Test
  void theMainConsumerMayReadOnlyCommittedRecords() {
    SluiceConfig config =
        config(
            "processing.guarantee=at_least_once", "main.consumer.isolation.level=read_committed");
    assertThat(new StreamsConfig(config.streams()).getMainConsumerConfigs("sluice", "a", 1))
        .containsEntry("isolation.level", "read_committed");
    assertThat(ConfigReport.warnings(config)).noneMatch(each -> each.contains("isolation"));
  }

  @Test
  void everyOtherSettingGoesToStreams() {
    Properties streams = config("main.consumer.max.poll.records=2", "my.own=x ").streams();

    assertThat(streams)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("application.id", "sluice"),
                Map.entry("bootstrap.servers", "localhost:9092"),
                Map.entry("main.consumer.max.poll.records", "2"),
                Map.entry("my.own", "x "),
                Map.entry("processing.guarantee", "exactly_once_v2"),
                Map.entry("max.task.idle.ms", "-1"),
                Map.entry("poll.ms", "25"),
                Map.entry("num.standby.replicas", "1"),
                Map.entry("main.consumer.session.timeout.ms", "15000"),
                Map.entry("restore.consumer.fetch.max.wait.ms", "100"),
                Map.entry("topic.message.timestamp.before.max.ms", "9223372036854775807"),
                Map.entry("producer.batch.size", "131072"),
                Map.entry("producer.linger.ms", "5")));
  }

  @Test
  void aSessionIsShortUnlessSomebodyHasSaidOtherwise() {
    String ours = "main.consumer.session.timeout.ms";
    assertThat(config().streams()).containsEntry(ours, "15000");
    assertThat(config("heartbeat.interval.ms=5000").streams()).containsEntry(ours, "15000");
    for (String otherwise :
        List.of(
            "session.timeout.ms=20000",
            "consumer.session.timeout.ms=20000",
            "main.consumer.group.instance.id=a",
            "heartbeat.interval.ms=5001",
            "group.protocol=streams",
            "group.protocol=STREAMS")) {
      assertThat(config(otherwise).streams()).as(otherwise).doesNotContainKey(ours);
    }
    assertThat(config(ours + "=7000").streams()).containsEntry(ours, "7000");
  }

  @Test
  void theWaitOfRestoreConsumersIsShortUnlessItIsGiven() {
    String ours = "restore.consumer.fetch.max.wait.ms";
    assertThat(config().streams()).containsEntry(ours, "100");
    for (String given : List.of("fetch.max.wait.ms=300", "consumer.fetch.max.wait.ms=300"))
      assertThat(config(given).streams()).as(given).doesNotContainKey(ours);
    assertThat(config(ours + "=300").streams()).containsEntry(ours, "300");
    assertThat(config("main.consumer.fetch.max.wait.ms=300").streams()).containsEntry(ours, "100");
  }

  @Test
  void aCopyOfTheStateIsKeptUnlessTheBrokerSaysWhetherOrNot() {
    assertThat(config().streams()).containsEntry("num.standby.replicas", "1");
    assertThat(config("num.standby.replicas=0").streams())
        .containsEntry("num.standby.replicas", "0");
    assertThat(config("group.protocol=streams").streams())
        .doesNotContainKey("num.standby.replicas");
  }

  @Test
  void moreRecordsAtOnceThanRedisRemembersAreWarnedOf() {
    String key = "consumer.max.poll.records";
    assertThat(ConfigReport.warnings(config(key + "=4001"))).isEmpty();
    String[] redis = {
      "sluice.limit.reply.backend=redis", "sluice.redis.uri=redis://localhost:6379"
    };
    assertThat(ConfigReport.warnings(config(SettingLines.with(redis, key + "=4000")))).isEmpty();
    assertThat(ConfigReport.warnings(config(SettingLines.with(redis, key + "=4001"))))
        .singleElement()
        .asString()
        .startsWith(key + ": with limits in Redis, a value above 4000 may charge");
  }

  @Test
  void defaultsThatHaveChangedSinceTheFileWasWrittenAreNamed() {
    assertThat(ConfigReport.warnings(config("sluice.version=0.1")))
        .hasSize(3)
        .contains(
            "session.timeout.ms: the default is 15000 since 0.2, and was 45000 before; give the one"
                + " that you want, and then a later sluice.version");
    String given = "main.consumer.session.timeout.ms=45000";
    assertThat(ConfigReport.warnings(config("sluice.version=0.1.9", given)))
        .hasSize(2)
        .noneMatch(line -> line.startsWith("session"));
    for (String later : List.of("0.2", "0.2.0", "0.10", "1.0"))
      assertThat(ConfigReport.warnings(config("sluice.version=" + later))).isEmpty();
    assertThat(ConfigReport.warnings(config())).isEmpty();
  }

  @Test
  void transactionalStoresAreWarnedOf() {
    String key = "enable.transactional.statestores";
    assertThat(ConfigReport.warnings(config(key + "=false"))).noneMatch(line -> line.contains(key));
    assertThat(ConfigReport.warnings(config(key + "=true")))
        .contains(key + ": Sluice is not tested with it, and gains nothing by it; leave it off");
  }

  @Test
  void aKeyThatKafkaDoesNotKnowIsWarnedOfWithTheOneThatWasMeant() {
    String unknown = ": neither Sluice nor Kafka knows this key";
    assertThat(
            ConfigReport.warnings(
                config(
                    "num.stream.thread=2",
                    "bootstrap.server=localhost:1",
                    "main.consumer.sesion.timeout.ms=9000",
                    "topic.retention.m=1",
                    "our.tracer.zone=7")))
        .containsExactly(
            "bootstrap.server" + unknown + "; did you mean bootstrap.servers?",
            "main.consumer.sesion.timeout.ms"
                + unknown
                + "; did you mean main.consumer.session.timeout.ms?",
            "num.stream.thread" + unknown + "; did you mean num.stream.threads?",
            "our.tracer.zone" + unknown,
            "topic.retention.m" + unknown + "; did you mean topic.retention.ms?");
  }

  @Test
  void aKeyThatSomethingOfKafkaReadsIsNotWarnedOf() {
    assertThat(
            ConfigReport.warnings(
                config(
                    "num.stream.threads=2",
                    "consumer.max.poll.records=5",
                    "restore.consumer.fetch.max.bytes=5",
                    "producer.acks=all",
                    "admin.retries=3",
                    "topic.min.insync.replicas=2",
                    "sasl.jaas.config=x",
                    "ssl.truststore.location=y",
                    "rocksdb.config.setter=org.example.Setter",
                    "config.providers=env",
                    "config.providers.env.class=org.example.Provider",
                    "config.providers.env.param.allow=x",
                    "internal.leave.group.on.close=true")))
        .isEmpty();
  }

  @Test
  void whatIsGivenForStreamsWins() {
    assertThat(config("linger.ms=1", "processing.guarantee=at_least_once").streams())
        .containsEntry("linger.ms", "1")
        .doesNotContainKey("producer.linger.ms")
        .containsEntry("processing.guarantee", "at_least_once");
    assertThat(config("producer.linger.ms=2").streams())
        .containsEntry("producer.linger.ms", "2")
        .doesNotContainKey("linger.ms");
    assertThat(config("batch.size=1").streams()).doesNotContainKey("producer.batch.size");
    assertThat(config("producer.batch.size=1").streams()).containsEntry("producer.batch.size", "1");
  }

  @Test
  void whoeverBoundsTheBufferKeepsKafkasBatches() {
    for (String key : List.of("buffer.memory", "producer.buffer.memory")) {
      assertThat(config(key + "=100000").streams()).doesNotContainKey("producer.batch.size");
    }
  }

  @ParameterizedTest
  @CsvSource({"1s, 2408", "9s, 274", "10s, 0", "1d, 0"})
  void aFilterOfSecondsInRedisIsWarnedOf(String period, long generations) {
    List<String> warnings =
        ConfigReport.warnings(
            config(
                "sluice.limit.reply.quota=1/" + period,
                "sluice.limit.reply.algorithm=bloom",
                "sluice.limit.reply.bloom.capacity=1000",
                "sluice.limit.reply.backend=redis",
                "sluice.redis.uri=redis://localhost"));
    if (generations == 0) {
      assertThat(warnings).isEmpty();
    } else {
      assertThat(warnings)
          .containsExactly(
              "sluice.limit.reply.quota: with so short a period, Redis reads a list of up to "
                  + generations
                  + " generations for each event; a filter is for periods of minutes and more");
    }
  }

  @Test
  void aClosureThatOutlastsDelayMaxIsWarnedOf() {
    String open = "sluice.limit.reply.open=mon-fri 08:00-20:00";
    String delay = "sluice.limit.reply.exceeded=delay";

    assertThat(ConfigReport.warnings(config(open, delay)))
        .containsExactly(
            "sluice.limit.reply.open: the limit is closed for up to 60 h, so events that would wait"
                + " longer than delay.max are rejected");
    assertThat(ConfigReport.warnings(config(open, delay, "sluice.limit.reply.delay.max=60h")))
        .isEmpty();
    assertThat(ConfigReport.warnings(config(open))).isEmpty();
  }

  @Test
  void aLargeLogIsWarnedOf() {
    assertThat(
            ConfigReport.warnings(
                config(
                    "sluice.limit.reply.quota=100_001/1d",
                    "sluice.limit.reply.algorithm=sliding-window-log")))
        .containsExactly(
            "sluice.limit.reply.algorithm: a log keeps every arrival of a period, up to 100001 for"
                + " each key; a funnel or a sliding-window-counter keeps only a few numbers");
    assertThat(
            ConfigReport.warnings(
                config(
                    "sluice.limit.reply.quota=100_000/1d",
                    "sluice.limit.reply.algorithm=sliding-window-log")))
        .isEmpty();
  }

  @Test
  void aLimitThatEventsWithoutItsKeyPassIsWarnedOf() {
    String key = "sluice.limit.reply.key=userId,target";
    assertThat(ConfigReport.warnings(config(key)))
        .containsExactly(
            "sluice.limit.reply.key.missing: not set, so the limit does not apply to events without"
                + " target, and a producer that omits it passes the limit; set skip, share (as"
                + " before 0.3) or reject");
    assertThat(
            ConfigReport.warnings(
                config(
                    "sluice.limit.reply.distinct=target,attributes.card",
                    "sluice.limit.reply.algorithm=sliding-window-log")))
        .singleElement()
        .matches(line -> line.contains("to events without target or attributes.card, and"));
    for (String choice : List.of("key.missing=skip", "key.missing=reject", "match.target=*"))
      assertThat(ConfigReport.warnings(config(key, "sluice.limit.reply." + choice))).isEmpty();
    assertThat(ConfigReport.warnings(config("sluice.limit.reply.key=userId,action"))).isEmpty();
  }

  @Test
  void aFallbackThatCountsPartsIsWarnedOf() {
    String[] fallback = {
      "sluice.limits=reply,page",
      "sluice.redis.uri=redis://localhost",
      "sluice.limit.page.quota=1/1s",
      "sluice.limit.page.backend=redis",
      "sluice.limit.page.redis.unavailable=state-store",
      "sluice.limit.page.key=target",
      "sluice.limit.page.key.missing=share",
      "sluice.limit.page.match.action=page",
      "sluice.limit.reply.match.action=reply"
    };

    assertThat(ConfigReport.warnings(config(fallback)))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.page.redis.unavailable: ");
    fallback[5] = "sluice.limit.page.key=target,userId";
    assertThat(ConfigReport.warnings(config(fallback))).isEmpty();
  }

  @Test
  void aKeyThatIsNearlySluicesIsWarnedOf() {
    assertThat(ConfigReport.warnings(config("sluce.time=wall", "Sluice.time=wall")))
        .containsExactly(
            "Sluice.time: does not begin with sluice., so it goes to Kafka Streams",
            "sluce.time: does not begin with sluice., so it goes to Kafka Streams");
  }

  @Test
  void limitsOnBothBackendsThatMayMatchOneEventAreSlower() {
    String[] both = {
      "sluice.limits=reply,all,sms",
      "sluice.redis.uri=redis://localhost",
      "sluice.limit.reply.backend=redis",
      "sluice.limit.reply.match.action=reply",
      "sluice.limit.all.quota=9/1s",
      "sluice.limit.sms.quota=9/1s",
      "sluice.limit.sms.match.action=sms"
    };
    assertThat(ConfigReport.warnings(config(both)))
        .containsExactly(
            "sluice.limit.reply.backend: an event that also matches all on the state store needs"
                + " its own round trip to Redis, which is slower");
    assertThat(
            ConfigReport.warnings(
                config(
                    Stream.concat(Stream.of(both), Stream.of("sluice.limit.all.match.action=post"))
                        .toArray(String[]::new))))
        .isEmpty();
  }

  /** Such events are never asked about ahead, so the other backend makes them no slower. */
  @Test
  void limitsOnBothBackendsAreNoSlowerIfOneHasAQueue() {
    for (String queue : List.of("reply", "all")) {
      assertThat(
              ConfigReport.warnings(
                  config(
                      "sluice.limits=reply,all",
                      "sluice.redis.uri=redis://localhost",
                      "sluice.limit.reply.backend=redis",
                      "sluice.limit.all.quota=9/1s",
                      "sluice.limit." + queue + ".exceeded=queue")))
          .as(queue)
          .isEmpty();
    }
  }
}
