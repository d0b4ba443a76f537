package io.sluice.cli.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.RedriveCli;
import io.sluice.cli.redrive.LetterTopics.Letter;
import io.sluice.rules.StartException;
import io.sluice.runtime.cluster.PastRecords;
import io.sluice.runtime.cluster.RedriveSender;
import io.sluice.runtime.cluster.RedriveSender.Returned;
import io.sluice.runtime.cluster.RedriveSession;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters that go back to their topics on a real broker. */
@Timeout(180)
@Tag("slow") // starts a broker, and a process that is killed
class RedriveIT {
  private static LetterTopics topics;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    topics = new LetterTopics();
  }

  @AfterAll
  static void stop() {
    topics.close();
  }

  private RedriveCli redrive(Map<String, String> settings) {
    return LetterTopics.redrive(folder, settings);
  }

  private static String event(int number) {
    return "{\"userId\":\"u%d\",\"action\":\"post\"}".formatted(number);
  }

  private static String nested(int number) {
    return "{\"user\":{\"id\":\"u%d\"},\"action\":\"post\"}".formatted(number);
  }

  private static Map<String, String> with(Map<String, String> settings, String key, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(key, value);
    return all;
  }

  private static List<Letter> readable(String input, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Letter(event(i), "undecodable", input + "-1-" + i))
        .toList();
  }

  @Test
  void lettersGoBackOnceAndTheOthersStayUntilTheyCanBeRead() throws Exception {
    Map<String, String> settings = topics.application("several");
    topics.write(
        "several-dead",
        List.of(
            new Letter(event(0), "in-future", "several-in-1-5"),
            new Letter(nested(1), "missing-field", "several-in-0-6"),
            new Letter("no event", "unknown-format", "several-in-0-7"),
            new Letter(event(3), "missing-field", "payments-0-8"),
            new Letter(event(4), "invalid-header", "several-delayed-0-9"),
            new Letter(null, "too-large", "several-in-0-9", "sluice-error-left-out=value")));

    RedriveCli.Result preview = redrive(settings).run("--dry-run");
    assertThat(preview.exitCode()).as("%s", preview).isZero();
    assertThat(preview.err()).containsExactly("Reading 6 offsets of several-dead");
    assertThat(preview.out())
        .containsSubsequence(
            "reason          letters  to send  still unreadable  left out  other",
            "in-future             1        1                 0         0      0",
            "This was a dry run: nothing was sent.");
    assertThat(topics.names()).doesNotContain("several-redriven");
    assertThat(topics.written("several-in")).isEmpty();

    RedriveCli.Result result = redrive(settings).run();
    assertThat(result.exitCode()).as("%s", result).isZero();
    assertThat(result.out())
        .startsWith(
            "reason          letters  sent  still unreadable  left out  other",
            "in-future             1     1                 0         0      0",
            "invalid-header        1     0                 0         0      1",
            "missing-field         2     0                 1         0      1",
            "too-large             1     0                 0         1      0",
            "unknown-format        1     0                 1         0      0",
            "(all)                 6     1                 2         1      2")
        .contains(
            "  several-dead-0-1: userId is missing",
            "  several-dead-0-5: it lacks value of several-in-0-9",
            "  several-dead-0-3: it came from payments-0-8, which is no input topic of the"
                + " configuration");
    ConsumerRecord<byte[], byte[]> sent = topics.committed("several-in").get(0);
    assertThat(new String(sent.value(), UTF_8)).isEqualTo(event(0));
    assertThat(new String(sent.key(), UTF_8)).isEqualTo("kseveral-in-1-5");
    assertThat(sent.partition()).isEqualTo(1);
    assertThat(sent.timestamp()).isEqualTo(LetterTopics.TIME_MS);
    assertThat(StreamSupport.stream(sent.headers().spliterator(), false).map(Header::key))
        .containsExactly("trace");

    RedriveCli.Result again = redrive(settings).run();
    assertThat(again.out())
        .contains("(all)                 5     0                 2         1      2")
        .contains("1 more were sent by earlier runs");

    RedriveCli.Result mended = redrive(with(settings, "sluice.event.user", "user.id")).run();
    assertThat(mended.out())
        .contains("missing-field         2     1                 0         0      1");
    assertThat(LetterTopics.values(topics.written("several-in")))
        .containsExactlyInAnyOrder(event(0), nested(1));
    assertThat(topics.names()).doesNotContain("payments");
  }

  @Test
  void optionsSelectLetters() throws Exception {
    Map<String, String> settings = topics.application("options");
    List<Letter> letters = new ArrayList<>(readable("options-in", 4));
    letters.add(new Letter(event(4), "invalid-field", "options-in-0-4"));
    letters.add(new Letter(event(5), "made-up", "options-in-0-5"));
    topics.write("options-dead", letters);

    assertThat(redrive(settings).run("--since", "5m").out())
        .contains("(all)         0     0                 0         0      0");
    assertThat(redrive(settings).run("--reason", "invalid-field,empty").out())
        .contains("invalid-field        1     1                 0         0      0");
    assertThat(redrive(settings).run("--limit", "3", "--since", "1h").out())
        .contains("undecodable        3     3                 0         0      0")
        .contains("Stopped after --limit 3: a further run goes on with the other letters.");
    assertThat(redrive(settings).run().out())
        .contains("(unknown)          1     1                 0         0      0")
        .contains("undecodable        1     1                 0         0      0");
    assertThat(LetterTopics.values(topics.written("options-in")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 6).mapToObj(RedriveIT::event).toList());
  }

  @Test
  void mistakenOptionsAreOneLine() throws Exception {
    Map<String, String> settings = topics.settings("mistaken");
    for (String[] options :
        new String[][] {{"--since", "soon"}, {"--reason", "bad"}, {"--limit", "0"}}) {
      RedriveCli.Result result = redrive(settings).run(options);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).singleElement().asString().startsWith(options[0]);
    }
    RedriveCli.Result result = redrive(settings).run();
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .containsExactly("there is no topic mistaken-dead (sluice.topics.dead-letter)");
  }

  /** The killed process has sent all letters, and has committed the first 500 of them. */
  @Test
  void afterAKillNothingIsSentTwiceAndNothingIsLost() throws Exception {
    Map<String, String> settings = topics.application("killed");
    topics.write("killed-dead", readable("killed-in", 800));
    Process process =
        redrive(with(settings, "default.client.supplier", HaltingClients.class.getName())).start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(HaltingClients.EXIT_CODE);
    } finally {
      process.destroyForcibly();
    }
    assertThat(topics.written("killed-in")).hasSize(800);

    RedriveCli.Result result = redrive(settings).run();
    assertThat(result.exitCode()).as("%s", result).isZero();
    assertThat(result.out())
        .contains("undecodable      300   300                 0         0      0")
        .contains("500 more were sent by earlier runs");
    assertThat(topics.written("killed-in")).hasSize(1_100);
    assertThat(LetterTopics.values(topics.committed("killed-in")))
        .containsExactlyElementsOf(IntStream.range(0, 800).mapToObj(RedriveIT::event).toList());
    assertThat(redrive(settings).run().out()).contains("800 more were sent by earlier runs");
  }

  /** The letter of one run is sent by the other, which has started later. */
  @Test
  void ofTwoRunsTheLaterOneGoesOn() throws Exception {
    SluiceConfig config = SluiceConfig.of(topics.application("two"));
    topics.write("two-dead", readable("two-in", 1));
    try (RedriveSession first = RedriveSession.open(config);
        RedriveSender fenced = first.openSender();
        RedriveSession second = RedriveSession.open(config);
        RedriveSender sender = second.openSender();
        PastRecords letters = first.letters(Instant.EPOCH)) {
      ConsumerRecord<byte[], byte[]> letter = letters.next(() -> {}).orElseThrow();
      List<Returned> batch =
          List.of(new Returned(letter, new ProducerRecord<>("two-in", letter.value())));
      assertThatThrownBy(() -> fenced.send(batch))
          .isInstanceOf(StartException.class)
          .hasMessageStartingWith("another redrive of two has started");
      assertThat(second.isSent(letter)).isFalse();
      assertThat(sender.send(batch)).isEmpty();
      assertThat(second.isSent(letter)).isTrue();
    }
    assertThat(topics.committed("two-in")).hasSize(1);
  }

  /** Otherwise one letter would block all letters behind it. */
  @Test
  void aLetterThatTheInputTopicRefusesStays() throws Exception {
    topics.create("strict-in", Map.of("max.message.bytes", "2000"));
    topics.create("strict-dead", Map.of());
    List<Letter> letters = new ArrayList<>(readable("strict-in", 3));
    String large = "{\"userId\":\"%s\",\"action\":\"post\"}".formatted("u".repeat(5_000));
    letters.add(1, new Letter(large, "in-future", "strict-in-1-9"));
    topics.write("strict-dead", letters);

    RedriveCli.Result result = redrive(topics.settings("strict")).run();
    assertThat(result.exitCode()).as("%s", result).isZero();
    assertThat(result.out())
        .contains("in-future          1     0                 0         0      1")
        .contains("undecodable        3     3                 0         0      0")
        .anyMatch(line -> line.startsWith("  strict-dead-0-1: strict-in refuses it: "));
    assertThat(LetterTopics.values(topics.committed("strict-in")))
        .containsExactly(event(0), event(1), event(2));
  }

  /** Kafka fails all unsent letters of the transaction with the exception of the refused one. */
  @Test
  void aRefusedLetterDoesNotKeepItsNeighbours() throws Exception {
    topics.create("crowd-in", Map.of("max.message.bytes", "20000"));
    topics.create("crowd-dead", Map.of());
    String event = "{\"userId\":\"u%d\",\"action\":\"post\",\"text\":\"%s\"}";
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 100; i++) events.add(event.formatted(i, "x".repeat(6_000)));
    List<Letter> letters = new ArrayList<>();
    for (String each : events) letters.add(new Letter(each, "undecodable", "crowd-in-1-1"));
    String large = event.formatted(100, "x".repeat(30_000));
    letters.add(10, new Letter(large, "in-future", "crowd-in-1-9"));
    topics.write("crowd-dead", letters);

    RedriveCli.Result result = redrive(topics.settings("crowd")).run();
    assertThat(result.exitCode()).as("%s", result).isZero();
    assertThat(result.out())
        .contains("in-future          1     0                 0         0      1")
        .contains("undecodable      100   100                 0         0      0")
        .anyMatch(line -> line.startsWith("  crowd-dead-0-10: crowd-in refuses it: "));
    assertThat(LetterTopics.values(topics.committed("crowd-in"))).containsExactlyElementsOf(events);
    assertThat(redrive(topics.settings("crowd")).run().out())
        .contains("100 more were sent by earlier runs");
  }

  /** Such an event would be a dead letter again, although it can be decoded. */
  @Test
  void anEventThatIsTooLargeForAnOutputStays() throws Exception {
    Map<String, String> settings = topics.application("large");
    topics.create("large-allowed", Map.of("max.message.bytes", "2000"));
    String large = "{\"userId\":\"ada\",\"action\":\"post\",\"text\":\"%s\"}";
    topics.write(
        "large-dead",
        List.of(new Letter(large.formatted("x".repeat(3_000)), "too-large", "large-in-0-1")));
    assertThat(redrive(settings).run().out())
        .contains("too-large        1     0                 1         0      0")
        .anyMatch(line -> line.contains("are too many for large-allowed"));
  }

  /** The topic records which letters were sent: without it, all would be sent again. */
  @Test
  void theRecordOfSentLettersMustKeepThem() throws Exception {
    Map<String, String> settings = topics.application("kept");
    assertThat(redrive(with(settings, "sluice.topics.create", "false")).run().err())
        .last()
        .asString()
        .startsWith("there is no topic kept-redriven, ")
        .endsWith("create it with one partition and cleanup.policy=compact");
    topics.create("kept-redriven", Map.of());
    assertThat(redrive(settings).run().err())
        .last()
        .asString()
        .startsWith("kept-redriven must have one partition, and has 2");
    assertThat(redrive(with(settings, "sluice.topics.allowed", "kept-redriven")).run().err())
        .last()
        .asString()
        .startsWith("kept-redriven is needed to record");
  }
}
