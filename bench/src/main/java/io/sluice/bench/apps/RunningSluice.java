package io.sluice.bench.apps;

import io.sluice.bench.run.Application;
import io.sluice.bench.run.WrongResultException;
import io.sluice.server.Sluice;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.DoubleStream;

/** Running instance of Sluice in this process. */
public record RunningSluice(Sluice sluice) implements Application.Running {
  private static final long LOOK_EVERY_NANOS = 50_000_000;
  private static final Duration MOST_WAITING = Duration.ofMinutes(20);

  /** Waits until the state stores are restored and the instance accepts events. */
  public void awaitRunning() throws InterruptedException {
    if (!sluice.awaitRunning()) {
      throw new WrongResultException(sluice.failure().orElse("the application has ended"));
    }
  }

  /**
   * Returns all values of the metric with this name, one for each task or thread that has a value.
   */
  public DoubleStream metric(String name) {
    return sluice.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .mapToDouble(each -> (Double) each.getValue().metricValue())
        .filter(value -> !Double.isNaN(value));
  }

  /** Returns the sum over all tasks or threads. */
  public double sum(String metric) {
    return metric(metric).sum();
  }

  /** Returns the sum of a metric of a limit over all tasks and classes. */
  public double sum(String metric, String limit) {
    return sluice.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals(metric))
        .filter(each -> limit.equals(each.getKey().tags().get("limit")))
        .mapToDouble(each -> (Double) each.getValue().metricValue())
        .sum();
  }

  /**
   * Waits until a condition holds.
   *
   * @param name name of the run, for error messages
   * @throws WrongResultException if the instance fails, or it takes longer than 20 minutes
   */
  public void await(String name, BooleanSupplier reached) {
    long deadline = System.nanoTime() + MOST_WAITING.toNanos();
    while (!reached.getAsBoolean()) {
      if (hasFailed()) throw new WrongResultException(name + " has failed");
      if (System.nanoTime() > deadline) throw new WrongResultException(name + " stands still");
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }

  @Override
  public boolean hasFailed() {
    return sluice.hasFailed();
  }

  @Override
  public void close() {
    sluice.close();
  }
}
