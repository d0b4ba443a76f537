package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.delay.CommittedClocks;
import io.sluice.topology.intake.EventRecord;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

class PrefixedTest {
  @Test
  void aNodeWithAPrefixCommitsClocksInTheContextOfItsTask() {
    MockProcessorContext<byte[], EventRecord> task = new MockProcessorContext<>(new Properties());
    AtomicReference<ProcessorContext<?, ?>> given = new AtomicReference<>();
    Prefixed.of("shop-", () -> new Node(given)).get().init(task);

    assertThat(given.get())
        .isInstanceOfSatisfying(
            CommittedClocks.Part.class,
            part -> {
              assertThat(part.prefix()).isEqualTo("shop-");
              assertThat(part.task()).isSameAs(task);
            });
  }

  private record Node(AtomicReference<ProcessorContext<?, ?>> given)
      implements Processor<byte[], EventRecord, byte[], EventRecord> {
    @Override
    public void init(ProcessorContext<byte[], EventRecord> context) {
      given.set(context);
    }

    @Override
    public void process(Record<byte[], EventRecord> record) {}
  }
}
