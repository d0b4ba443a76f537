package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metering.MeterProcessor;
import io.sluice.topology.metering.Meters;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.FakeRedis;
import io.sluice.topology.redis.RedisBreaker;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.Test;

/**
 * Tests of revived tasks: Kafka Streams closes their processors and initializes the same ones
 * again.
 */
class RevivedTaskTest {
  private static final long NOON_MS = Harness.NOON_MS;

  private final SluiceConfig config =
      ConfigText.config(
          "sluice.limit.reply.match.action=sms",
          "sluice.limit.reply.exceeded=delay",
          "sluice.delay.tick=100ms");
  private final EventDecoder decoder = config.eventDecoder();
  private final EventOpener opener =
      new EventOpener(decoder, InstantSource.system(), config.timeMaxAhead());
  private final Instruments instruments = new Instruments(config.limits());
  private final RedisBreaker breaker = RedisBreaker.of("app", () -> null, instruments.redis());
  private final DeadLetters deadLetters =
      new DeadLetters(
          instruments::countDeadLetter, RecordSizes.any(), OutputTopics.one("dead-letter-actions"));
  private final DelayPath path =
      DelayPath.of(
          new MeteringServices(
              config,
              CurrentLimits.of(config.limitsConfig()),
              HomePartitioner.of(config, 1),
              opener,
              breaker,
              instruments),
          () -> NOON_MS,
          "");
  private final MockProcessorContext<byte[], EventRecord> context =
      new MockProcessorContext<>(new Properties());

  private ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> shaper() {
    return path.shaper(deadLetters);
  }

  private MeterProcessor.Node meter() {
    return Meters.node(path, deadLetters);
  }

  private Processor<byte[], EventRecord, byte[], EventRecord> processor(
      ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> node) {
    context.setCurrentSystemTimeMs(NOON_MS);
    context.setCurrentStreamTimeMs(NOON_MS);
    for (StoreBuilder<?> builder : node.stores()) {
      var store = builder.withLoggingDisabled().build();
      store.init(context.getStateStoreContext(), store);
    }
    return node.get();
  }

  /** Passes an event from the topic of delayed events to the shaper. */
  private void delay(
      Processor<byte[], EventRecord, byte[], EventRecord> shaper, int offset, long dueMs) {
    EventRecord event = new EventRecord("{\"userId\":\"ada\",\"action\":\"sms\"}".getBytes(UTF_8));
    context.setRecordMetadata("delayed-actions", 0, offset);
    Origin origin = Origin.of("delayed-actions", 0, offset);
    event.opened(viewOf(event, origin), origin, NOON_MS);
    RecordHeaders headers = new RecordHeaders();
    headers.add("sluice-release-at-ms", Long.toString(dueMs).getBytes(UTF_8));
    shaper.process(new Record<>(null, event, 0, headers));
  }

