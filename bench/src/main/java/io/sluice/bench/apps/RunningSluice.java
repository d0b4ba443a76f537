package io.sluice.bench.apps;

import io.sluice.bench.run.Application;
import io.sluice.bench.run.WrongResultException;
import io.sluice.server.Sluice;
import java.util.stream.DoubleStream;

/** Running instance of Sluice in this process. */
public record RunningSluice(Sluice sluice) implements Application.Running {

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

  @Override
  public boolean hasFailed() {
    return sluice.hasFailed();
  }

  @Override
  public void close() {
    sluice.close();
  }
}
