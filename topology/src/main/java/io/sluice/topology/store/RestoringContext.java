package io.sluice.topology.store;

import java.io.File;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Context for the initialization of an inner store that is a part of an outer store. The inner
 * store registers itself to be restored, but restored rows then go to the outer store.
 *
 * @param restored callback of the outer store, which replaces that of the inner store
 */
record RestoringContext(StateStoreContext context, BatchingStateRestoreCallback restored)
    implements StateStoreContext {
  @Override
  public void register(StateStore root, StateRestoreCallback ignored) {
    context.register(root, restored);
  }

  @Override
  public void register(StateStore root, StateRestoreCallback ignored, CommitCallback committed) {
    context.register(root, restored, committed);
  }

  @Override
  public String applicationId() {
    return context.applicationId();
  }

  @Override
  public TaskId taskId() {
    return context.taskId();
  }

  @Override
  public Optional<RecordMetadata> recordMetadata() {
    return context.recordMetadata();
  }

  @Override
  public Serde<?> keySerde() {
    return context.keySerde();
  }

  @Override
  public Serde<?> valueSerde() {
    return context.valueSerde();
  }

  @Override
  public File stateDir() {
    return context.stateDir();
  }

  @Override
  public StreamsMetrics metrics() {
    return context.metrics();
  }

  @Override
  public Map<String, Object> appConfigs() {
    return context.appConfigs();
  }

  @Override
  public Map<String, Object> appConfigsWithPrefix(String prefix) {
    return context.appConfigsWithPrefix(prefix);
  }
}
