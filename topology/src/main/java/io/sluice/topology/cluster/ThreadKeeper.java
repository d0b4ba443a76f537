package io.sluice.topology.cluster;

import io.sluice.topology.metrics.Health;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A keeper who replaces stream threads that die of what may pass, and ends the instance when one
 * dies of what does not. It says once that there is trouble, and once that it is over.
 */
final class ThreadKeeper implements StreamsUncaughtExceptionHandler, AutoCloseable {
  /*
   * Streams can replace a thread by itself. But then the new one begins at once, and the one that
   * dies stays in its group: its partitions stand still until its session is over. If the handler
   * throws, as Streams itself does when it replaces one, the thread leaves the group as it ends, and
   * a new one can be added when it is time.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ThreadKeeper.class);
  private static final Duration TICK = Duration.ofMillis(200);

  /** Goes on whatever is done to the clock on the wall, and says nothing but how long it takes. */
  static final InstantSource STEADY = () -> Instant.EPOCH.plusNanos(System.nanoTime());

  private final StreamThreads threads;
  private final InstantSource clock;
  private final Duration calm;
  private final Health health;
  private final Consumer<Failure> ending;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Instant> owed = new ArrayList<>();
  private Optional<Trouble> trouble = Optional.empty();

  /**
   * @param ending is given what does not pass, on the thread that dies of it
   */
  ThreadKeeper(
      StreamThreads threads,
      InstantSource clock,
      Duration calm,
      Health health,
      Consumer<Failure> ending) {
    this.threads = threads;
    this.clock = clock;
    this.calm = calm;
    this.health = health;
    this.ending = ending;
  }

  /** Begins to look after them. */
  void start() {
    Thread looking = new Thread(this::goOnLooking, "sluice-threads");
    looking.setDaemon(true);
    looking.start();
  }

  private void goOnLooking() {
    try {
      while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) lookAfterQuietly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Streams may end between two questions, and then answers none. */
  private void lookAfterQuietly() {
    try {
      lookAfter();
    } catch (RuntimeException e) {
      LOG.debug("stream threads do not say how they are", e);
    }
  }

  /** Ends the thread that calls it, by throwing. */
  @Override
  public StreamThreadExceptionResponse handle(Throwable thrown) {
    judge(thrown);
    // Said already; without a handler of its own the JVM would say it again.
    Thread.currentThread().setUncaughtExceptionHandler((thread, again) -> {});
    throw new ThreadEndedException(thrown);
  }

  private void judge(Throwable thrown) {
    Failure failure = Failure.of(thrown);
    if (failure.mayPass()) {
      replace(failure, thrown);
    } else {
      if (!failure.isOfTheCluster())
        LOG.error("a stream thread failed and is not replaced", thrown);
      ending.accept(failure);
    }
  }

  private synchronized void replace(Failure failure, Throwable thrown) {
    Instant now = clock.instant();
    if (trouble.isEmpty()) trouble = Optional.of(new Trouble(now, failure, calm));
    Trouble current = trouble.get();
    if (current.failed(failure, now)) {
      LOG.error("a stream thread failed and is replaced, repeatedly if necessary", thrown);
    }
    owed.add(now.plus(current.untilReplaced()));
    health.replacing(current.line(), current.isLasting());
  }

  /** Adds the threads that it is time for, and notices when all is well. */
  synchronized void lookAfter() {
    Instant now = clock.instant();
    List<Instant> due = owed.stream().filter(each -> !each.isAfter(now)).toList();
    due.forEach(this::add);
    if (trouble.isPresent()) notice(trouble.get(), now);
  }

  private void add(Instant due) {
    try {
      if (threads.add()) owed.remove(due);
    } catch (RuntimeException e) {
      owed.remove(due);
      judge(e); // a thread that cannot be made is one that has failed
    }
  }

  private void notice(Trouble current, Instant now) {
    if (!owed.isEmpty() || !threads.allRun()) {
      current.stopped();
      return;
    }
    health.replaced();
    if (current.isOver(threads, now)) {
      LOG.info(current.pastLine());
      trouble = Optional.empty();
      health.untroubled();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }

  /** The exception that ends a stream thread; nothing catches it. */
  private static final class ThreadEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ThreadEndedException(Throwable cause) {
      super(cause);
    }
  }
}
