package io.sluice.server.ask;

import io.sluice.rules.revision.CurrentLimits;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.server.web.Route;
import io.sluice.topology.metrics.Instruments;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/**
 * API routes that show live traffic: the keys with most events, the event counts, and the stream of
 * updates for the page.
 */
final class LiveTrafficRoutes implements AutoCloseable {
  private final TopRoute tops;
  private final CountsRoute counts;
  private final StreamRoute stream;

  private LiveTrafficRoutes(TopRoute tops, CountsRoute counts, StreamRoute stream) {
    this.tops = tops;
    this.counts = counts;
    this.stream = stream;
  }

  /** Creates the routes and starts the timer that sends updates to the page. */
  static LiveTrafficRoutes open(
      Monitoring monitoring,
      CurrentLimits limits,
      boolean usesRedis,
      OtherInstances others,
      InstantSource clock) {
    Instruments instruments = monitoring.instruments();
    LocalReports here = new LocalReports(instruments.watch(), limits, clock);
    String run = UUID.randomUUID().toString();
    CountsOfAll all = new CountsOfAll(run, instruments.watch(), others, clock);
    StreamText text = new StreamText(all, instruments, monitoring.health(), usesRedis, clock);
    return new LiveTrafficRoutes(
        new TopRoute(here, others),
        new CountsRoute(run, instruments.watch(), clock),
        StreamRoute.open(all, text));
  }

  List<Route> routes() {
    return List.of(tops, counts, stream);
  }

  @Override
  public void close() {
    stream.close();
  }
}
