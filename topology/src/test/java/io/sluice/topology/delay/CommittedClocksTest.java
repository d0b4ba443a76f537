package io.sluice.topology.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigText;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.NodeContext;
import io.sluice.topology.metering.Meters;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorMetadata;
import org.apache.kafka.streams.processor.internals.TopicPartitionMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommittedClocksTest {
  /** Default of the broker's {@code offset.metadata.max.bytes}. */
  private static final int MOST_METADATA = 4_096;

  private ProcessorMetadata metadata = new ProcessorMetadata();
  private final CommittedClocks clocks = new CommittedClocks(streams(), 1);

  private InternalProcessorContext<?, ?> streams() {
    return (InternalProcessorContext<?, ?>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {InternalProcessorContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "currentStreamTimeMs" -> 0L;
                  case "processorMetadata" -> metadata;
                  case "processorMetadataForKey" -> metadata.get((String) arguments[0]);
                  case "addProcessorMetadataKeyValue" -> {
                    metadata.put((String) arguments[0], (Long) arguments[1]);
                    yield null;
                  }
                  case "setProcessorMetadata" -> {
                    metadata = (ProcessorMetadata) arguments[0];
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void offsetsWithTheClocksOfAnyNumberOfInputsAreCommitted() {
    for (int i = 0; i < 1_000; i++) clocks.of(input(i)).set(i, 10 * i);
    clocks.of(input(60)).set(77, 777);

    assertThat(new TopicPartitionMetadata(Long.MAX_VALUE, metadata).encode())
        .hasSizeBetween(MOST_METADATA * 9 / 10, MOST_METADATA);
    assertThat(clocks.of(input(60)).ms()).isEqualTo(77);
    assertThat(clocks.of(input(60)).offset()).isEqualTo(777);
    assertThat(clocks.of(input(999)).ms()).isEqualTo(ConsumerRecord.NO_TIMESTAMP);
  }

  @Test
  void inputsThatNoLongerExistMakeRoom() {
    for (int i = 0; i < 1_000; i++) clocks.of(input(i)).set(i, i);

    CommittedClocks later = new CommittedClocks(streams(), 1);
    for (int i = 2_000; i < 2_010; i++) later.of(input(i)).set(i, i);
    for (int i = 2_000; i < 2_010; i++) assertThat(later.of(input(i)).ms()).isEqualTo(i);
  }

  @Test
  void nodesOfOneTaskHaveClocksOfTheirOwn() {
    CommittedClocks one = new CommittedClocks(part("one-"), 1);
    CommittedClocks other = new CommittedClocks(part("other-"), 1);
    one.of(input(0)).set(5, 1);

    assertThat(one.of(input(0)).ms()).isEqualTo(5);
    assertThat(other.of(input(0)).ms()).isEqualTo(ConsumerRecord.NO_TIMESTAMP);
    assertThat(new CommittedClocks(null, 1).of(input(0)).ms())
        .isEqualTo(ConsumerRecord.NO_TIMESTAMP);
  }

  /** An input partition without events keeps the metadata of an earlier run. */
  @Test
  void theUnitedMetadataOfTwoRunsIsReducedAtTheStart() {
    for (int i = 0; i < 50; i++) clocks.of(input(i)).set(i, 10 * i);
    ProcessorMetadata ofIdle = metadata;
    metadata = new ProcessorMetadata();
    CommittedClocks second = new CommittedClocks(streams(), 1);
    for (int i = 50; i < 100; i++) second.of(input(i)).set(i, 10 * i);
    metadata.update(ofIdle);

    CommittedClocks third = new CommittedClocks(streams(), 1);
    third.reduceTo(List.of(input(7), input(70), input(700)));
    assertThat(third.of(input(7)).ms()).isEqualTo(7);
    assertThat(third.of(input(70)).offset()).isEqualTo(700);
    assertThat(third.of(input(700)).ms()).isEqualTo(ConsumerRecord.NO_TIMESTAMP);
    for (int i = 0; i < 100; i++) third.of(input(i)).set(i, i);
    assertThat(new TopicPartitionMetadata(Long.MAX_VALUE, metadata).encode())
        .hasSizeBetween(MOST_METADATA * 9 / 10, MOST_METADATA);
    assertThat(third.of(input(7)).ms()).isEqualTo(7);
  }

  /** One thread may have all tasks, and the broker writes its offsets as one batch. */
  @ParameterizedTest
  @ValueSource(ints = {32, 100, 1_000})
  void theOffsetsOfAllTasksFitIntoOneBatch(int tasks) {
    CommittedClocks ofTask = new CommittedClocks(streams(), tasks);
    for (int i = 0; i < 1_000; i++) ofTask.of(input(i)).set(i, i);
    String encoded = new TopicPartitionMetadata(Long.MAX_VALUE, metadata).encode();
    assertThat(tasks * 5 * encoded.length()).isLessThan(3 << 18);
  }

  @SuppressWarnings("unchecked") // the context has no records
  private ProcessorContext<?, ?> part(String prefix) {
    return NodeContext.of(
        (ProcessorContext<byte[], EventRecord>) streams(),
        NodeContext.Settings.of(Meters.services(ConfigText.config()), prefix));
  }

  private static String input(int partition) {
    return "actions-of-the-application-" + partition + "-";
  }
}
