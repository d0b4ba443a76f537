package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.testing.StoredFile;
import io.sluice.topology.Harness;
import io.sluice.topology.TestEvent;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that delayed events and their order are read as earlier releases have written them, in
 * files. A file is never changed; a new format gets files of the release that writes it, beside the
 * others.
 */
class StoredBytesTest {
  private static final long DUE_MS = 1_780_315_202_007L;
  private static final long TICKET = 0x0123456789abcdefL;
  private static final String FIRST = "user-actions-0-";
  private static final Origin ORIGIN = Origin.parse(FIRST + "17");
  private static final List<byte[]> TURNS =
      List.of(
          KeyOrder.row("sms", "ann", FIRST).get(),
          KeyOrder.row("mail", "ann☃\0x", FIRST).get(),
          KeyOrder.row("both", "k".repeat(200), FIRST).get());

  /** Returns delayed events of every shape. */
  static Map<String, DelayedEvent> waiting() {
    byte[] value = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
    byte[] key = "key".getBytes(UTF_8);
    Turn one = new Turn(TICKET, TURNS.subList(0, 1));
    Map<String, DelayedEvent> events = new LinkedHashMap<>();
    events.put("reserved", event(key, value, reserved(), false, one));
    events.put("reserved-unkeyed", event(null, value, reserved(), false, one));
    events.put("empty-key", event(new byte[0], value, reserved(), false, one));
    events.put("many-turns", event(key, value, reserved(), false, new Turn(-TICKET, TURNS)));
    events.put("retry", event(key, value, retry(), true, Turn.NONE));
    events.put("retry-unkeyed", event(null, value, retry(), true, Turn.NONE));
    events.put("from-elsewhere", event(null, value, elsewhere(), false, Turn.NONE));
    events.put("bare", event(null, new byte[0], new RecordHeaders(), false, Turn.NONE));
    events.put("long", event(key, "x".repeat(300).getBytes(UTF_8), reserved(), false, one));
    return events;
  }

  private static DelayedEvent event(
      byte[] key, byte[] value, Headers headers, boolean metersAgain, Turn turn) {
    Record<byte[], EventRecord> record =
        new Record<>(key, new EventRecord(value), 1_780_315_200_007L, headers);
    return new DelayedEvent(record, metersAgain, turn);
  }

  private static Headers reserved() {
    return headers(
        "trace=2",
        "sluice-limit=sms",
        "sluice-remaining=0",
        "sluice-reset-after-ms=4000",
        "sluice-release-at-ms=" + DUE_MS,
        "sluice-attempt=1",
        "sluice-verdict=allowed");
  }

  private static Headers retry() {
    return headers(
        "sluice-verdict=delayed",
        "sluice-limit=sms",
        "sluice-remaining=0",
        "sluice-retry-after-ms=2000",
        "sluice-reset-after-ms=2000",
        "sluice-release-at-ms=" + DUE_MS,
        "sluice-release-to=meter",
        "sluice-attempt=3",
        "sluice-origin=" + ORIGIN);
  }

  private static Headers elsewhere() {
    return headers("sluice-release-at-ms=" + DUE_MS, "näme☃=", "none", "none");
  }

