package io.sluice.bench.latency;

import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import io.sluice.bench.run.WrongResultException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs applications under a fixed rate of events, each run with its own topics. */
public final class FixedLoads {
  /** Rate in events per second at which the publisher never waits. */
  private static final int UNLIMITED = 10_000_000;

  private final Laboratory laboratory;
  private final int warmUpSeconds;
  private final int seconds;

  public FixedLoads(Laboratory laboratory, boolean quick) {
    this.laboratory = laboratory;
    warmUpSeconds = quick ? 1 : 5;
    seconds = quick ? 2 : 15;
  }

  Laboratory laboratory() {
    return laboratory;
  }

  /**
   * Runs an application that allows all events, and returns the latencies.
   *
   * @param id unique id of the run
   * @param rate events per second
   */
  Arrivals.Heard run(String id, Application application, int rate, String guarantee)
      throws Exception {
    return run(
        id, application, rate, guarantee, (long) rate * warmUpSeconds, (long) rate * seconds);
  }

  /**
   * Returns the highest rate of an application that allows all events, in events per second: that
   * of the second half of the events, while more are published than it processes. Publisher, broker
   * and application share the machine.
   */
  int saturation(String id, Application application, String guarantee) throws Exception {
    long half = (seconds > 2 ? 10L : 2L) * 50_000;
    return (int) run(id, application, UNLIMITED, guarantee, half, half).perSecond();
  }

  private Arrivals.Heard run(
      String id, Application application, int rate, String guarantee, long uncounted, long counted)
      throws Exception {
    Workplace at =
        Workplace.of(laboratory, id, id + "-input").with("processing.guarantee", guarantee);
    for (String topic : List.of(at.input(), at.allowed(), at.rejected())) {
      laboratory.createTopic(topic, Map.of());
    }
    Arrivals.Heard heard = measure(application, at, rate, uncounted, counted);
    laboratory.deleteTopics(id);
    laboratory.redis().empty(false);
    return heard;
  }

  private Arrivals.Heard measure(
      Application application, Workplace at, int rate, long uncounted, long counted)
      throws Exception {
    long events = uncounted + counted;
    OpenLoop publisher = new OpenLoop(at.input(), 1, rate, events);
    try (Arrivals arrivals = new Arrivals(laboratory, at.allowed());
        Application.Running running = application.start(at)) {
      new OpenLoop(at.input(), 0, 1, 1).publish(at.bootstrapServers());
      // The first event is awaited before the others are published, so that events do not queue up
      // while the application starts.
      arrivals.await(1, 1);
      CompletableFuture<Void> published =
          CompletableFuture.runAsync(() -> publisher.publish(at.bootstrapServers()));
      Arrivals.Heard heard = arrivals.await(events, uncounted);
      published.get();
      if (running.hasFailed()) throw new WrongResultException("the application has failed");
      return heard;
    }
  }
}
