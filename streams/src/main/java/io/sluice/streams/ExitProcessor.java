package io.sluice.streams;

import io.sluice.topology.intake.EventRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Last node of a throttled stream for allowed and rejected records: restores key and value, and
 * keeps the headers of the verdict.
 */
final class ExitProcessor<K, V> extends ContextualProcessor<byte[], EventRecord, K, V> {
  private final Serialized<K, V> serialized;
  private String topic;

  ExitProcessor(Serialized<K, V> serialized) {
    this.serialized = serialized;
  }

  @Override
  public void init(ProcessorContext<K, V> context) {
    super.init(context);
    topic = serialized.topic(context.applicationId());
  }

  @Override
  public void process(Record<byte[], EventRecord> record) {
    K key = serialized.key(topic, record.headers(), record.key());
    byte[] value = Wrapped.value(record.value().bytes());
    context()
        .forward(record.withKey(key).withValue(serialized.value(topic, record.headers(), value)));
  }
}
