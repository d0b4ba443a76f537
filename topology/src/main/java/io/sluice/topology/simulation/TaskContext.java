package io.sluice.topology.simulation;

import io.sluice.topology.intake.EventRecord;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The task as its nodes see it: one partition of each topic, and the time. An array cannot be the
 * bound of a type, so this is a context of objects.
 */
final class TaskContext extends MockProcessorContext<Object, Object> {
  private final BiConsumer<Record<byte[], EventRecord>, String> nodes;
  private final Map<String, Long> offsets = new HashMap<>();

  /**
   * @param nodes take what is forwarded to the node of a name
   */
  TaskContext(Path folder, BiConsumer<Record<byte[], EventRecord>, String> nodes) {
    super(new Properties(), new TaskId(0, 0), folder.toFile());
    this.nodes = nodes;
    setCurrentSystemTimeMs(0);
    setCurrentStreamTimeMs(ConsumerRecord.NO_TIMESTAMP);
  }

  @SuppressWarnings("unchecked")
  ProcessorContext<byte[], EventRecord> typed() {
    return (ProcessorContext<byte[], EventRecord>) (ProcessorContext<?, ?>) this;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, V> void forward(Record<K, V> record, String node) {
    nodes.accept((Record<byte[], EventRecord>) record, node);
  }

  /** The offset that the next record of a topic has. */
  long nextOffset(String topic) {
    return offsets.getOrDefault(topic, 0L);
  }

  /** The record that is processed now is the next of this topic, and happened then. */
  void at(String topic, long timeMs) {
    setRecordMetadata(topic, 0, offsets.merge(topic, 1L, Long::sum) - 1);
    setCurrentStreamTimeMs(Math.max(currentStreamTimeMs(), timeMs));
  }
}
