package io.sluice.topology.prefetch;

import io.sluice.topology.config.RedisConfig;
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
 * A consumer that is some polls ahead of whoever polls it, if there is much to do: what a poll has
 * brought is handed over by a later one, and Redis is asked about it while those before are
 * processed. Nothing is handed over before all of it is asked about. Not thread-safe, like any
 * consumer.
 */
final class PrefetchingConsumer implements InvocationHandler {
  /*
   * Whoever polls must not notice. What is held back belongs to the consumer as if it had not been
   * polled: the position is before it, a partition that is paused keeps it, and it is gone when a
   * partition is, or when somebody seeks. So Streams commits, and purges of its own topics, only what
   * it has been given. It is a proxy, because most of a consumer's methods are of no interest here.
   */

  /**
   * Two calls of the script. With fewer there is no backlog: then polls one after another bring
   * more at once, and that costs everybody less.
   */
  static final int MANY = 250;

  /**
   * So many that Redis has work while Streams commits, which takes tens of milliseconds; and
   * together with what is uncommitted, see {@code CommitPace}, no more than Redis keeps in its
   * journal of a partition.
   */
  static final int ENOUGH = RedisConfig.MOST_ASKED_AHEAD;

  /** A poll of more than that is enough, however few records it has: a fetch may be compressed. */
  static final long ENOUGH_BYTES = 16 << 20;

  private static final Duration MOST_CLOSING = Duration.ofSeconds(2);

  /** After which a thread that asks nobody ends. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final Consumer<byte[], byte[]> consumer;
  private final Asking asking;
  private final int many;
  private final int enough;
  private final HeldPolls held = new HeldPolls();
  private final ExecutorService background = background();
  private final Turns turns = new Turns(background);

  /** Has Redis asked about what a poll has brought, in turn. */
  @FunctionalInterface
  interface Asking {
    CompletableFuture<Void> about(ConsumerRecords<byte[], byte[]> polled, Turns turns);

    /** Whether there may be anything to ask. */
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
   * @param many with how many records at hand it polls ahead
   * @param enough with how many it no longer does
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
   * A thread for each server that is asked, or two: one that ends a turn has the next one started
   * before it is free. What comes when it is shut down is dropped.
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
        held.drop(sought.isEmpty() ? consumer.assignment() : sought); // none stands for all
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
    if (held.size() == 0 && !asking.isNeeded()) return consumer.poll(timeout);
    if (held.hasOnly(consumer.paused())) fetch(timeout);
    boolean more = true;
    while (more && isBacklog()) more = fetch(Duration.ZERO);
    return held.takeAllBut(consumer.paused());
  }

  private boolean isBacklog() {
    int size = held.size();
    return size >= many && size < enough && held.bytes() < ENOUGH_BYTES;
  }

  /** Whether there was anything. */
  private boolean fetch(Duration timeout) {
    ConsumerRecords<byte[], byte[]> polled = consumer.poll(timeout);
    held.add(polled, asking.about(polled, turns));
    return !polled.isEmpty();
  }

  private OptionalLong lag(TopicPartition partition) {
    OptionalLong lag = consumer.currentLag(partition);
    OptionalLong position = held.position(partition);
    if (lag.isEmpty() || position.isEmpty()) return lag;
    return OptionalLong.of(lag.getAsLong() + consumer.position(partition) - position.getAsLong());
  }

  /** What is being asked is nobody's any more; but Redis is not gone when its connections are. */
  private void stopAsking() {
    held.clear();
    background.shutdown();
    try {
      background.awaitTermination(MOST_CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets go of what is held back of a partition that goes. */
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
