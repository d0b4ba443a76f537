package io.sluice.topology;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.RawRecord;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metering.MeterProcessor;
import io.sluice.topology.metering.Meters;
import io.sluice.topology.redis.FakeRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.Test;

/** Tests of a task whose events wait in line: restarts, clocks, slow ticks and removed limits. */
class QueueTaskTest {
  private static final long NOON_MS = Harness.NOON_MS;

  private final DeadLetters deadLetters =
      new DeadLetters(why -> {}, RecordSizes.any(), OutputTopics.one("dead-letter-actions"));
  private final MockProcessorContext<byte[], EventRecord> context =
      new MockProcessorContext<>(new Properties());
  private SluiceConfig config;
  private Processor<byte[], EventRecord, byte[], EventRecord> meter;

  /** Starts a task with the limit {@code reply}, which has a queue, and an empty store. */
  private void start(String... more) {
    String[] lines = new String[more.length + 1];
    lines[0] = "sluice.limit.reply.exceeded=queue";
    System.arraycopy(more, 0, lines, 1, more.length);
    config = ConfigText.config(lines);
    start(Meters.services(config), () -> NOON_MS);
  }

  private void start(MeteringServices services, LongSupplier wallMs) {
    MeterProcessor.Node node = Meters.node(DelayPath.of(services, wallMs, ""), deadLetters);
    context.setCurrentSystemTimeMs(NOON_MS);
    context.setCurrentStreamTimeMs(NOON_MS);
    for (StoreBuilder<?> builder : node.stores()) {
      var store = builder.withLoggingDisabled().build();
      store.init(context.getStateStoreContext(), store);
    }
    meter = node.get();
    meter.init(context);
  }

  private void restart() {
    meter.close();
    meter.init(context);
  }

  private void arrive(int offset) {
    arrive("ada", offset);
  }

  private void arrive(String user, int offset) {
    String value = "{\"userId\":\"%s\",\"action\":\"sms\"}".formatted(user);
    EventRecord event = new EventRecord(value.getBytes(UTF_8));
    Origin origin = Origin.of("user-actions", 0, offset);
    context.setRecordMetadata("user-actions", 0, offset);
    event.opened(read(event, origin), origin, NOON_MS);
    meter.process(new Record<>(null, event, NOON_MS, new RecordHeaders()));
  }

  private Event read(EventRecord event, Origin origin) {
    try {
      return config.eventDecoder().decode(RawRecord.ofValue(event.bytes(), origin, NOON_MS));
    } catch (UnreadableEventException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a tick, and returns the offsets of the events that it let go. */
  private List<Long> tickAtMs(long afterNoonMs) {
    context.resetForwards();
    context.setCurrentSystemTimeMs(NOON_MS + afterNoonMs);
    meter.process(new Record<>(null, EventRecord.tick(), NOON_MS + afterNoonMs));
    return context.forwarded().stream()
        .map(left -> left.record().value().origin().offset())
        .toList();
  }

  private List<Long> released(int ticks) {
    List<Long> released = new ArrayList<>();
    for (int i = 1; i <= ticks; i++) released.addAll(tickAtMs(100L * i));
    return released;
  }

  private Map<Bytes, byte[]> rows() {
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.WAITING);
    Map<Bytes, byte[]> rows = new HashMap<>();
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(Lane.QUEUED.key(0, 0), Lane.QUEUED.last())) {
      all.forEachRemaining(row -> rows.put(row.key, row.value));
    }
    return rows;
  }

  @Test
  void eventsLeaveInOrderAfterARestart() {
    start("sluice.limit.reply.quota=1/1s");
    for (int i = 0; i < 4; i++) arrive(i);
    restart();
    arrive(4);
    assertThat(released(50)).containsExactly(1L, 2L, 3L, 4L);
  }

