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
 * Tells whether a task has processed all records of its input partitions. It watches the polls of
 * the stream threads' consumers. Each stream thread may ask only about its own tasks. Safe for many
 * threads.
 */
public final class InputLag {
  /*
   * A consumer's lag does not include records that a poll has returned and Kafka Streams has
   * buffered. So the last offset that a poll returned is also compared with the last processed
   * offset.
   *
   * With group.protocol=streams, Kafka Streams creates its consumer itself, and no public API gives
   * the lag. Then a task is assumed to have no input left after a time without records.
   */
  /**
   * Time without a record, milliseconds, after which a task is assumed to have no input left, if
   * the consumer's lag is unknown.
   */
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
   * Returns the lag of a Sluice instance's input topics and repartition topic.
   *
   * @param needed whether the lag may be asked for; until then polls are not watched
   */
  public static InputLag of(SluiceConfig config, BooleanSupplier needed) {
    String hop = Nodes.hopTopic(config.applicationId());
    Predicate<String> inputs =
        topic -> config.topics().inputs().contains(topic) || topic.equals(hop);
    return new InputLag(inputs, needed, config.makesItsOwnConsumer());
  }

  /**
   * Returns the lag of the throttled streams in a user's application, whose events come through
   * repartition topics.
   */
  public static InputLag ofHops(SluiceConfig config) {
    String beginning = config.applicationId() + "-";
    String end = "-" + Nodes.HOME + "-repartition";
    Predicate<String> inputs = topic -> topic.startsWith(beginning) && topic.endsWith(end);
    boolean needed = config.limits().retries();
    return new InputLag(inputs, () -> needed, config.makesItsOwnConsumer());
  }

  /** Returns a lag that is always 0, for tasks that have no input left when a punctuation runs. */
  public static InputLag none() {
    return new InputLag(topic -> false, () -> false, false);
  }

  /** Consumer of one stream thread, with the last polled and last processed records. */
  private static final class Watched {
    Optional<Consumer<byte[], byte[]>> consumer = Optional.empty();
    final Map<TopicPartition, Long> polled = new HashMap<>();
    final Map<TopicPartition, Long> processed = new HashMap<>();
    final Map<Integer, Long> lastMs = new HashMap<>();
  }

  /**
   * Wraps a consumer so that its polls are watched. The stream thread that polls the consumer must
   * be the thread that asks for the lag.
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
    // Forgets the last polled offsets of partitions that are no longer assigned to the consumer.
    mine.polled.keySet().retainAll(consumer.assignment());
    for (TopicPartition partition : polled.partitions()) {
      var records = polled.records(partition);
      ConsumerRecord<byte[], byte[]> last = records.get(records.size() - 1);
      if (inputs.test(partition.topic())) mine.polled.put(partition, last.offset());
    }
    return polled;
  }

  /** Returns whether the lag may be asked for; if not, polls and records are not watched. */
  public boolean isNeeded() {
    return needed.getAsBoolean();
  }

  /** Notes that the processing of an input record begins. */
  public void processed(RecordMetadata record, long wallMs) {
    Watched mine = threads.get();
    if (isByIdleness(mine)) mine.lastMs.put(record.partition(), wallMs);
    else mine.processed.put(at(record), record.offset());
  }

  private static TopicPartition at(RecordMetadata record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /**
   * Returns whether the task of a partition has processed all its input. To be called between the
   * processing of two records.
   */
  public boolean isZero(int partition, long wallMs) {
    Watched mine = threads.get();
    if (!isNeeded()) return true;
    if (isByIdleness(mine))
      return wallMs - mine.lastMs.computeIfAbsent(partition, at -> wallMs) >= IDLE_MS;
    return isZero(mine, mine.consumer.orElseThrow(), partition);
  }

  /**
   * Returns whether the lag can be outdated after the process was suspended. False only if no poll
   * of the calling thread has been watched and the lag is not estimated by idle time.
   */
  public boolean mayBeOld() {
    return byIdleness || threads.get().consumer.isPresent();
  }

  /**
   * Returns whether the consumer's lag is unknown, so that the time without records decides: with
   * group.protocol=streams, before the first poll, and in the test driver of Kafka Streams.
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
