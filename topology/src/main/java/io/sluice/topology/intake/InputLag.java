package io.sluice.topology.intake;

import io.sluice.topology.config.SluiceConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Tells whether a task has processed all records of its input partitions. Watches the consumers of
 * the stream threads; each thread asks about its own tasks only. Safe for many threads.
 */
public final class InputLag {
  /*
   * A consumer's lag counts from the records that it has returned, which Streams buffers. So the
   * last offset that a poll returned is compared with the last one that was processed.
   *
   * With group.protocol=streams, Streams makes its consumer itself, and no public API gives the
   * lag.
   */
  /** Time without an event after which no input is assumed to be left, where no lag is known. */
  public static final long IDLE_MS = 1_000;

  private final Predicate<String> inputs;
  private final BooleanSupplier needed;
  private final boolean byIdleness;
  private final ThreadLocal<Watched> threads = ThreadLocal.withInitial(Watched::new);

  private InputLag(Predicate<String> inputs, BooleanSupplier needed, boolean byIdleness) {
    this.inputs = inputs;
    this.needed = needed;
    this.byIdleness = byIdleness;
  }

  /**
   * Returns the lag of a Sluice instance.
   *
   * @param needed whether it may be asked for; until then nothing is watched
   */
  public static InputLag of(SluiceConfig config, BooleanSupplier needed) {
    String hop = Nodes.hopTopic(config.applicationId());
    Predicate<String> inputs =
        topic -> config.topics().inputs().contains(topic) || topic.equals(hop);
    return new InputLag(inputs, needed, config.makesItsOwnConsumer());
  }

  /** Returns the lag of a stream in another application, whose events come by a hop. */
  public static InputLag ofHops(SluiceConfig config) {
    String beginning = config.applicationId() + "-";
    String end = "-" + Nodes.HOME + "-repartition";
    Predicate<String> inputs = topic -> topic.startsWith(beginning) && topic.endsWith(end);
    boolean needed = config.limits().retries();
    return new InputLag(inputs, () -> needed, config.makesItsOwnConsumer());
  }

  /** Returns a lag of 0, for tasks whose input is empty whenever a punctuation runs. */
  public static InputLag none() {
    return new InputLag(topic -> false, () -> false, false);
  }

  /** State of one stream thread. */
  private static final class Watched {
    Optional<Consumer<byte[], byte[]>> consumer = Optional.empty();
    final Map<TopicPartition, Long> polled = new HashMap<>();
    final Map<TopicPartition, Long> processed = new HashMap<>();
    final Map<Integer, Long> lastMs = new HashMap<>();
  }

  /**
   * Wraps a consumer so that its polls are watched. It must be polled by the stream thread that
   * asks for the lag.
   */
  @SuppressWarnings("unchecked")
  public Consumer<byte[], byte[]> watched(Consumer<byte[], byte[]> consumer) {
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            InputLag.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, args) -> {
              if (method.getName().equals("poll") && args[0] instanceof Duration timeout) {
                return poll(consumer, timeout);
              }
              try {
                return method.invoke(consumer, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private ConsumerRecords<byte[], byte[]> poll(
      Consumer<byte[], byte[]> consumer, Duration timeout) {
    ConsumerRecords<byte[], byte[]> polled = consumer.poll(timeout);
    if (!isNeeded()) return polled;
    Watched mine = threads.get();
    mine.consumer = Optional.of(consumer);
    mine.polled.keySet().retainAll(consumer.assignment()); // nothing is left of other partitions
    for (TopicPartition partition : polled.partitions()) {
      var records = polled.records(partition);
      ConsumerRecord<byte[], byte[]> last = records.get(records.size() - 1);
      if (inputs.test(partition.topic())) mine.polled.put(partition, last.offset());
    }
    return polled;
  }

  /** Returns whether the lag may be asked for. */
  public boolean isNeeded() {
    return needed.getAsBoolean();
  }

  /** Notes an input record whose processing begins. */
  public void processed(RecordMetadata record, long wallMs) {
    Watched mine = threads.get();
    if (isByIdleness(mine)) mine.lastMs.put(record.partition(), wallMs);
    else mine.processed.put(at(record), record.offset());
  }

  private static TopicPartition at(RecordMetadata record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /**
   * Returns whether the task of a partition has no input left. To be called between two records.
   */
  public boolean isZero(int partition, long wallMs) {
    Watched mine = threads.get();
    if (!isNeeded()) return true;
    if (isByIdleness(mine))
      return wallMs - mine.lastMs.computeIfAbsent(partition, at -> wallMs) >= IDLE_MS;
    return isZero(mine, mine.consumer.orElseThrow(), partition);
  }

  /** Returns whether the lag may be outdated, as after a time in which the process stood still. */
  public boolean mayBeOld() {
    return byIdleness || threads.get().consumer.isPresent();
  }

  /**
   * Returns whether only idle time is known, and no lag: with group.protocol=streams, before the
   * first poll, and in Streams' test driver.
   */
  private boolean isByIdleness(Watched mine) {
    return byIdleness || mine.consumer.isEmpty();
  }

  private boolean isZero(Watched mine, Consumer<byte[], byte[]> consumer, int partition) {
    for (TopicPartition each : consumer.assignment()) {
      if (each.partition() != partition || !inputs.test(each.topic())) continue;
      OptionalLong lag = consumer.currentLag(each);
      if (lag.isEmpty() || lag.getAsLong() > 0) return false;
      Long polled = mine.polled.get(each);
      if (polled != null && !polled.equals(mine.processed.get(each))) return false;
    }
    return true;
  }
}
