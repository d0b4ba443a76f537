package io.sluice.cli.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.LimitsCli;
import io.sluice.embedded.EmbeddedKafka;
import io.sluice.testing.Servers;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The {@code limits} commands on a real broker. */
@Tag("slow") // writes and reads 100,000 overrides
@Timeout(180)
class LimitsIT {
  private static final AtomicInteger APPLICATIONS = new AtomicInteger();
  private static EmbeddedKafka kafka;
  private static Admin admin;

  private final String application = "limits-it-" + APPLICATIONS.incrementAndGet();
  private final String topic = application + "-limits";
  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    kafka = Servers.shared().kafka;
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private LimitsCli cli(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "bootstrap.servers=" + kafka.bootstrapServers(),
                "application.id=" + application,
                "sluice.limits=reply,sms",
                "sluice.limit.reply.match.action=reply",
                "sluice.limit.reply.quota=5/60s",
                "sluice.limit.reply.algorithm=sliding-window-log",
                "sluice.limit.sms.match.action=sms",
                "sluice.limit.sms.quota=1/2s"));
    settings.addAll(List.of(more));
    return new LimitsCli(folder, settings.toArray(new String[0]));
  }

  private static LimitsCli.Result done(LimitsCli.Result result) {
    assertThat(result.exitCode()).as("%s", result).isZero();
    return result;
  }

  private static List<String> mistakes(LimitsCli.Result result) {
    assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    return result.err();
  }

  /** Returns the id of the revision that was published last. */
  private static String id(LimitsCli.Result result) {
    String last = result.out().get(result.out().size() - 1);
    assertThat(last).startsWith("published ");
    return last.substring("published ".length());
  }

  private void publish(Map<String, String> records) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      records.forEach(
          (key, value) ->
              sent.add(
                  producer.send(
                      new ProducerRecord<>(topic, 0, key.getBytes(UTF_8), value.getBytes(UTF_8)))));
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }

  @Test
  void aChangeIsExplainedPublishedAndThenInForce() throws Exception {
    LimitsCli cli = cli();
    assertThat(done(cli.run("")).err())
        .containsExactly(
            "warning: no limit was changed yet: the topic of revisions does not exist");
    LimitsCli.Result set = done(cli.run("set reply quota=10/60s --at now --by ada --note launch"));
    assertThat(set.out().get(0))
        .startsWith(
            "reply: at most 5 in any 60 s per userId -> at most 10 in any 60 s per userId, from ");
    assertThat(set.err()).singleElement().asString().contains("after it took effect");
    LimitsCli.Result shown = done(cli.run(""));
    assertThat(shown.out())
        .anyMatch(line -> line.matches("reply .*at most 10 in any 60 s.*Z +ada"))
        .anyMatch(line -> line.matches("sms .*1 in 2 s, burst 1, per userId.*the file"));
    assertThat(shown.err()).isEmpty();
    assertThat(done(cli.run("history")).out().get(1))
        .contains("quota=10/60s", "ada", id(set).substring(0, 8), "in force", "launch")
        .containsPattern("came \\d+ ms late");
    assertThat(config("cleanup.policy")).isEqualTo("compact");
    assertThat(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions())
        .hasSize(1);
  }

  private String config(String name) throws ExecutionException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(name).value();
  }

  @Test
  void whatIsPlannedInTimeIsNotLate() {
    LimitsCli cli = cli();
    LimitsCli.Result planned = done(cli.run("set sms quota=2/2s --at +1m --by ada"));
    assertThat(planned.err()).isEmpty();
    assertThat(done(cli.run("history sms")).out()).hasSize(2).noneMatch(x -> x.contains("late"));
  }

  @Test
  void mistakesAreFoundAllAtOnceAndNothingIsPublished() throws Exception {
    LimitsCli cli = cli();
    assertThat(mistakes(cli.run("set reply quota=0/60s burst=3 exceded=retry")))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("sluice.limit.reply.quota=0/60s: "))
        .anyMatch(line -> line.startsWith("sluice.limit.reply.burst=3: "))
        .anyMatch(line -> line.contains("did you mean sluice.limit.reply.exceeded?"));
    assertThat(mistakes(cli.run("set repl quota=7/60s")))
        .singleElement()
        .asString()
        .contains("limit=repl: unknown; did you mean reply?");
    assertThat(mistakes(cli.run("set reply key=target")))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.reply.key=target: ");
    assertThat(mistakes(cli.run("set reply quota=6/60s --for shop-7 --at noon --until 1700000000")))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("--for shop-7: must be a field and a value"))
        .anyMatch(line -> line.startsWith("--at noon: a time is ISO-8601"))
        .anyMatch(line -> line.startsWith("--until 1700000000: a time is ISO-8601"));
    assertThat(mistakes(cli.run("set reply quota=6/60s --for userId=a --for userId=b")))
        .containsExactly("--for userId: is there twice");
    assertThat(mistakes(cli.run("set reply quota=6/60s quota=7/60s")))
        .containsExactly("quota: is there twice");
    assertThat(mistakes(cli.run("set", "reply", "quota=6/60s", "--note", "one\ntwo")))
        .containsExactly("note=one two: no control characters");
    assertThat(
            mistakes(
                cli.run("set", "reply", "quota=6/60s", "--for", "userId=" + "u".repeat(1_001))))
        .singleElement()
        .asString()
        .contains("at most 1000 characters")
        .hasSizeLessThan(300);
    assertThat(mistakes(cli.run("set reply quota=6/60s --at +1h --until +10m")))
        .singleElement()
        .asString()
        .contains("must be after effectiveAt");
    assertThat(mistakes(cli.run("set reply quota=6/60s --for target=bob")))
        .containsExactly("for.target: accepted are fields of the key of reply: userId");
    assertThat(mistakes(cli.run("block")))
        .singleElement()
        .asString()
        .startsWith("--for is missing");
    assertThat(mistakes(cli.run("add reply quota=6/60s")))
        .containsExactly("limit=reply: exists already; change it with set");
    assertThat(mistakes(cli.run("clear --limit reply")))
        .containsExactly("nothing to clear: at that time no revision sets a setting of reply");
    assertThat(admin.listTopics().names().get()).doesNotContain(topic);
  }

  @Test
  void whatWouldBeRefusedForAWhileOnlyIsRefusedWithTheTime() {
    LimitsCli cli = cli();
    done(cli.run("set sms exceeded=delay --at 2030-01-01T00:00:00Z --until 2030-02-01T00:00:00Z"));
    assertThat(mistakes(cli.run("set sms delay.max=1m --at 2030-01-15T00:00:00Z")))
        .singleElement()
        .asString()
        .startsWith("from 2030-02-01T00:00:00Z: sluice.limit.sms.delay.max=1m: ");
    done(cli.run("set sms delay.max=1m --at 2030-01-15T00:00:00Z --until 2030-02-01T00:00:00Z"));
    LimitsCli.Result shorter =
        done(cli.run("set sms exceeded=reject --at 2030-01-10T00:00:00Z --dry-run"));
    assertThat(shorter.err())
        .singleElement()
        .asString()
        .startsWith("warning: with this change, revision ")
        .contains(" is refused: sluice.limit.sms.delay.max=1m: only applies");
    assertThat(shorter.out().get(1)).isEqualTo("dry run: nothing is published");
    assertThat(done(cli.run("history")).out()).hasSize(3);
  }

  @Test
  void anAbuserIsBlockedAndClearedAgain() {
    LimitsCli cli = cli();
    LimitsCli.Result block = done(cli.run("block --for userId=eve --until +1h --at now --by ada"));
    assertThat(block.out().get(0))
        .matches("reply: metered -> denied, from .*Z, for userId=eve, until .*Z");
    assertThat(block.out().get(1)).startsWith("sms: metered -> denied");
    List<String> shown = done(cli.run("")).out();
    assertThat(shown).anyMatch(line -> line.matches("\\* +every limit .* 1"));
    assertThat(shown.get(shown.size() - 1)).matches("\\* +userId=eve +verdict=reject .*Z +ada");
    assertThat(done(cli.run("exempt --for userId=eve --limit sms --at now")).out().get(0))
        .startsWith("sms: denied -> exempt");
    assertThat(done(cli.run("clear --for userId=eve --until +1h --dry-run")).out())
        .anyMatch(line -> line.contains("denied -> metered") && line.contains(", until 2"));
    assertThat(done(cli.run("clear --for userId=eve --at now")).out())
        .anyMatch(line -> line.startsWith("reply: denied -> metered"))
        .anyMatch(line -> line.startsWith("sms: nothing changes: ") && line.contains("exempt"));
    assertThat(done(cli.run("")).out()).noneMatch(line -> line.startsWith("*"));
    assertThat(done(cli.run("history reply --for userId=eve")).out()).hasSize(3);
    assertThat(done(cli.run("reset --for userId=eve --dry-run")).out().get(0))
        .startsWith("reply: usage is reset, from ");
  }

  @Test
  void aLimitWithAQueueIsPausedAndResumed() {
    LimitsCli cli = cli("sluice.limit.sms.exceeded=queue");
    assertThat(mistakes(cli.run("pause reply")))
        .containsExactly(
            "sluice.limit.reply.verdict=pause: accepted with exceeded=queue, where events can wait"
                + " for the end of the pause; the limit has exceeded=reject");
    assertThat(mistakes(cli.run("resume sms")))
        .containsExactly("nothing to resume: at that time no revision pauses sms");
    LimitsCli.Result pause = done(cli.run("pause sms --until +5m --at now --by ada"));
    assertThat(pause.out().get(0)).startsWith("sms: metered -> paused, from ");
    assertThat(done(cli.run("")).out())
        .anyMatch(line -> line.startsWith("limit ") && line.contains("paused"))
        .anyMatch(line -> line.matches("sms .* until 20\\S+Z .*ada"));
    done(cli.run("pause sms --at now"));
    String planned = id(done(cli.run("pause sms --at +1h --until +2h")));
    assertThat(done(cli.run("")).out()).anyMatch(line -> line.matches("sms .* until resumed .*"));
    assertThat(mistakes(cli.run("resume sms --for userId=ada")))
        .containsExactly(
            "nothing to resume: at that time no revision pauses sms, for userId=ada; paused are"
                + " sms");
    assertThat(done(cli.run("resume sms --dry-run")).out()).doesNotContain("resumed");

    LimitsCli.Result resume = done(cli.run("resume sms --by bob"));
    assertThat(resume.out().get(0)).isEqualTo("2 pauses end:");
    assertThat(resume.out()).anyMatch(line -> line.startsWith("sms: paused -> metered, from "));
    assertThat(resume.out().get(resume.out().size() - 1)).startsWith("resumed " + id(pause));
    assertThat(resume.err())
        .singleElement()
        .asString()
        .startsWith("warning: the pause " + planned.substring(0, 8) + " stays planned, from ");
    assertThat(mistakes(cli.run("resume sms --at +3s"))).hasSize(1);
  }

  @Test
  void allLimitsWithAQueueArePausedTogether() throws Exception {
    assertThat(mistakes(cli().run("pause *")))
        .containsExactly(
            "nothing to pause: at that time no limit has exceeded=queue; only such limits can be"
                + " paused");
    LimitsCli cli = cli("sluice.limit.sms.exceeded=queue");
    LimitsCli.Result pause = done(cli.run("pause * --at now"));
    assertThat(pause.out().get(0)).startsWith("reply: nothing changes");
    assertThat(pause.out().get(1)).startsWith("sms: metered -> paused");
    assertThat(mistakes(cli.run("resume sms")))
        .containsExactly("nothing to resume: at that time no revision pauses sms; paused are *");
    assertThat(done(cli.run("resume *")).out().get(0)).isEqualTo("1 pause ends:");
    publish(
        Map.of(
            "both", "{'limit':'sms','set':{'verdict':'pause','quota':'1/1s'}}".replace('\'', '"')));
    assertThat(mistakes(cli.run("resume sms")))
        .containsExactly(
            "revision both also sets quota=1/1s, verdict=pause; end it with undo, or its pause"
                + " alone with clear verdict");
  }

  @Test
  void whatIsPlannedIsTakenBackAndWhatIsInForceIsEnded() {
    LimitsCli cli = cli();
    String planned = id(done(cli.run("set reply quota=50/60s --at 2030-01-01T00:00:00Z --by ada")));
    String inForce = id(done(cli.run("set reply quota=10/60s --at -1h --by ada --note launch")));
    assertThat(mistakes(cli.run("undo nobody")))
        .containsExactly("no revision has an id that begins with nobody");
    assertThat(mistakes(cli.run("undo", ""))).singleElement().asString().startsWith("2 ids begin");
    LimitsCli.Result undone =
        done(cli.run("undo " + planned + " " + inForce.substring(0, 8) + " --by bob"));
    assertThat(undone.out())
        .anyMatch(line -> line.startsWith("reply: at most 10") && line.contains("-> at most 5"))
        .anyMatch(line -> line.startsWith("reply: at most 50") && line.contains("-> at most 5"));
    List<String> history = done(cli.run("history --json")).out();
    assertThat(history)
        .singleElement()
        .asString()
        .contains(inForce, "\"until\":", "launch; undone by bob", "\"by\":\"ada\"");
    assertThat(done(cli.run("history --export")).out().get(0))
        .startsWith("{\"id\":\"" + inForce + "\",\"limit\":\"reply\",\"effectiveAt\":");
    assertThat(mistakes(cli.run("undo " + inForce)))
        .singleElement()
        .asString()
        .containsPattern("(has ended|ends anyway), at ");
    assertThat(mistakes(cli.run("undo " + planned))).hasSize(1);
  }

  @Test
  void aRampIsAllOrNothing() {
    LimitsCli cli = cli();
    String ramp = "ramp sms --from 100/1h --to 10000/1h --over 7d --at 2030-01-01T00:00:00Z";
    LimitsCli.Result tried = done(cli.run(ramp + " --steps 14 --dry-run"));
    assertThat(tried.out())
        .hasSize(17)
        .contains("from                  quota", "2030-01-07T12:00:00Z  10000/1h");
    assertThat(done(cli.run("history")).out()).isEmpty();
    assertThat(done(cli.run(ramp + " --steps 3")).err()).isEmpty();
    List<String> shown = done(cli.run("--json")).out();
    assertThat(shown.get(1))
        .contains("\"limit\":\"sms\"", "\"permits\":1,\"periodMs\":2000,\"burst\":1")
        .containsPattern("\"planned\":\\[(\"[0-9a-f-]{36}\",?){3}\\]");
    assertThat(mistakes(cli.run(ramp.replace("100/1h", "0/1h") + " --steps 3 --over 1parsec")))
        .hasSizeGreaterThanOrEqualTo(1);
    done(cli.run("set sms burst=200 --at 2030-01-02T00:00:00Z"));
    assertThat(done(cli.run("history sms")).out()).hasSize(5);
  }

  @Test
  void aLimitIsAddedAndTakenAway() {
    LimitsCli cli = cli();
    LimitsCli.Result added = done(cli.run("add dm match.action=dm quota=3/60s --at now"));
    assertThat(added.out().get(0)).startsWith("dm: not in force -> action=dm, 3 in 60 s, burst 3,");
    assertThat(done(cli.run("")).out()).anyMatch(line -> line.startsWith("dm     action=dm"));
    assertThat(mistakes(cli.run("clear --limit dm")))
        .containsExactly(
            "limit=dm: the file does not have this limit; to disable it, use set dm"
                + " enabled=false");
    assertThat(done(cli.run("remove dm --at now")).out().get(0)).contains("-> not in force");
    assertThat(done(cli.run("")).out()).noneMatch(line -> line.startsWith("dm     action=dm"));
  }

  @Test
  void garbageIsShownAndChangesNothing() throws Exception {
    LimitsCli cli = cli();
    done(cli.run("set reply quota=10/60s --at now"));
    publish(
        Map.of(
            "not-json", "{\"limit\":",
            "\u001b[31m", "garbage\u001b[2J",
            "instance/1", "of an instance",
            "team/refused", "{\"limit\":\"reply\",\"set\":{\"quota\":\"0/60s\"}}"));
    LimitsCli.Result shown = done(cli.run(""));
    assertThat(shown.out()).anyMatch(line -> line.contains("at most 10 in any 60 s"));
    assertThat(shown.err())
        .containsExactlyInAnyOrder(
            "warning: refused revisions: 1; limits history shows why",
            "warning: unreadable records: 2; limits history shows why");
    List<String> history = done(cli.run("history")).out();
    assertThat(history)
        .hasSize(5)
        .noneMatch(line -> line.contains("\u001b"))
        .anyMatch(line -> line.matches(".*refused +sluice.limit.reply.quota=0/60s: .*"))
        .anyMatch(line -> line.startsWith("unreadable: offset ") && line.contains("id not-json"));
    done(cli.run("undo not-json team/refused"));
    await().untilAsserted(() -> assertThat(done(cli.run("")).err()).hasSize(1));
  }

  @Tag("full") // writes and reads 100,000 overrides
  @Test
  void manyOverridesAreCountedAndNotAllPrinted() throws Exception {
    LimitsCli cli = cli();
    done(cli.run("set reply quota=10/60s --at now"));
    Map<String, String> records =
        Stream.iterate(0, i -> i < 100_000, i -> i + 1)
            .collect(
                toMap(
                    i -> UUID.randomUUID().toString(),
                    i ->
                        "{\"limit\":\"reply\",\"for\":{\"userId\":\"u%d\"},\"set\":{\"quota\":\"%d/60s\"}}"
                            .formatted(i, 10 + i % 7)));
    publish(records);
    LimitsCli.Result shown = done(cli.run(""));
    assertThat(shown.out()).hasSizeLessThan(30).anyMatch(line -> line.matches("reply .* 100000"));
    assertThat(shown.out().get(shown.out().size() - 1))
        .isEqualTo("and 99980 older overrides; limits history shows them");
    done(cli.run("set reply quota=11/60s --for userId=u77"));
    assertThat(done(cli.run("history --for userId=u77")).out()).hasSize(3);
  }

  /** The second change is published while the first is being explained, before it is written. */
  @Test
  void ofTwoChangesAtOnceBothAreWrittenAndWhoIsRefusedIsTold() {
    LimitsCli cli = cli();
    done(cli.run("set sms exceeded=delay --at 2030-01-01T00:00:00Z"));
    AtomicBoolean first = new AtomicBoolean(true);
    Consumer<String> meanwhile =
        line -> {
          if (!first.getAndSet(false)) return;
          done(cli.run("set sms exceeded=reject --at 2030-01-10T00:00:00Z"));
        };
    LimitsCli.Result refused =
        done(cli.run(meanwhile, "set", "sms", "delay.max=1m", "--at", "2030-01-15T00:00:00Z"));
    assertThat(refused.err())
        .anyMatch(
            line ->
                line.startsWith("warning: another change was published at the same time; ")
                    && line.contains("sluice.limit.sms.delay.max=1m: only applies"));
    assertThat(done(cli.run("history sms")).out()).hasSize(4);
  }

  @Test
  void ofAnApplicationWhoseLimitsAreNotLiveNothingIsChanged() throws Exception {
    assertThat(mistakes(cli("sluice.limits.live=false").run("set reply quota=10/60s")))
        .containsExactly("sluice.limits.live=false: instances would not read a change");
    done(cli("sluice.topics.limits=" + topic + "-of-its-own").run("set reply quota=10/60s"));
    assertThat(admin.listTopics().names().get())
        .contains(topic + "-of-its-own")
        .doesNotContain(topic);
  }

  @Test
  void whatCannotBeReadIsOneLineAndExitCodeOne() throws Exception {
    LimitsCli.Result missing = cli("sluice.topics.create=false").run("");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err())
        .singleElement()
        .asString()
        .startsWith("there is no topic " + topic + ": create it, with one partition");
    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    await().until(() -> admin.listTopics().names().get().contains(topic));
    LimitsCli.Result two = cli().run("");
    assertThat(two.exitCode()).isEqualTo(1);
    assertThat(two.err())
        .containsExactly("the topic of revisions must have one partition: " + topic + " has 2");
    int port = freePort();
    LimitsCli.Result away =
        cli(
                "bootstrap.servers=127.0.0.1:" + port,
                "default.api.timeout.ms=2000",
                "request.timeout.ms=2000")
            .run("");
    assertThat(away.exitCode()).isEqualTo(1);
    assertThat(away.err())
        .containsExactly("no broker answers at 127.0.0.1:" + port + " (bootstrap.servers)");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
