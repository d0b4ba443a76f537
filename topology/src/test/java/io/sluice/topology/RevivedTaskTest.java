package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Streams closes the processors of a task that it revives, and gives the same to init again. */
class RevivedTaskTest {
  private static final long NOON_MS = Harness.NOON_MS;

  private final SluiceConfig config =
      ConfigText.config(
          "sluice.limit.reply.match.action=sms",
          "sluice.limit.reply.exceeded=delay",
          "sluice.delay.tick=100ms");
  private final Metered metered = metered();
  private final DeadLetters deadLetters =
      new DeadLetters(
          metered.instruments().deadLetters(), RecordSizes.any(), "dead-letter-actions");
  private final DelayPath path = DelayPath.of(config, HomePartition.of(config, 1), () -> NOON_MS);
  private final MockProcessorContext<byte[], Event> context =
      new MockProcessorContext<>(new Properties());

  private Metered metered() {
    Instruments instruments = new Instruments(config);
    RedisBreaker breaker = new RedisBreaker(() -> null, instruments.redis());
    return Metered.of(config, config.eventDecoder(), breaker, instruments);
  }

  private Processor<byte[], Event, byte[], Event> processor(
      ProcessorSupplier<byte[], Event, byte[], Event> node) {
    context.setCurrentSystemTimeMs(NOON_MS);
    context.setCurrentStreamTimeMs(NOON_MS);
    for (StoreBuilder<?> builder : node.stores()) {
      var store = builder.withLoggingDisabled().build();
      store.init(context.getStateStoreContext(), store);
    }
    return node.get();
  }

  /** An event that came on the topic of delayed events. */
  private void delay(Processor<byte[], Event, byte[], Event> shaper, int offset, long dueMs) {
    Event event = new Event("{\"userId\":\"ada\",\"action\":\"sms\"}".getBytes(UTF_8));
    context.setRecordMetadata("delayed-actions", 0, offset);
    EventView view = viewOf(event);
    event.opened(view, "delayed-actions-0-" + offset, NOON_MS);
    RecordHeaders headers = new RecordHeaders();
    headers.add("sluice-release-at-ms", Long.toString(dueMs).getBytes(UTF_8));
    shaper.process(new Record<>(null, event, 0, headers));
  }

  private EventView viewOf(Event event) {
    try {
      return metered.decoder().decode(event.bytes(), "delayed-actions-0-0", NOON_MS);
    } catch (UnreadableEventException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void delayedEventsLeaveAfterARevivalAsBefore() {
    Processor<byte[], Event, byte[], Event> shaper =
        processor(new ShaperProcessor.Node(path, metered, deadLetters));
    shaper.init(context);
    delay(shaper, 0, NOON_MS + 100);
    shaper.close();
    shaper.init(context);
    delay(shaper, 1, NOON_MS + 100);

    running().get(0).getPunctuator().punctuate(NOON_MS + 100);

    assertThat(context.forwarded())
        .hasSize(2)
        .allSatisfy(left -> assertThat(left.childName()).contains(Nodes.RELEASED));
  }

  @Test
  void aRevivedShaperTicksOnce() {
    Processor<byte[], Event, byte[], Event> shaper =
        processor(new ShaperProcessor.Node(path, metered, deadLetters));
    shaper.init(context);
    shaper.close();
    shaper.init(context);
    assertThat(running()).hasSize(1);
  }

  @Test
  void aRevivedMeterSweepsOnce() {
    Processor<byte[], Event, byte[], Event> meter =
        processor(new MeterProcessor.Node(metered, path, deadLetters));
    meter.init(context);
    meter.close();
    meter.init(context);
    assertThat(running()).hasSize(1);
  }

  private List<CapturedPunctuator> running() {
    return context.scheduledPunctuators().stream().filter(each -> !each.cancelled()).toList();
  }
}
