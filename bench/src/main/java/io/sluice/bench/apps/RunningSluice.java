package io.sluice.bench.apps;

import io.sluice.bench.run.Application;
import io.sluice.bench.run.WrongResultException;
import io.sluice.topology.Sluice;
import java.util.stream.DoubleStream;

/** Sluice, running. */
public record RunningSluice(Sluice sluice) implements Application.Running {

  /** Returns when its state is restored, and it waits for events. */
  public void awaitRunning() throws InterruptedException {
    if (!sluice.awaitRunning()) {
      throw new WrongResultException(sluice.failure().orElse("the application has ended"));
    }
  }

  /** All metrics of this name that have a value, of each task or thread that has it. */
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
