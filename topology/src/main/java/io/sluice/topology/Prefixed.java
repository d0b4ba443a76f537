package io.sluice.topology;

import io.sluice.topology.delay.CommittedClocks;
import io.sluice.topology.intake.EventRecord;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Kafka Streams node whose child nodes and state stores have names with a prefix. The wrapped node
 * uses the names without the prefix, so one topology can contain several copies of the wrapped
 * node.
 */
record Prefixed(String prefix, ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> node)
    implements ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> {
  /** Wraps a node with the prefix; returns the node itself if the prefix is empty. */
  static ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> of(
      String prefix, ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> node) {
    return prefix.isEmpty() ? node : new Prefixed(prefix, node);
  }

  /** Returns the state stores of the wrapped node; their names already have the prefix. */
  @Override
  public Set<StoreBuilder<?>> stores() {
    return node.stores();
  }

  @Override
  public Processor<byte[], EventRecord, byte[], EventRecord> get() {
    Processor<byte[], EventRecord, byte[], EventRecord> one = node.get();
    return new Processor<>() {
      @Override
      public void init(ProcessorContext<byte[], EventRecord> context) {
        one.init(new Context<>(prefix, context, new HashMap<>()));
      }

      @Override
      public void process(Record<byte[], EventRecord> record) {
        one.process(record);
      }

      @Override
      public void close() {
        one.close();
      }
    };
  }

  /**
   * Processor context that adds the prefix to the names of child nodes and state stores.
   *
   * @param children cache of the child nodes' names with the prefix, by their names without it
   */
  private record Context<F, W>(
      String prefix, ProcessorContext<F, W> task, Map<String, String> children)
      implements ProcessorContext<F, W>, CommittedClocks.Part {
    @Override
    public <K extends F, V extends W> void forward(Record<K, V> record) {
      task.forward(record);
    }

    @Override
    public <K extends F, V extends W> void forward(Record<K, V> record, String child) {
      task.forward(record, children.computeIfAbsent(child, name -> prefix + name));
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Kafka's interface declares it so
    public <S extends StateStore> S getStateStore(String name) {
      return task.getStateStore(prefix + name);
    }

    @Override
    public Cancellable schedule(Duration interval, PunctuationType type, Punctuator punctuator) {
      return task.schedule(interval, type, punctuator);
    }

    @Override
    public Cancellable schedule(
        Instant start, Duration interval, PunctuationType type, Punctuator punctuator) {
      return task.schedule(start, interval, type, punctuator);
    }

    @Override
    public void commit() {
      task.commit();
    }

    @Override
    public String applicationId() {
      return task.applicationId();
    }

    @Override
    public TaskId taskId() {
      return task.taskId();
    }

    @Override
    public Optional<RecordMetadata> recordMetadata() {
      return task.recordMetadata();
    }

    @Override
    public Serde<?> keySerde() {
      return task.keySerde();
    }

    @Override
    public Serde<?> valueSerde() {
      return task.valueSerde();
    }

    @Override
    public File stateDir() {
      return task.stateDir();
    }

    @Override
    public StreamsMetrics metrics() {
      return task.metrics();
    }

    @Override
    public Map<String, Object> appConfigs() {
      return task.appConfigs();
    }

    @Override
    public Map<String, Object> appConfigsWithPrefix(String prefix) {
      return task.appConfigsWithPrefix(prefix);
    }

    @Override
    public long currentSystemTimeMs() {
      return task.currentSystemTimeMs();
    }

    @Override
    public long currentStreamTimeMs() {
      return task.currentStreamTimeMs();
    }
  }
}
