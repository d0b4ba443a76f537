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
import io.sluice.topology.redis.RedisBreaker;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
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
    Event view = viewOf(event);
    event.opened(view, Origin.of("delayed-actions", 0, offset), NOON_MS);
    RecordHeaders headers = new RecordHeaders();
    headers.add("sluice-release-at-ms", Long.toString(dueMs).getBytes(UTF_8));
    shaper.process(new Record<>(null, event, 0, headers));
  }

  private Event viewOf(EventRecord event) {
    try {
      return decoder.decode(
          RawRecord.ofValue(event.bytes(), Origin.parse("delayed-actions-0-0"), NOON_MS));
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

  private List<CapturedPunctuator> running() {
    return context.scheduledPunctuators().stream().filter(each -> !each.cancelled()).toList();
  }
}