  /** A replica that did not read the changelog for long misses the tombstones of such rows. */
  @Test
  void eventsThatHaveLeftDoNotLeaveAgainIfTheirRowsAreBack() {
    start("sluice.limit.reply.quota=1/1s");
    for (int i = 0; i < 4; i++) arrive(i);
    Map<Bytes, byte[]> rows = rows();
    assertThat(rows).hasSize(3);
    assertThat(released(20)).containsExactly(1L, 2L);

    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.WAITING);
    rows.forEach(store::put);
    restart();
    assertThat(released(50)).containsExactly(3L);
  }

  /** With at-least-once, a record comes again if its offset was not committed. */
  @Test
  void recordThatComesAgainIsStoredOnce() {
    start("sluice.limit.reply.quota=1/1s");
    arrive(0);
    arrive(1);
    context.resetForwards();
    arrive(1);
    assertThat(context.forwarded())
        .singleElement()
        .satisfies(left -> assertThat(left.childName()).contains(Nodes.DELAYED));
    assertThat(rows()).hasSize(1);
    assertThat(released(50)).containsExactly(1L);
  }

  @Test
  void everySlotOfATickIsUsed() {
    start("sluice.limit.reply.quota=20/1s", "sluice.limit.reply.burst=1");
    for (int i = 0; i < 200; i++) arrive(i);
    assertThat(released(50)).hasSize(100);
  }

  @Test
  void eventsLeaveIfTheirLimitIsGone() {
    start("sluice.limit.reply.quota=1/1h", "sluice.limit.reply.queue.max.wait=1s");
    for (int i = 0; i < 3; i++) arrive(i);
    meter.close();

    config =
        SluiceConfig.of(ConfigText.without("sluice.limits=other", "sluice.limit.other.quota=1/1s"));
    MeteringServices services = Meters.services(config);
    meter = Meters.node(DelayPath.of(services, () -> NOON_MS, ""), deadLetters).get();
    meter.init(context);
    assertThat(released(50)).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void eventsLeaveAlthoughTheClockHasGoneBack() {
    start("sluice.limit.reply.quota=1/1s");
    context.setCurrentSystemTimeMs(NOON_MS + 1_000);
    for (int i = 0; i < 3; i++) arrive(i);
    restart();
    assertThat(released(40)).containsExactly(1L, 2L);
  }

  @Test
  void floodOfExpiredEventsLeavesTimeForOthers() {
    config =
        ConfigText.config(
            "sluice.limit.reply.exceeded=queue",
            "sluice.limit.reply.quota=1/2s",
            "sluice.limit.reply.burst=1",
            "sluice.limit.reply.queue.max.wait=3s");
    AtomicLong wallMs = new AtomicLong();
    start(Meters.services(config), wallMs::incrementAndGet);
    for (int i = 0; i < 300; i++) arrive(i);
    context.setCurrentSystemTimeMs(NOON_MS + 1_000);
    arrive("bob", 1_000);
    arrive("bob", 1_001);
    assertThat(tickAtMs(2_975)).containsExactly(1L);
    assertThat(tickAtMs(3_050)).contains(1_001L).hasSizeLessThan(100);
  }

  @Test
  void lateTickReleasesAsMuchAsTheTicksThatItReplaces() {
    config =
        ConfigText.config("sluice.limit.reply.exceeded=queue", "sluice.limit.reply.quota=1/1s");
    AtomicLong wallMs = new AtomicLong();
    start(Meters.services(config), wallMs::incrementAndGet);
    for (int i = 0; i < 100; i++) {
      arrive("user" + i, i);
      arrive("user" + i, 100 + i);
    }
    assertThat(tickAtMs(1_000))
        .containsExactlyElementsOf(LongStream.range(100, 200).boxed().toList());
  }

  /** Gives an order to cancel events, as a record on the topic of delayed events. */
  private void order(String json) {
    byte[] value = json.replace('\'', '"').getBytes(UTF_8);
    ConsumerRecord<Object, Object> record =
        new ConsumerRecord<>("delayed-actions", 0, 0, null, new EventRecord(value));
    record.headers().add("sluice-control", "cancel".getBytes(UTF_8));
    Meters.services(config).opener().ofDelayed().extract(record, 0);
    meter.process(new Record<>(null, (EventRecord) record.value(), NOON_MS, record.headers()));
  }

  @Test
  void restartInTheMiddleOfACancellationContinues() {
    config =
        ConfigText.config("sluice.limit.reply.exceeded=queue", "sluice.limit.reply.quota=1/1h");
    AtomicLong wallMs = new AtomicLong();
    start(Meters.services(config), wallMs::incrementAndGet);
    for (int i = 0; i <= 100; i++) arrive(i);
    for (int i = 200; i <= 205; i++) arrive("bob", i);
    order("{'id':'c1','for':{'userId':'ada'}}");
    List<Long> cancelled = new ArrayList<>(tickAtMs(25));
    assertThat(cancelled).isNotEmpty().hasSizeLessThan(50);
    restart();
    arrive(300);
    int ticks = 1;
    for (; cancelled.size() < 100 && ticks < 1_000; ticks++)
      cancelled.addAll(tickAtMs(25 + 25L * ticks));
    assertThat(cancelled)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
    for (int i = 0; i < 100; i++) assertThat(tickAtMs(25 + 25L * (ticks + i))).isEmpty();
    assertThat(rows()).hasSize(6);
  }

  @Test
  void eventIsNotReleasedBeforeItsCancellationReachesIt() {
    config =
        ConfigText.config("sluice.limit.reply.exceeded=queue", "sluice.limit.reply.quota=1/1s");
    AtomicLong wallMs = new AtomicLong();
    start(Meters.services(config), wallMs::incrementAndGet);
    for (int i = 0; i < 300; i++) arrive(i);
    arrive("bob", 1_000);
    arrive("bob", 1_001);
    order("{'id':'c1','for':{'userId':'bob'}}");
    List<Long> left = tickAtMs(2_000);
    assertThat(left).contains(1_001L);
    assertThat(context.forwarded())
        .filteredOn(each -> each.record().value().origin().offset() == 1_001)
        .singleElement()
        .satisfies(each -> assertThat(each.childName()).contains(Nodes.REJECTED));
  }

  /** Rows have hashes of the keys, by which another event may seem to be one of the order's. */
  @Test
  void eventOfAnotherKeyWithTheSameHashIsNotCancelled() {
    start("sluice.limit.reply.quota=1/1h");
    for (int i = 0; i < 2; i++) arrive(i);
    for (int i = 10; i < 12; i++) arrive("bob", i);
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.WAITING);
    Map<Bytes, byte[]> rows = rows();
    byte[] ada = rows.get(Lane.QUEUED.key(0, 0));
    byte[] bob = rows.get(Lane.QUEUED.key(1, 0));
    int bucketAt = bucketAt(ada, bob);
    System.arraycopy(ada, bucketAt, bob, bucketAt, Long.BYTES);
    store.put(Lane.QUEUED.key(1, 0), bob);
    order("{'id':'c1','for':{'userId':'ada'}}");
    assertThat(tickAtMs(25)).containsExactly(1L);
  }

  /** Returns the position of the last hash in the heads of two rows of the same limits. */
  private static int bucketAt(byte[] row, byte[] other) {
    // The head ends with the only bucket; the line before it is followed by the limit's name.
    String text = new String(row, ISO_8859_1);
    int at = text.indexOf("reply") + "reply".length() + 1;
    assertThat(Arrays.copyOfRange(row, at, at + 8))
        .isNotEqualTo(Arrays.copyOfRange(other, at, at + 8));
    return at;
  }

  @Test
  void rowsOfEventsThatHaveLeftAreNotCancelled() {
    start("sluice.limit.reply.quota=1/1s");
    for (int i = 0; i < 4; i++) arrive(i);
    Map<Bytes, byte[]> rows = rows();
    assertThat(released(20)).containsExactly(1L, 2L);
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.WAITING);
    rows.forEach(store::put);
    restart();
    order("{'id':'c1','for':{'userId':'ada'}}");
    assertThat(tickAtMs(2_025)).containsExactly(3L);
  }

  @Test
  void eventOfALimitThatHadAnotherKeyIsCancelled() {
    start("sluice.limit.reply.quota=1/1h", "sluice.limit.reply.key=userId,action");
    for (int i = 0; i < 3; i++) arrive(i);
    meter.close();
    config =
        ConfigText.config("sluice.limit.reply.exceeded=queue", "sluice.limit.reply.quota=1/1h");
    meter =
        Meters.node(DelayPath.of(Meters.services(config), () -> NOON_MS, ""), deadLetters).get();
    meter.init(context);
    order("{'id':'c1','for':{'userId':'ada'}}");
    assertThat(tickAtMs(25)).containsExactly(1L, 2L);
  }

  @Test
  void queueKeepsItsNameInRedisAfterARestart() {
    config =
        ConfigText.config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.reply.exceeded=queue");
    FakeRedis redis = new FakeRedis();
    start(redis.in(Meters.services(config)), () -> NOON_MS);
    arrive(0);
    String name = redis.lastReleases.owner().queue();
    restart();
    arrive(1);
    assertThat(redis.lastReleases.owner().queue()).isEqualTo(name).startsWith("sluice/0/");

    context
        .<KeyValueStore<Bytes, byte[]>>getStateStore(Nodes.WAITING)
        .delete(Bytes.wrap(new byte[] {(byte) 0x86}));
    restart();
    arrive(2);
    assertThat(redis.lastReleases.owner().queue()).isNotEqualTo(name);
  }

  @Test
  void stateStoreIsChargedAtTheClockToWhichOthersHaveMovedABucketInRedis() {
    config =
        ConfigText.config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limits=reply,vendor",
            "sluice.limit.reply.quota=2/1s",
            "sluice.limit.reply.algorithm=sliding-window-log",
            "sluice.limit.reply.exceeded=queue",
            "sluice.limit.vendor.quota=1000/1s",
            "sluice.limit.vendor.backend=redis",
            "sluice.limit.vendor.exceeded=queue");
    FakeRedis redis = new FakeRedis();
    start(redis.in(Meters.services(config)), () -> NOON_MS);
    arrive(0);
    context.setCurrentSystemTimeMs(NOON_MS + 450);
    for (int i = 1; i < 5; i++) arrive(i);

    Map<Long, Long> releasedMs = new HashMap<>();
    for (long atMs = 1_000; atMs <= 3_000; atMs += 50) {
      // In the first call, the bucket's clock is 435 ms ahead of the instant of the call.
      redis.clockAheadMicros = atMs == 1_000 ? 535_000 : 0;
      tickAtMs(atMs);
      for (var left : context.forwarded()) {
        Header header = left.record().headers().lastHeader("sluice-released-at-ms");
        releasedMs.put(
            left.record().value().origin().offset(),
            Long.parseLong(new String(header.value(), UTF_8)) - NOON_MS);
      }
    }
    assertThat(releasedMs).containsEntry(2L, 1_435L).containsOnlyKeys(2L, 3L, 4L);
    assertThat(releasedMs.get(4L)).isBetween(2_435L, 2_500L);
  }
}
