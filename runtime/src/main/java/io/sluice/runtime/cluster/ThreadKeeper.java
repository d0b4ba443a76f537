package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import io.sluice.runtime.monitoring.Health;
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
 * Supervisor of stream threads: replaces a thread after a failure that may pass, and ends the
 * instance after any other failure. It logs the beginning and the end of a series of failures once
 * each.
 */
final class ThreadKeeper implements StreamsUncaughtExceptionHandler, AutoCloseable {
  /*
   * Kafka Streams can replace a thread by itself. But the new thread starts at once, and the failed
   * one stays in its group, so that its partitions stand still until its session times out. If the
   * handler throws, as Streams does itself for a replacement, the thread leaves the group as it
   * ends, and a new thread can be added at the right time.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ThreadKeeper.class);
  private static final Duration TICK = Duration.ofMillis(200);

  /**
   * Monotonic clock, independent of changes of the wall clock. Only differences between its times
   * have a meaning.
   */
  static final InstantSource STEADY = () -> Instant.EPOCH.plusNanos(System.nanoTime());

  private final StreamThreads threads;
  private final InstantSource clock;
  private final Duration calm;
  private final Health health;
  private final Consumer<Failure> ending;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Instant> owed = new ArrayList<>();
  private Optional<FailurePeriod> trouble = Optional.empty();

  /**
   * Creates a supervisor that is not started.
   *
   * @param ending receives a failure that does not pass, on the failed thread
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

  /** Starts the thread that supervises the stream threads. */
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

  /** Supervises once; ignores exceptions, since Kafka Streams may end between two requests. */
  private void lookAfterQuietly() {
    try {
      lookAfter();
    } catch (RuntimeException e) {
      LOG.debug("stream threads do not say how they are", e);
    }
  }

  /** Judges the failure of a stream thread and then throws, which ends the calling thread. */
  @Override
  public StreamThreadExceptionResponse handle(Throwable thrown) {
    judge(thrown);
    // The failure is logged already; without this handler the JVM would print it again.
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
    if (trouble.isEmpty()) trouble = Optional.of(new FailurePeriod(now, failure, calm));
    FailurePeriod current = trouble.get();
    if (current.failed(failure, now)) {
      LOG.error("a stream thread failed and is replaced, repeatedly if necessary", thrown);
    }
    owed.add(now.plus(current.untilReplaced()));
    health.replacing(current.line(), current.isLasting());
  }

  /** Adds the replacement threads that are due, and notices when all threads run again. */
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
      // A thread that cannot be created counts as a failed thread.
      judge(e);
    }
  }

  private void notice(FailurePeriod current, Instant now) {
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

  /** Exception that ends a stream thread; it is never caught. */
  private static final class ThreadEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ThreadEndedException(Throwable cause) {
      super(cause);
    }
  }
}
