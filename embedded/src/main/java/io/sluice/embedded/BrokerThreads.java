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

/** The threads of one broker, and what becomes of a broker that asks for the end of the JVM. */
final class BrokerThreads extends ThreadGroup {
  /*
   * A broker is written to be alone in its JVM: on a fatal fault, such as a data folder that can
   * no longer be written, it halts the JVM through org.apache.kafka.common.utils.internals.Exit. What Exit
   * does can be replaced, for the whole JVM and without being told who asks. A thread inherits the
   * group of the thread that made it, so the group tells a broker's threads from all others, and
   * one broker's from another's. Everybody else who asks Exit still ends the JVM.
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
   * @param context what the threads have in their logging context
   */
  BrokerThreads(String name, Map<String, String> context) {
    super(name);
    this.context = Map.copyOf(context);
  }

  /** Completes, with a line about it, when a running broker asks for the end of the JVM. */
  CompletableFuture<String> failure() {
    return failure;
  }

  /**
   * Has work done on a thread of this broker. If it takes too long, or the broker fails meanwhile,
   * it is interrupted and given a last while to end.
   *
   * @throws ExecutionException with what the work threw, or the broker's failure
   */
  <T> T call(Callable<T> work, Duration limit)
      throws ExecutionException, TimeoutException, InterruptedException {
    Caller<T> caller = new Caller<>(this, context, work);
    CompletableFuture<T> failed =
        failure.thenApply(
            reason -> {
              throw new IllegalStateException(reason);
            });
    // After a failure, what is called is the end of it, which is not to be given up for that.
    CompletableFuture<T> result =
        failure.isDone() ? caller.result : caller.result.applyToEither(failed, value -> value);
    caller.start();
    try {
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      end(caller);
    }
  }

  /** A broker that has failed can wait for itself at several places, one after another. */
  private static void end(Caller<?> caller) throws InterruptedException {
    for (int i = 0; i < MOST_INTERRUPTS && caller.isAlive(); i++) {
      caller.interrupt();
      caller.join(GRACE.toMillis());
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    LOG.error("{} ended in {}", getName(), thread.getName(), thrown);
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

  /** Ends the current thread, unless it is a caller's: there Kafka goes on to throw the reason. */
  private void fail(int status) {
    if (Thread.currentThread() instanceof Caller<?> caller) {
      caller.halted = true;
      return;
    }
    String reason = "%s failed with status %d, its log says why".formatted(getName(), status);
    LOG.error("{}", reason);
    failure.complete(reason);
    throw new BrokerFailedError(reason);
  }

  @FunctionalInterface
  private interface EndOfJvm {
    void end(int status);
  }

  /** Thrown where Kafka does not expect to go on; an {@code Exception} might be caught. */
  private static final class BrokerFailedError extends Error {
    private static final long serialVersionUID = 1L;

    BrokerFailedError(String reason) {
      super(reason);
    }
  }

  /** A daemon, as are those threads it starts that say nothing else. */
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
      context.forEach(MDC::put); // which the threads that it starts inherit, if they may
      try {
        T value = work.call();
        if (halted) throw new IllegalStateException("it asked for the end of the JVM");
        result.complete(value);
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    }
  }
}
