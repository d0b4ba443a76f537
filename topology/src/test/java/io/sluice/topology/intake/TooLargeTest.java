package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.RawRecord;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.RecordSizes.Sending;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of events that are too large to be written, and of their dead letters. */
class TooLargeTest {
  private static final int PLENTY = 1 << 20;
  private static final int TIGHT = 20_000;

  private final SluiceConfig config =
      ConfigText.config("sluice.limit.reply.exceeded=delay", "sluice.limit.reply.key=userId");

  private RecordSizes sizes(String... tight) {
    Map<String, Integer> bytes = new HashMap<>();
    Topics names = config.topics();
    for (String topic :
        java.util.List.of(
            names.allowed().names().get(0), names.rejected().names().get(0), names.delayed())) {
      bytes.put(topic, PLENTY);
    }
    Nodes.internalTopics(config.applicationId()).forEach(topic -> bytes.put(topic, PLENTY));
    for (String topic : tight) bytes.put(topic, TIGHT);
    return RecordSizesTest.sizes(bytes, new Sending(PLENTY, Compression.NONE));
  }

  private boolean fits(EventRoom room, int userBytes, int otherBytes, int keyBytes) {
    byte[] value =
        ("{\"userId\":\"%s\",\"action\":\"reply\",\"more\":\"%s\"}"
                .formatted("u".repeat(userBytes), "m".repeat(otherBytes)))
            .getBytes(UTF_8);
    EventRecord event = new EventRecord(value);
    try {
      event.opened(
          config
              .eventDecoder()
              .decode(RawRecord.ofValue(value, Origin.of("user-actions", 0, 1), 1)),
          Origin.of("o", 0, 1),
          1);
    } catch (UnreadableEventException e) {
      throw new AssertionError(e);
    }
    return room.lacking(event, new byte[keyBytes], new RecordHeaders()).isEmpty();
  }