  private Event viewOf(EventRecord event, Origin origin) {
    try {
      return decoder.decode(RawRecord.ofValue(event.bytes(), origin, NOON_MS));
    } catch (UnreadableEventException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void delayedEventsLeaveAfterARevivalAsBefore() {
    Processor<byte[], EventRecord, byte[], EventRecord> shaper = processor(shaper());
    shaper.init(context);
    delay(shaper, 0, NOON_MS + 100);
    shaper.close();
    shaper.init(context);
    delay(shaper, 1, NOON_MS + 100);

    running().get(0).getPunctuator().punctuate(NOON_MS + 100);

    assertThat(context.forwarded())
        .filteredOn(left -> !left.record().value().isTick())
        .hasSize(2)
        .allSatisfy(left -> assertThat(left.childName()).contains(Nodes.RELEASED));
  }

  @Test
  void aRevivedShaperTicksOnce() {
    Processor<byte[], EventRecord, byte[], EventRecord> shaper = processor(shaper());
    shaper.init(context);
    shaper.close();
    shaper.init(context);
    assertThat(running()).hasSize(1);
  }

  @Test
  void aRevivedMeterSweepsOnceAndAsksItsQueueOnce() {
    Processor<byte[], EventRecord, byte[], EventRecord> meter = processor(meter());
    meter.init(context);
    meter.close();
    meter.init(context);
    assertThat(running()).hasSize(2);
  }

  @Test
  void eventsInLineLeaveInOrderAfterARevival() {
    SluiceConfig queued =
        ConfigText.config(
            "sluice.limit.reply.match.action=sms",
            "sluice.limit.reply.quota=1/1s",
            "sluice.limit.reply.exceeded=queue");
    DelayPath ofQueue = DelayPath.of(Meters.services(queued), () -> NOON_MS, "");
    Processor<byte[], EventRecord, byte[], EventRecord> meter =
        processor(Meters.node(ofQueue, deadLetters));
    meter.init(context);
    for (int i = 0; i < 4; i++) arrive(meter, i);
    meter.close();
    meter.init(context);
    arrive(meter, 4);

    assertThat(released(meter, 50)).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void everySlotOfATickIsUsed() {
    SluiceConfig queued =
        ConfigText.config(
            "sluice.limit.reply.match.action=sms",
            "sluice.limit.reply.quota=20/1s",
            "sluice.limit.reply.burst=1",
            "sluice.limit.reply.exceeded=queue");
    DelayPath ofQueue = DelayPath.of(Meters.services(queued), () -> NOON_MS, "");
    Processor<byte[], EventRecord, byte[], EventRecord> meter =
        processor(Meters.node(ofQueue, deadLetters));
    meter.init(context);
    for (int i = 0; i < 200; i++) arrive(meter, i);
    assertThat(released(meter, 50)).hasSize(100);
  }

  @Test
  void eventsInLineLeaveIfTheirLimitIsGone() {
    SluiceConfig queued =
        ConfigText.config(
            "sluice.limit.reply.match.action=sms",
            "sluice.limit.reply.quota=1/1h",
            "sluice.limit.reply.exceeded=queue",
            "sluice.limit.reply.queue.max.wait=1s");
    DelayPath ofQueue = DelayPath.of(Meters.services(queued), () -> NOON_MS, "");
    Processor<byte[], EventRecord, byte[], EventRecord> meter =
        processor(Meters.node(ofQueue, deadLetters));
    meter.init(context);
    for (int i = 0; i < 3; i++) arrive(meter, i);
    meter.close();

    SluiceConfig without =
        SluiceConfig.of(ConfigText.without("sluice.limits=other", "sluice.limit.other.quota=1/1s"));
    DelayPath ofOther = DelayPath.of(Meters.services(without), () -> NOON_MS, "");
    Processor<byte[], EventRecord, byte[], EventRecord> other =
        Meters.node(ofOther, deadLetters).get();
    other.init(context);
    assertThat(released(other, 50)).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void eventsInLineLeaveAlthoughTheClockHasGoneBack() {
    SluiceConfig queued =
        ConfigText.config(
            "sluice.limit.reply.match.action=sms",
            "sluice.limit.reply.quota=1/1s",
            "sluice.limit.reply.exceeded=queue");
    DelayPath ofQueue = DelayPath.of(Meters.services(queued), () -> NOON_MS, "");
    Processor<byte[], EventRecord, byte[], EventRecord> meter =
        processor(Meters.node(ofQueue, deadLetters));
    meter.init(context);
    context.setCurrentSystemTimeMs(NOON_MS + 1_000);
    for (int i = 0; i < 3; i++) arrive(meter, i);
    meter.close();
    meter.init(context);
    assertThat(released(meter, 40)).containsExactly(1L, 2L);
  }

  @Test
  void stateStoreIsChargedAtTheClockToWhichOthersHaveMovedABucketInRedis() {
    SluiceConfig both =
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
    MeteringServices plain = Meters.services(both);
    MeteringServices services =
        new MeteringServices(
            both,
            plain.limits(),
            plain.home(),
            plain.opener(),
            redis.breaker(plain.instruments().redis()),
            plain.instruments());
    Processor<byte[], EventRecord, byte[], EventRecord> meter =
        processor(Meters.node(DelayPath.of(services, () -> NOON_MS, ""), deadLetters));
    meter.init(context);
    arrive(meter, 0);
    context.setCurrentSystemTimeMs(NOON_MS + 450);
    for (int i = 1; i < 5; i++) arrive(meter, i);

    Map<Long, Long> releasedMs = new HashMap<>();
    for (long atMs = 1_000; atMs <= 3_000; atMs += 50) {
      // In the first call, the bucket's clock is 435 ms ahead of the instant of the call.
      redis.clockAheadMicros = atMs == 1_000 ? 535_000 : 0;
      context.resetForwards();
      context.setCurrentSystemTimeMs(NOON_MS + atMs);
      meter.process(new Record<>(null, EventRecord.tick(), NOON_MS + atMs));
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

  /** A replica that did not read the changelog for long misses the tombstones of such rows. */
  @Test
  void eventsThatHaveLeftTheLineDoNotLeaveAgainIfTheirRowsAreBack() {
    SluiceConfig queued =
        ConfigText.config(
            "sluice.limit.reply.match.action=sms",
            "sluice.limit.reply.quota=1/1s",
            "sluice.limit.reply.exceeded=queue");
    DelayPath ofQueue = DelayPath.of(Meters.services(queued), () -> NOON_MS, "");
    Processor<byte[], EventRecord, byte[], EventRecord> meter =
        processor(Meters.node(ofQueue, deadLetters));
    meter.init(context);
    for (int i = 0; i < 4; i++) arrive(meter, i);
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.WAITING);
    Map<Bytes, byte[]> rows = new HashMap<>();
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(Lane.QUEUED.key(0, 0), Lane.QUEUED.last())) {
      all.forEachRemaining(row -> rows.put(row.key, row.value));
    }
    assertThat(rows).hasSize(3);
    assertThat(released(meter, 20)).containsExactly(1L, 2L);

    meter.close();
    rows.forEach(store::put);
    meter.init(context);
    assertThat(released(meter, 50)).containsExactly(3L);
  }

  private List<Long> released(
      Processor<byte[], EventRecord, byte[], EventRecord> meter, int ticks) {
    List<Long> released = new ArrayList<>();
    for (int i = 1; i <= ticks; i++) {
      context.resetForwards();
      context.setCurrentSystemTimeMs(NOON_MS + 100 * i);
      meter.process(new Record<>(null, EventRecord.tick(), NOON_MS + 100 * i));
      context.forwarded().forEach(left -> released.add(left.record().value().origin().offset()));
    }
    return released;
  }

  private void arrive(Processor<byte[], EventRecord, byte[], EventRecord> meter, int offset) {
    EventRecord event = new EventRecord("{\"userId\":\"ada\",\"action\":\"sms\"}".getBytes(UTF_8));
    context.setRecordMetadata("user-actions", 0, offset);
    Origin origin = Origin.of("user-actions", 0, offset);
    event.opened(viewOf(event, origin), origin, NOON_MS);
    meter.process(new Record<>(null, event, NOON_MS, new RecordHeaders()));
  }

  private List<CapturedPunctuator> running() {
    return context.scheduledPunctuators().stream().filter(each -> !each.cancelled()).toList();
  }
}
