package io.sluice.streams;

import io.sluice.topology.intake.EventRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/** The node by which what is no action leaves: the bytes that it has by the serdes. */
final class OddProcessor extends ContextualProcessor<byte[], EventRecord, byte[], byte[]> {
  @Override
  public void process(Record<byte[], EventRecord> record) {
    context().forward(record.withValue(Wrapped.value(record.value().bytes())));
  }
}