  @Test
  void anEventMustFitIntoTheOutputsOfItsOwnInputOnly() throws UnreadableEventException {
    SluiceConfig two =
        ConfigText.config(
            "sluice.topics.input=sms,replies", "sluice.topics.allowed={input}-allowed");
    Map<String, Integer> bytes = new HashMap<>(Map.of("replies-allowed", TIGHT));
    bytes.put("sms-allowed", PLENTY);
    bytes.put("rejected-actions", PLENTY);
    Nodes.internalTopics(two.applicationId()).forEach(topic -> bytes.put(topic, PLENTY));
    RecordSizes sizes = RecordSizesTest.sizes(bytes, new Sending(PLENTY, Compression.NONE));
    EventRoom room = EventRoom.ofInput(two, CurrentLimits.of(two.limitsConfig()), sizes).get();
    byte[] value =
        ("{\"userId\":\"ada\",\"action\":\"" + "a".repeat(TIGHT) + "\"}").getBytes(UTF_8);

    for (String topic : java.util.List.of("sms", "replies")) {
      Origin origin = Origin.of(topic, 0, 1);
      EventRecord event = new EventRecord(value);
      event.opened(two.eventDecoder().decode(RawRecord.ofValue(value, origin, 1)), origin, 1);
      assertThat(room.lacking(event, new byte[1], new RecordHeaders()))
          .matches(lacking -> lacking.isEmpty() == topic.equals("sms"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allowed-actions",
        "rejected-actions",
        "delayed-actions",
        "sluice-home-repartition",
        "sluice-waiting-changelog"
      })
  void anEventMustFitWhereverItMayGo(String tight) {
    EventRoom room =
        EventRoom.ofInput(config, CurrentLimits.of(config.limitsConfig()), sizes(tight)).get();
    assertThat(fits(room, 10, TIGHT - 2_000, 10)).isTrue();
    assertThat(fits(room, 10, TIGHT, 10)).isFalse();
    assertThat(fits(room, 10, 10, TIGHT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sluice-limits-changelog", "sluice-turns-changelog"})
  void aKeyOfALimitMustFitInARow(String tight) {
    EventRoom room =
        EventRoom.ofInput(config, CurrentLimits.of(config.limitsConfig()), sizes(tight)).get();
    assertThat(fits(room, 10, 2 * TIGHT, 10)).isTrue();
    assertThat(fits(room, TIGHT - 10_000, 10, 10)).isTrue();
    assertThat(fits(room, TIGHT, 10, 10)).isFalse();
  }

  /** A thousand distinct values are in one row. */
  @Test
  void aKeyMustFitBesideTheDistinctValuesOfItsRow() {
    SluiceConfig distinct =
        ConfigText.config(
            "sluice.limit.reply.algorithm=sliding-window-log",
            "sluice.limit.reply.distinct=target",
            "sluice.limit.reply.key.missing=share",
            "sluice.limit.reply.quota=1000/1h");
    int most = 100_000;
    RecordSizes sizes =
        RecordSizesTest.sizes(
            Map.of("sluice-limits-changelog", most), new Sending(PLENTY, Compression.NONE));
    EventRoom room =
        EventRoom.ofInput(distinct, CurrentLimits.of(distinct.limitsConfig()), sizes).get();
    assertThat(fits(room, most - 36 * 1_000, 10, 10)).isFalse();
    assertThat(fits(room, most - 42_000, 10, 10)).isTrue();
  }

  @Test
  void aLongUserStandsTwiceInARowThatWaits() {
    EventRoom room =
        EventRoom.ofInput(
                config, CurrentLimits.of(config.limitsConfig()), sizes("sluice-waiting-changelog"))
            .get();
    assertThat(fits(room, 10_000, 10, 10)).isFalse();
    assertThat(fits(room, 9_000, 10, 10)).isTrue();
  }

  @Test
  void whereNothingIsDelayedItsTopicDoesNotMatter() {
    SluiceConfig rejects = ConfigText.config();
    EventRoom room =
        EventRoom.ofInput(
                rejects,
                CurrentLimits.of(rejects.limitsConfig()),
                sizes("delayed-actions", "sluice-waiting-changelog"))
            .get();
    assertThat(fits(room, 10, TIGHT, 10)).isTrue();
  }

  @Test
  void anEventThatMayWaitForRedisMustFitIntoItsTopicToo() {
    SluiceConfig both =
        ConfigText.config(
            "sluice.limits=reply,remote",
            "sluice.limit.remote.quota=5/60s",
            "sluice.limit.remote.backend=redis",
            "sluice.redis.uri=redis://localhost:6379");
    EventRoom room =
        EventRoom.ofInput(both, CurrentLimits.of(both.limitsConfig()), sizes("delayed-actions"))
            .get();
    assertThat(fits(room, 10, TIGHT - 2_000, 10)).isTrue();
    assertThat(fits(room, 10, TIGHT, 10)).isFalse();
  }

  private Record<byte[], EventRecord> letter(int taken, int key, int value, int header) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("theirs", new byte[header]);
    headers.add("sluice-error-left-out", "a lie".getBytes(UTF_8));
    EventRecord event = new EventRecord(new byte[value]);
    event.faulty(
        new UnreadableEventException(FaultKind.TOO_LARGE, "too large"),
        Origin.of("input", 3, 17),
        5);
    DeadLetters letters =
        new DeadLetters(
            counted -> {},
            RecordSizesTest.sizes(Map.of("dead", taken), new Sending(PLENTY, Compression.NONE)),
            OutputTopics.one("dead"));
    Record<byte[], EventRecord> letter = letters.of(new Record<>(new byte[key], event, 1, headers));
    assertThat(RecordSizes.bytes(letter.key(), letter.value().bytes(), letter.headers()))
        .isLessThanOrEqualTo(taken);
    assertThat(text(letter, "sluice-error")).isEqualTo("too large");
    assertThat(text(letter, "sluice-error-origin")).isEqualTo("input-3-17");
    assertThat(letter.timestamp()).isEqualTo(5);
    return letter;
  }

  private static String text(Record<byte[], EventRecord> letter, String header) {
    var found = letter.headers().lastHeader(header);
    return found == null ? "" : new String(found.value(), UTF_8);
  }

  @Test
  void aDeadLetterHasAllThatFits() {
    Record<byte[], EventRecord> letter = letter(TIGHT, 100, 10_000, 100);
    assertThat(letter.value().bytes()).hasSize(10_000);
    assertThat(letter.headers().lastHeader("theirs").value()).hasSize(100);
    assertThat(text(letter, "sluice-error-left-out")).isEmpty();
  }

  @Test
  void itsValueIsLeftOutIfThatIsTooLarge() {
    Record<byte[], EventRecord> letter = letter(TIGHT, 100, 30_000, 100);
    assertThat(letter.value().bytes()).isNull();
    assertThat(letter.key()).hasSize(100);
    assertThat(letter.headers().lastHeader("theirs").value()).hasSize(100);
    assertThat(text(letter, "sluice-error-left-out")).isEqualTo("value");
  }

  @Test
  void whateverIsTooLargeIsLeftOut() {
    assertThat(text(letter(TIGHT, 100, 100, 30_000), "sluice-error-left-out")).isEqualTo("headers");
    assertThat(text(letter(TIGHT, 30_000, 100, 100), "sluice-error-left-out")).isEqualTo("key");
    assertThat(text(letter(TIGHT, 30_000, 90_000, 50_000), "sluice-error-left-out"))
        .isEqualTo("value,headers,key");
  }

  @Test
  void atLastTheErrorIsShortenedAndTheOriginStays() {
    RecordHeaders headers = new RecordHeaders();
    EventRecord event = new EventRecord(new byte[100]);
    event.faulty(
        new UnreadableEventException("no such thing: " + "\u2603".repeat(600)),
        Origin.of("input", 3, 17),
        5);
    RecordSizes sizes =
        RecordSizesTest.sizes(Map.of("dead", 600), new Sending(PLENTY, Compression.NONE));
    DeadLetters letters = new DeadLetters(counted -> {}, sizes, OutputTopics.one("dead"));

    Record<byte[], EventRecord> letter = letters.of(new Record<>(new byte[9], event, 1, headers));

    assertThat(RecordSizes.bytes(letter.key(), letter.value().bytes(), letter.headers()))
        .isLessThanOrEqualTo(600);
    assertThat(text(letter, "sluice-error")).startsWith("no such thing: \u2603").endsWith("...");
    assertThat(text(letter, "sluice-error-origin")).isEqualTo("input-3-17");
  }

  /** A record that another program wrote to the topic of delayed events may name any origin. */
  @Test
  void anOriginThatIsMadeUpIsNoLongerThanOneCanBe() {
    EventRecord event = new EventRecord(new byte[1]);
    event.faulty(new UnreadableEventException("no event"), Origin.parse("o".repeat(50_000)), 5);
    RecordSizes sizes =
        RecordSizesTest.sizes(Map.of("dead", TIGHT), new Sending(PLENTY, Compression.NONE));
    DeadLetters letters = new DeadLetters(counted -> {}, sizes, OutputTopics.one("dead"));

    Record<byte[], EventRecord> letter =
        letters.of(new Record<>(null, event, 1, new RecordHeaders()));

    assertThat(RecordSizes.bytes(letter.key(), letter.value().bytes(), letter.headers()))
        .isLessThanOrEqualTo(TIGHT);
  }
}
