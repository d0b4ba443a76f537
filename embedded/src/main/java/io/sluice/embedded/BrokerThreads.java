package io.sluice.embedded;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.utils.internals.Exit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Thread group of one Kafka broker. If a thread of the group asks to end the JVM, only its broker
 * fails.
 */
final class BrokerThreads extends ThreadGroup {
  /*
   * Kafka expects a broker to have the JVM for itself: on a fatal fault, such as a data folder that
   * can no longer be written, it halts the JVM through
   * org.apache.kafka.common.utils.internals.Exit. The action of Exit can be replaced, but only for
   * the whole JVM, and the action does not know the caller. A thread inherits the group of the
   * thread that created it, so the group identifies the broker. All other callers of Exit still end
   * the JVM.
   */
  private static final Logger LOG = LoggerFactory.getLogger(BrokerThreads.class);
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int MOST_INTERRUPTS = 4;

  static {
    Exit.setHaltProcedure((status, message) -> end(status, Runtime.getRuntime()::halt));
    Exit.setExitProcedure((status, message) -> end(status, System::exit));
  }

  private final CompletableFuture<String> failure = new CompletableFuture<>();

  private final Map<String, String> context;

  /**
   * @param context logging context (MDC) of the broker's threads
   */
  BrokerThreads(String name, Map<String, String> context) {
    super(name);
    this.context = Map.copyOf(context);
  }

  /**
   * Returns a future that completes, with a one-line reason, when the running broker asks to end
   * the JVM.
   */
  CompletableFuture<String> failure() {
    return failure;
  }

  /**
   * Runs work on a thread of this broker, and returns its result. If the time limit is over or the
   * broker fails, the thread is interrupted and has some time to end.
   *
   * @throws ExecutionException if the work throws an exception, or the broker fails: with that as
   *     its cause
   */
  <T> T call(Callable<T> work, Duration limit)
      throws ExecutionException, TimeoutException, InterruptedException {
    Caller<T> caller = new Caller<>(this, context, work);
    CompletableFuture<T> failed =
        failure.thenApply(
            reason -> {
              throw new IllegalStateException(reason);
            });
    // After a failure of the broker, the work is the shutdown, which that failure must not cancel.
    CompletableFuture<T> result =
        failure.isDone() ? caller.result : caller.result.applyToEither(failed, value -> value);
    caller.start();
    try {
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      end(caller);
    }
  }

  /**
   * Interrupts the thread several times, because a thread of a failed broker may wait at several
   * points of its code, one after another.
   */
  private static void end(Caller<?> caller) throws InterruptedException {
    for (int i = 0; i < MOST_INTERRUPTS && caller.isAlive(); i++) {
      caller.interrupt();
      caller.join(GRACE.toMillis());
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    LOG.error("{}: thread {} ended with an error", getName(), thread.getName(), thrown);
  }

  private static void end(int status, EndOfJvm endOfJvm) {
    Optional<BrokerThreads> broker = ofCurrentThread();
    if (broker.isEmpty()) {
      endOfJvm.end(status);
    } else {
      broker.get().fail(status);
    }
  }

  private static Optional<BrokerThreads> ofCurrentThread() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && !(group instanceof BrokerThreads)) group = group.getParent();
    return Optional.ofNullable((BrokerThreads) group);
  }

  /**
   * Marks the broker as failed, and throws, which ends the current thread. On the thread of {@link
   * #call} it only returns, because Kafka itself throws the reason there.
   */
  private void fail(int status) {
    if (Thread.currentThread() instanceof Caller<?> caller) {
      caller.halted = true;
      return;
    }
    String reason = "%s failed with status %d; see its log".formatted(getName(), status);
    LOG.error("{}", reason);
    failure.complete(reason);
    throw new BrokerFailedError(reason);
  }

  @FunctionalInterface
  private interface EndOfJvm {
    void end(int status);
  }

  /**
   * Ends a thread of a failed broker. It is an {@code Error}, because Kafka might catch an {@code
   * Exception} and continue.
   */
  private static final class BrokerFailedError extends Error {
    private static final long serialVersionUID = 1L;

    BrokerFailedError(String reason) {
      super(reason);
    }
  }

  /**
   * Daemon thread that runs the work of {@link #call}. Threads that the work starts are daemons by
   * default.
   */
  private static final class Caller<T> extends Thread {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Map<String, String> context;
    private final Callable<T> work;
    private boolean halted;

    Caller(BrokerThreads group, Map<String, String> context, Callable<T> work) {
      super(group, group.getName());
      this.context = context;
      this.work = work;
      setDaemon(true);
    }

    @Override
    public void run() {
      context.forEach(MDC::put); // inherited by the threads that the work starts
      try {
        T value = work.call();
        if (halted) throw new IllegalStateException("it tried to end the JVM");
        result.complete(value);
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    }
  }
}
