package io.sluice.topology.delay;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorMetadata;
import org.apache.kafka.streams.processor.internals.TopicPartitionMetadata;
import org.junit.jupiter.api.Test;

class CommittedClocksTest {
  /** Default of the broker's {@code offset.metadata.max.bytes}. */
  private static final int MOST_METADATA = 4_096;

  private final ProcessorMetadata metadata = new ProcessorMetadata();
  private final CommittedClocks clocks = new CommittedClocks(context());

  private InternalProcessorContext<?, ?> context() {
    return (InternalProcessorContext<?, ?>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {InternalProcessorContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "processorMetadata" -> metadata;
                  case "processorMetadataForKey" -> metadata.get((String) arguments[0]);
                  case "addProcessorMetadataKeyValue" -> {
                    metadata.put((String) arguments[0], (Long) arguments[1]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void offsetsWithTheClocksOfAnyNumberOfInputsAreCommitted() {
    for (int i = 0; i < 1_000; i++) clocks.set(input(i), i);
    clocks.set(input(0), 7);

    assertThat(new TopicPartitionMetadata(Long.MAX_VALUE, metadata).encode())
        .hasSizeBetween(MOST_METADATA * 9 / 10, MOST_METADATA);
    assertThat(clocks.of(input(0))).isEqualTo(7);
    assertThat(clocks.of(input(60))).isEqualTo(60);
    assertThat(clocks.of(input(999))).isEqualTo(ConsumerRecord.NO_TIMESTAMP);
  }

  private static String input(int partition) {
    return "actions-of-the-application-" + partition + "-";
  }
}
