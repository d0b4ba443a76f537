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
    Workplace at =
        Workplace.of(laboratory, id, id + "-input").with("processing.guarantee", guarantee);
    for (String topic : List.of(at.input(), at.allowed(), at.rejected())) {
      laboratory.createTopic(topic, Map.of());
    }
    Arrivals.Heard heard = measure(application, at, rate);
    laboratory.deleteTopics(id);
    laboratory.redis().empty(false);
    return heard;
  }

  private Arrivals.Heard measure(Application application, Workplace at, int rate) throws Exception {
    long uncounted = (long) rate * warmUpSeconds;
    long events = uncounted + (long) rate * seconds;
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