  /** Parses headers from lines of the form name=value; a name without = has no value. */
  private static Headers headers(String... lines) {
    Headers headers = new RecordHeaders();
    for (String line : lines) {
      int end = line.indexOf('=');
      String name = end < 0 ? line : line.substring(0, end);
      headers.add(new RecordHeader(name, end < 0 ? null : line.substring(end + 1).getBytes(UTF_8)));
    }
    return headers;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"before-0.2.0/waiting", "0.2.0/waiting", "0.3.0/waiting"})
  void delayedEventsAreRead(String file) {
    Map<String, DelayedEvent> expected = waiting();
    assertThat(StoredFile.lines(file)).containsOnlyKeys(expected.keySet());
    StoredFile.lines(file)
        .forEach((name, hex) -> same(name, DelayedEvent.of(bytes(hex)), expected.get(name)));
  }

  private static void same(String name, DelayedEvent read, DelayedEvent expected) {
    assertThat(read.record().key()).as(name).isEqualTo(expected.record().key());
    assertThat(read.record().value().bytes()).isEqualTo(expected.record().value().bytes());
    assertThat(read.record().timestamp()).isEqualTo(expected.record().timestamp());
    assertThat(read.record().headers()).isEqualTo(expected.record().headers());
    assertThat(read.metersAgain()).isEqualTo(expected.metersAgain());
    assertThat(read.turn().ticket()).isEqualTo(expected.turn().ticket());
    assertThat(read.turn().keys()).containsExactlyElementsOf(expected.turn().keys());
  }

  @Test
  void delayedEventsAreWrittenAsTheyWere() {
    Map<String, String> written = new LinkedHashMap<>();
    waiting().forEach((name, event) -> written.put(name, hex(event.toBytes())));
    assertThat(written).isEqualTo(StoredFile.lines(StoredFile.RELEASE + "/waiting"));
  }

  @Test
  void turnsAreReadAndWrittenAsTheyWere() {
    KeyOrder.Last last = new KeyOrder.Last(DUE_MS, TICKET, DUE_MS - 2_000);
    Map<String, String> before = StoredFile.lines("before-0.2.0/turn");
    assertThat(KeyOrder.Last.of(bytes(before.get("turn")))).isEqualTo(last);
    assertThat(KeyOrder.Last.of(bytes(before.get("turn-first"))))
        .isEqualTo(new KeyOrder.Last(DUE_MS, TICKET, 0));
    String now = StoredFile.lines(StoredFile.RELEASE + "/turn").get("turn");
    assertThat(KeyOrder.Last.of(bytes(now))).isEqualTo(last);
    assertThat(hex(last.toRow())).isEqualTo(now);
  }

  @Test
  void placesAreReadAndWrittenAsTheyWere() {
    Bytes place = DueKey.of(DUE_MS, 17);
    assertThat(DelayQueue.place(bytes(StoredFile.lines("before-0.2.0/place").get("place"))))
        .isEqualTo(place);
    Map<String, String> now = StoredFile.lines(StoredFile.RELEASE + "/place");
    for (String each : now.values()) assertThat(DelayQueue.place(bytes(each))).isEqualTo(place);
    assertThat(hex(DelayQueue.placeRow(place, DelayQueue.FIRST_LANE_ALONE)))
        .isEqualTo(now.get("place"));
    assertThat(hex(DelayQueue.placeRow(place, DelayQueue.PLACE_VERSION)))
        .isEqualTo(now.get("place-of-lanes"));
  }

  @Test
  void rowsAreFoundWhereTheyWere() {
    Map<String, String> keys = StoredFile.lines(StoredFile.RELEASE + "/keys");
    assertThat(hex(DueKey.of(DUE_MS, 17).get())).isEqualTo(keys.get("due"));
    assertThat(hex(DelayQueue.PLACE.get())).isEqualTo(keys.get("place"));
    assertThat(hex(TURNS.get(1))).isEqualTo(keys.get("turn"));
    lane(keys, "retries", DelayQueue.Lane.ofRetries("user-actions-0-"));
    lane(keys, "allowed", DelayQueue.Lane.ALLOWED);
    lane(keys, "rejected", DelayQueue.Lane.REJECTED);
    lane(keys, "awaiting-redis", DelayQueue.Lane.AWAITING_REDIS);
  }

  private static void lane(Map<String, String> keys, String name, DelayQueue.Lane lane) {
    assertThat(hex(lane.key(DUE_MS, 17).get())).isEqualTo(keys.get("due-" + name));
    assertThat(hex(lane.place().get())).isEqualTo(keys.get("place-" + name));
  }

  /** Later versions rely on these headers, and not on any others that a version writes. */
  @Test
  void theTopicOfDelayedEventsIsReadAndWrittenAsItWas() throws Exception {
    Map<String, String> lines = StoredFile.lines(StoredFile.RELEASE + "/delayed-headers");
    assertThat(order(lines, "reserved")).isEqualTo(new ReleaseOrder(DUE_MS, "allowed", ORIGIN, 1));
    assertThat(order(lines, "retry")).isEqualTo(new ReleaseOrder(DUE_MS, "meter", ORIGIN, 3));
    assertThat(order(lines, "from-elsewhere"))
        .isEqualTo(new ReleaseOrder(DUE_MS, "allowed", Origin.UNKNOWN, 0));
    assertThat(written(false, 1)).isEqualTo(lines.get("reserved"));
    assertThat(order(lines, "retry-held")).isEqualTo(new ReleaseOrder(DUE_MS, "held", ORIGIN, 3));
    assertThat(written(true, 3)).isEqualTo(lines.get("retry-held"));
  }

  private static ReleaseOrder order(Map<String, String> lines, String name) throws Exception {
    return ReleaseOrder.of(headers(lines.get(name).split(" ")));
  }

  private static String written(boolean metersAgain, int attempt) {
    EventRecord event = new EventRecord(new byte[0]);
    event.opened(TestEvent.event("ann", "sms", ""), ORIGIN, DUE_MS);
    Verdict allowed = Verdict.unmatched(false).onAttempt(attempt);
    Verdict verdict = metersAgain ? allowed.retriedAt(DUE_MS) : allowed.delayedUntil(DUE_MS);
    Headers headers = new RecordHeaders();
    VerdictHeaders.Style.EACH.write(headers, verdict);
    DelayHeaders.origin(headers, event.origin());
    List<String> protocol =
        List.of("sluice-release-at-ms", "sluice-release-to", "sluice-attempt", "sluice-origin");
    List<String> pairs =
        Stream.of(headers.toArray())
            .filter(header -> protocol.contains(header.key()))
            .map(header -> header.key() + "=" + new String(header.value(), UTF_8))
            .toList();
    return String.join(" ", pairs);
  }

  /** Operators read in the manual which releases can follow each other. */
  @Test
  void theManualNamesEveryStoredFormat() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "running.md"));
    String id = "<application.id>";
    for (String topic : Nodes.internalTopics(id)) assertThat(page).contains("| `" + topic + "`");
    for (Algorithm each : Algorithm.values()) {
      assertThat(page).contains("`" + each.script().keyVersion() + "`");
    }
    Map<String, Integer> versions =
        Map.of(
            "delayed events", DelayedEvent.VERSION,
            "the place up to which they have left", DelayQueue.PLACE_VERSION,
            "the order of delayed events", KeyOrder.Last.VERSION);
    versions.forEach(
        (what, version) -> assertThat(page).contains("| " + what + " | " + version + " |"));
  }

  @Test
  void whatANewerReleaseWroteIsRefusedByName() {
    String advice = "Start that release again";
    assertThatThrownBy(() -> DelayedEvent.of(new byte[] {5, 0, 0}))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessageContainingAll("store waiting is stored in format 5", "reads up to 4", advice);
    assertThatThrownBy(() -> DelayedEvent.of(new byte[] {(byte) 200, 0, 0}))
        .hasMessageContaining("format 200");
    assertThatThrownBy(() -> KeyOrder.Last.of(new byte[] {2, 0, 0}))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessageContainingAll("store turns is stored in format 2", advice);
    assertThatThrownBy(() -> DelayQueue.place(new byte[] {7}))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessageContainingAll("store waiting is stored in format 7", advice);
  }

  /** The error would be the same each time, so the thread is not replaced. */
  @Test
  void itEndsTheInstance() {
    try (Harness sluice = new Harness("sluice.limits=sms", "sluice.limit.sms.quota=1/1s")) {
      KeyValueStore<Bytes, byte[]> waiting = sluice.driver.getKeyValueStore(Nodes.WAITING);
      sluice.delay(null, "{}".getBytes(UTF_8), new RecordHeaders());
      byte[] value = "{\"userId\":\"ann\",\"action\":\"sms\"}".getBytes(UTF_8);
      Headers order = headers("sluice-release-at-ms=" + (Harness.NOON_MS + 50));
      sluice.delay(null, value, order);
      waiting.all().forEachRemaining(row -> waiting.put(row.key, new byte[] {99}));
      assertThatThrownBy(() -> sluice.advanceWall(Duration.ofSeconds(1)))
          .rootCause()
          .isInstanceOf(UnknownFormatException.class)
          .hasMessageContaining("format 99");
    }
  }
}
