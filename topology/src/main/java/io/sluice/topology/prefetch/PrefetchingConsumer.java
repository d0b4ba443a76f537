package io.sluice.topology.prefetch;

import io.sluice.rules.settings.RedisConfig;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Consumer that polls ahead while there is a backlog. It holds back the records of a poll and
 * returns them from a later poll, so that Redis is asked about their events while earlier events
 * are processed. Records are returned when Redis has been asked about all events of their poll. Not
 * thread-safe, like any consumer.
 */
final class PrefetchingConsumer implements InvocationHandler {
  /*
   * Kafka Streams must not notice that records are held back. So the consumer behaves as if they
   * had not been polled: its position is before them, the records of a paused partition stay, and a
   * seek or the loss of the partition drops them. So Streams commits, and purges from its own
   * topics, only records that were returned. This is a dynamic proxy, because most of a consumer's
   * methods are passed on unchanged.
   */

  /**
   * Number of held-back records from which on the consumer polls ahead: as many as two calls of the
   * script in Redis. With fewer records there is no backlog, and a later poll returns more records
   * at once, which costs less.
   */
  static final int MANY = 250;

  /**
   * Number of held-back records at which the consumer stops polling ahead. It is enough work for
   * Redis while Streams commits, which takes tens of milliseconds. Together with the uncommitted
   * records, see {@code CommitPace}, it is less than the number of answers that Redis keeps for a
   * partition.
   */
  static final int ENOUGH = RedisConfig.MOST_ASKED_AHEAD;

  /**
   * Bytes of held-back keys and values at which the consumer stops polling ahead, since the fetch
   * sizes of the consumer count compressed bytes.
   */
  static final long ENOUGH_BYTES = 16 << 20;

  private static final Duration MOST_CLOSING = Duration.ofSeconds(2);

  /** Time without work after which a background thread ends. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final Consumer<byte[], byte[]> consumer;
  private final Asking asking;
  private final int many;
  private final int enough;
  private final HeldPolls held = new HeldPolls();
  private final ExecutorService background = background();
  private final QuestionOrder turns = new QuestionOrder(background);

  /**
   * Records with the events of a poll in batches, and the future that completes when Redis has been
   * asked about all of them, answered or not.
   */
  record Asked(ConsumerRecords<byte[], byte[]> batches, CompletableFuture<Void> end) {}

  /**
   * Component that decodes the events of a poll, and has Redis asked about them after those of
   * earlier polls.
   */
  @FunctionalInterface
  interface Asking {
    Asked about(ConsumerRecords<byte[], byte[]> polled, QuestionOrder turns);

    /** Returns whether there may be anything to ask Redis, that is, whether a limit is in Redis. */
    default boolean isNeeded() {
      return true;
    }
  }

  private PrefetchingConsumer(
      Consumer<byte[], byte[]> consumer, Asking asking, int many, int enough) {
    this.consumer = consumer;
    this.asking = asking;
    this.many = many;
    this.enough = enough;
  }

  /**
   * @param asking has Redis asked about the events of each poll
   * @param many number of held-back records from which on the consumer polls ahead
   * @param enough number of held-back records at which the consumer stops polling ahead
   */
  @SuppressWarnings("unchecked")
  static Consumer<byte[], byte[]> of(
      Consumer<byte[], byte[]> consumer, Asking asking, int many, int enough) {
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            PrefetchingConsumer.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            new PrefetchingConsumer(consumer, asking, many, enough));
  }

  /**
   * Returns an executor for the calls to Redis. It uses one or two threads for each Redis server,
   * since a thread that ends a call starts the next call of the server in a second thread. It
   * discards tasks after its shutdown.
   */
  private static ExecutorService background() {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE.toMillis(),
        TimeUnit.MILLISECONDS,
        new SynchronousQueue<>(),
        PrefetchingConsumer::thread,
        new ThreadPoolExecutor.DiscardPolicy());
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-redis-ahead");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    switch (method.getName()) {
      case "poll" -> {
        return poll((Duration) args[0]);
      }
      case "position" -> {
        OptionalLong position = held.position((TopicPartition) args[0]);
        if (position.isPresent()) return position.getAsLong();
      }
      case "currentLag" -> {
        return lag((TopicPartition) args[0]);
      }
      case "seek" -> held.drop(List.of((TopicPartition) args[0]));
      case "seekToBeginning", "seekToEnd" -> {
        Collection<TopicPartition> sought = (Collection<TopicPartition>) args[0];
        // Kafka's consumer takes an empty list of partitions as all assigned partitions.
        held.drop(sought.isEmpty() ? consumer.assignment() : sought);
      }
      case "subscribe" -> {
        if (args.length == 2) args[1] = new Dropping((ConsumerRebalanceListener) args[1], held);
      }
      case "unsubscribe", "assign" -> held.clear();
      case "close" -> stopAsking();
      default -> {}
    }
    return ask(method, args);
  }

  private Object ask(Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(consumer, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (held.isEmpty() && !asking.isNeeded()) {
      return asking.about(consumer.poll(timeout), turns).batches;
    }
    if (held.hasOnly(consumer.paused())) fetch(timeout);
    boolean more = true;
    while (more && isBacklog()) more = fetch(Duration.ZERO);
    return held.takeAllBut(consumer.paused());
  }

  private boolean isBacklog() {
    int size = held.size();
    return size >= many && size < enough && held.bytes() < ENOUGH_BYTES;
  }

  /** Polls the wrapped consumer once, and has Redis asked; returns whether there were records. */
  private boolean fetch(Duration timeout) {
    ConsumerRecords<byte[], byte[]> polled = consumer.poll(timeout);
    Asked asked = asking.about(polled, turns);
    held.add(asked.batches, asked.end);
    return !polled.isEmpty();
  }

  private OptionalLong lag(TopicPartition partition) {
    OptionalLong lag = consumer.currentLag(partition);
    OptionalLong position = held.position(partition);
    if (lag.isEmpty() || position.isEmpty()) return lag;
    return OptionalLong.of(lag.getAsLong() + consumer.position(partition) - position.getAsLong());
  }

  /**
   * Discards held-back records, and waits up to 2 s for running calls to Redis, since a call whose
   * connection closes would look like an outage of Redis.
   */
  private void stopAsking() {
    held.clear();
    background.shutdown();
    try {
      background.awaitTermination(MOST_CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Rebalance listener that drops the held-back records of revoked and lost partitions. */
  private record Dropping(ConsumerRebalanceListener listener, HeldPolls held)
      implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      listener.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      held.drop(partitions);
      listener.onPartitionsRevoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      held.drop(partitions);
      listener.onPartitionsLost(partitions);
    }
  }
}
