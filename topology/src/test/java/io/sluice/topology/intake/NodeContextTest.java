package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.event.Origin;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.metering.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeContextTest {
  private static final TopicPartition INPUT = new TopicPartition("user-actions", 3);
  private static final long NOW_MS = 7_000_000;

  private final MockProcessorContext<byte[], EventRecord> task =
      new MockProcessorContext<>(new Properties());
  private final MeteringServices services = Meters.services(ConfigText.config());
  private final NodeContext.Settings settings =
      new NodeContext.Settings("", "", () -> NOW_MS, services.config().topics(), DirectOutput.NONE);
  private final EventBatch batch = new EventBatch(INPUT, false);

  @BeforeEach
  void setClocks() {
    task.setCurrentStreamTimeMs(100);
    task.setCurrentSystemTimeMs(5_000);
    task.setRecordMetadata("other", 0, 1);
  }

  private void add(long offset, long timeMs) {
    EventRecord event = new EventRecord("value".getBytes(UTF_8));
    event.opened(
        TestEvent.event("ann", "post", ""), Origin.of(INPUT.topic(), 3, offset), 10 + offset);
    batch.add(new Record<>(null, event, Math.max(0, timeMs)), offset, timeMs);
  }

  private Record<byte[], EventRecord> record() {
    return new Record<>(null, EventRecord.of(batch), 0);
  }

  private NodeContext<byte[], EventRecord> context(NodeContext.Settings of) {
    return NodeContext.of(task, of);
  }

  @Test
  void eachEventOfABatchHasItsPlaceAndTheLatestTimeSoFar() {
    add(10, 150);
    add(12, 120);
    add(13, ConsumerRecord.NO_TIMESTAMP);
    add(19, 170);
    NodeContext<byte[], EventRecord> context = context(settings);
    List<String> seen = new ArrayList<>();
    context.process(
        record(),
        record ->
            seen.add(
                context.recordMetadata().orElseThrow().topic()
                    + context.recordMetadata().orElseThrow().partition()
                    + " "
                    + context.recordMetadata().orElseThrow().offset()
                    + " "
                    + context.currentStreamTimeMs()
                    + " "
                    + context.currentSystemTimeMs()));

    assertThat(seen)
        .containsExactly(
            "user-actions3 10 150 7000000",
            "user-actions3 12 150 7000000",
            "user-actions3 13 150 7000000",
            "user-actions3 19 170 7000000");
    assertThat(context.recordMetadata().orElseThrow().topic()).isEqualTo("other");
    assertThat(context.currentSystemTimeMs()).isEqualTo(5_000);
  }

  @Test
  void clockGoesOnAfterARecordThatCameAlone() {
    add(10, 150);
    NodeContext<byte[], EventRecord> context = context(settings);
    task.setCurrentStreamTimeMs(160);
    context.process(batch.records().get(0), alone -> {});
    List<Long> clocksMs = new ArrayList<>();
    context.process(record(), record -> clocksMs.add(context.currentStreamTimeMs()));
    assertThat(clocksMs).containsExactly(160L);
  }

  @Test
  void eventsGoOnAsOneBatchButNotPastAnEventThatLeaves() {
    for (int offset = 0; offset < 5; offset++) add(offset, 100 + offset);
    NodeContext<byte[], EventRecord> context = context(settings.withOnward(Nodes.TO_METER));
    context.process(
        record(),
        record -> {
          long offset = record.value().origin().offset();
          String child = Nodes.TO_METER;
          if (offset == 1) child = Nodes.HOP;
          if (offset == 3) child = Nodes.UNMETERED;
          context.forward(record, child);
        });

    assertThat(task.forwarded())
        .extracting(left -> left.childName().orElse("") + " " + offsets(left.record().value()))
        .containsExactly(
            Nodes.HOP + " [1]",
            Nodes.TO_METER + " [0, 2]",
            Nodes.UNMETERED + " [3]",
            Nodes.TO_METER + " [4]");
  }

  private static List<Long> offsets(EventRecord value) {
    if (value.batch().isEmpty()) return List.of(value.origin().offset());
    EventBatch events = value.batch().get();
    List<Long> offsets = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.timeMs(i)).isEqualTo(100 + events.offset(i));
      offsets.add(events.offset(i));
    }
    return offsets;
  }

  @Test
  void verdictsAreSentDirectlyWhileATransactionIsOpen() {
    List<ProducerRecord<byte[], byte[]>> sent = new ArrayList<>();
    boolean[] open = {false};
    DirectOutput output = () -> record -> open[0] && sent.add(record);
    for (int offset = 0; offset < 4; offset++) add(offset, 100);
    NodeContext<byte[], EventRecord> context = context(settings.with(output));
    context.process(
        record(),
        record -> {
          long offset = record.value().origin().offset();
          String child = offset == 2 ? Nodes.DELAYED : Nodes.ALLOWED;
          context.forward(record, offset == 3 ? Nodes.REJECTED : child);
          open[0] = true;
        });

    assertThat(task.forwarded())
        .extracting(left -> left.childName().orElse("") + " " + offsets(left.record().value()))
        .containsExactly(Nodes.ALLOWED + " [0]", Nodes.DELAYED + " [2]");
    assertThat(sent)
        .extracting(ProducerRecord::topic)
        .containsExactly("allowed-actions", "rejected-actions");
    assertThat(sent.get(0).value()).isEqualTo("value".getBytes(UTF_8));
    context.forward(batch.records().get(0), Nodes.ALLOWED);
    assertThat(sent).as("outside of a batch").hasSize(2);
  }

  /**
   * After a timeout, Kafka Streams commits what the other tasks have sent; after the failure of
   * another task, it drops the record that is processed.
   */
  @Test
  void timeoutAndTheFailureOfAnotherTaskEndTheThread() {
    add(1, 1);
    NodeContext<byte[], EventRecord> context = context(settings);
    for (RuntimeException each :
        List.of(
            new TimeoutException("too late"),
            new TaskCorruptedException(Set.of(new TaskId(0, 9))))) {
      assertThatThrownBy(() -> context.process(record(), record -> fail(each)))
          .isExactlyInstanceOf(StreamsException.class)
          .hasCause(each);
      context.schedule(Duration.ofMillis(1), PunctuationType.WALL_CLOCK_TIME, at -> fail(each));
      assertThatThrownBy(
              () -> task.scheduledPunctuators().remove(0).getPunctuator().punctuate(NOW_MS))
          .isExactlyInstanceOf(StreamsException.class);
    }
  }

  /** Kafka Streams revives the own task, which then reads the event again. */
  @Test
  void singleEventIsNotDroppedForAnotherTask() {
    add(1, 1);
    NodeContext<byte[], EventRecord> context = context(settings);
    Record<byte[], EventRecord> alone = batch.records().get(0);
    TaskCorruptedException other = new TaskCorruptedException(Set.of(new TaskId(0, 9)));
    assertThatThrownBy(() -> context.process(alone, record -> fail(other)))
        .isExactlyInstanceOf(StreamsException.class);
    TaskCorruptedException own = new TaskCorruptedException(Set.of(task.taskId()));
    assertThatThrownBy(() -> context.process(alone, record -> fail(own))).isSameAs(own);
  }

  private static void fail(RuntimeException failure) {
    throw failure;
  }

  @Test
  void namesOfStoresAndChildrenHaveThePrefix() {
    NodeContext<byte[], EventRecord> context = context(NodeContext.Settings.of(services, "shop-"));
    add(1, 1);
    context.forward(batch.records().get(0), Nodes.DELAYED);
    assertThat(task.forwarded().get(0).childName()).contains("shop-" + Nodes.DELAYED);
    assertThat(context.task()).isSameAs(task);
    assertThat(context.prefix()).isEqualTo("shop-");
  }
}
