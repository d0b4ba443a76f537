package io.sluice.streams;

import io.sluice.topology.intake.EventRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Node through which records without a valid action leave a throttled stream, with the bytes that
 * the serdes wrote.
 */
final class OddProcessor extends ContextualProcessor<byte[], EventRecord, byte[], byte[]> {
  @Override
  public void process(Record<byte[], EventRecord> record) {
    context().forward(record.withValue(Wrapped.value(record.value().bytes())));
  }
}
